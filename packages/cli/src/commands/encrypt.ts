/** `evariste encrypt`. */
import { isatty } from "node:tty";
import { CliError } from "../errors.js";
import { endingFor } from "../formats.js";
import { DASH, forEachItem, sealMessage } from "../messages.js";
import { type OutputArguments, sealingOptions, withKey } from "../options.js";
import { makeFolderFor, planJobs, sealedNames } from "../plan.js";

/**
 * Seals every input.
 *
 * @returns exit code
 */
export function encrypt(inputs: readonly string[], options: OutputArguments): Promise<number> {
  return withKey(options, async (key) => {
    const cipher = sealingOptions(key, options);
    const naming = sealedNames(endingFor(cipher.format));
    const jobs = planJobs(inputs, options.output, naming, options.quiet === true);
    return forEachItem(jobs, async (job) => {
      if ("failure" in job) throw job.failure;
      // Sealed bytes garble a terminal; whoever wants them there says so.
      if (job.output === DASH && options.output === undefined && isatty(1)) {
        throw new CliError("usage", "standard output is a terminal; use -o FILE, or -o - to insist");
      }
      await makeFolderFor(job);
      await sealMessage(job, cipher, options);
    });
  });
}
