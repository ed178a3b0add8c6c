/** `evariste decrypt`. */
import { forEachItem, openMessage } from "../messages.js";
import { type OutputArguments, openingOptions, withKey } from "../options.js";
import { makeFolderFor, OPENED_NAMES, planJobs } from "../plan.js";

/**
 * Opens every input.
 *
 * @returns exit code
 */
export function decrypt(inputs: readonly string[], options: OutputArguments): Promise<number> {
  return withKey(options, async (key) => {
    const jobs = planJobs(inputs, options.output, OPENED_NAMES, options.quiet === true);
    return forEachItem(jobs, async (job) => {
      if ("failure" in job) throw job.failure;
      await makeFolderFor(job);
      await openMessage(job, openingOptions(key, options, job.input), options);
    });
  });
}
