/** The command as a function, for `bin/bench.js` and for `evariste bench`. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { CommanderError } from "commander";
import { makeCommand } from "./cli.js";

/**
 * Runs the command with these arguments.
 *
 * @param name the command's name in its help
 * @returns exit code; what is wrong with arguments has been said on standard error
 */
export async function runBench(args: readonly string[], name = "bench"): Promise<number> {
  // Lets the harness collect garbage between the timed parts, whatever flags Node was started with.
  setFlagsFromString("--expose-gc");
  globalThis.gc ??= runInNewContext("gc") as typeof globalThis.gc;
  // As a shell reports a reader that went away, without a word.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(141);
  });
  const command = makeCommand().name(name);
  for (const each of [command, ...command.commands]) each.exitOverride();
  try {
    await command.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    throw error;
  }
}
