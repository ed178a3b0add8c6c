/** `evariste selftest`. */
import { engines } from "evariste";
import { say } from "../console.js";
import { CliError } from "../errors.js";
import { type Check, engineChecks, formatChecks } from "../known-answers.js";
import { indented } from "./info.js";

/**
 * Runs the known answers on every engine and in the chunked format, and says so.
 *
 * @returns exit code
 * @throws CliError of kind `selftest`
 */
export async function selftest({ quiet }: { readonly quiet?: boolean }): Promise<number> {
  const print = (line: string) => (quiet === true ? Promise.resolve() : say(`${line}\n`));
  let failures = 0;
  const checks: Check[] = [];
  for (const engine of engines()) {
    if (engine.available) {
      const kernels = engine.kernels.filter((kernel) => kernel.available).map((kernel) => kernel.name);
      await print(
        `ok    ${engine.name}: the library's own known answers${kernels.length > 0 ? ` (${kernels.join(", ")})` : ""}`,
      );
      checks.push(...engineChecks(engine.name));
      continue;
    }
    // The library drops an engine that gives wrong answers, and says so in these words.
    const failed = engine.reason?.startsWith("failed its self-test") === true;
    if (failed) failures++;
    await print(`${failed ? "FAIL" : "--  "}  ${engine.name}: ${indented(engine.reason, 8)}`);
  }
  if (checks.length === 0) throw new CliError("selftest", "no AES-GCM engine is available");
  for (const check of [...checks, ...formatChecks()]) {
    const fault = await faultOf(check);
    if (fault !== undefined) failures++;
    await print(fault === undefined ? `ok    ${check.name}` : `FAIL  ${check.name}: ${fault}`);
  }
  if (failures > 0) throw new CliError("selftest", `self-test: ${failures} failed`);
  await print("all known answers are right");
  return 0;
}

async function faultOf(check: Check): Promise<string | undefined> {
  try {
    return await check.run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
