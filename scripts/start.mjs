/** `npm start [-- FILE]`: builds everything and runs the demonstration. A file that is not there is told before, not after. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const [file] = process.argv.slice(2);
/** The command's code for input that cannot be read. */
const EXIT_INPUT = 4;

if (file !== undefined && !existsSync(file)) {
  console.error(`evariste: ${file}: no such file or folder`);
  process.exit(EXIT_INPUT);
}
const steps = [
  ["npm run --silent build", []],
  [process.execPath, ["packages/cli/dist/demo.js", ...process.argv.slice(2)]],
];
for (const [command, args] of steps) {
  const { status } = spawnSync(command, args, { stdio: "inherit", shell: args.length === 0 });
  process.exitCode = status ?? 1;
  if (status !== 0) break;
}
