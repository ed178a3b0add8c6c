/** The command's entry point: runs the arguments, and turns whatever goes wrong into one line and an exit code. */
import { CommanderError } from "commander";
import { installCleanup } from "./cleanup.js";
import { complain, say } from "./console.js";
import { BrokenPipeError, CliError, EXIT_PIPE } from "./errors.js";
import { createProgram } from "./program.js";

const USAGE = new CliError("usage", "");
const INTERNAL = new CliError("internal", "");
const SELF_TEST = new CliError("selftest", "");
/** How the library's error begins when every engine is switched off or failed its self-test. */
const NO_ENGINE = "no AES-GCM engine";

/**
 * Runs the command and sets the exit code.
 *
 * @param argv as `process.argv`
 */
export async function main(argv: readonly string[]): Promise<void> {
  installCleanup();
  let help = Promise.resolve();
  try {
    const program = createProgram(
      (code) => {
        process.exitCode = code;
      },
      (text) => {
        help = help.then(() => say(text));
      },
    );
    // Showing help ends in an exception too; that its reader went away, or the disk is full, matters more.
    await program.parseAsync(argv).finally(() => help);
  } catch (error) {
    process.exitCode = report(error);
  }
}

/** Says what went wrong. @returns the exit code */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE.exitCode;
  if (error instanceof BrokenPipeError) return EXIT_PIPE;
  if (error instanceof CliError) {
    complain(error.message);
    return error.exitCode;
  }
  if (error instanceof Error && error.message.startsWith(NO_ENGINE)) {
    complain(error.message);
    return SELF_TEST.exitCode;
  }
  complain(`unexpected fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return INTERNAL.exitCode;
}
