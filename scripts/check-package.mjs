/** Checks the library as it would be published: what `npm pack` makes, its exports and its types. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "evariste-pack-"));
const run = (command, args) =>
  execFileSync(command, args, { stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" });
try {
  const [packed] = JSON.parse(
    run("npm", ["pack", "-w", "packages/evariste", "--json", "--pack-destination", folder]),
  );
  const tarball = join(folder, packed.filename);
  process.stdout.write(run("npx", ["publint", "run", tarball, "--strict"]));
  process.stdout.write(run("npx", ["attw", tarball, "--profile", "esm-only"]));
} catch (error) {
  process.stdout.write(error.stdout ?? `${error}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
