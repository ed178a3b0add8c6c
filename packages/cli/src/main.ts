/** The command's entry point: runs the arguments, and turns whatever goes wrong into one line and an exit code. */
import { CommanderError } from "commander";
import { installCleanup } from "./cleanup.js";
import { complain } from "./console.js";
import { BrokenPipeError, CliError, EXIT_PIPE } from "./errors.js";
import { createProgram } from "./program.js";

const USAGE = new CliError("usage", "");
const INTERNAL = new CliError("internal", "");

/**
 * Runs the command and sets the exit code.
 *
 * @param argv as `process.argv`
 */
export async function main(argv: readonly string[]): Promise<void> {
  installCleanup();
  try {
    const program = createProgram((code) => {
      process.exitCode = code;
    });
    await program.parseAsync(argv);
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
  complain(`unexpected fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return INTERNAL.exitCode;
}
