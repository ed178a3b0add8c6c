/** `evariste bench`: a package of its own, because it brings what it compares with. */
import { CliError } from "../errors.js";

const PACKAGE = "@evariste/bench";

/** The part of the package that runs it. */
type Bench = Pick<typeof import("@evariste/bench/command"), "runBench">;

/**
 * Hands the arguments over.
 *
 * @param load imports the package
 * @returns exit code
 * @throws CliError of kind `usage` when the package is not installed
 */
export async function bench(
  args: readonly string[],
  load: () => Promise<Bench> = () => import("@evariste/bench/command"),
): Promise<number> {
  let loaded: Bench;
  try {
    loaded = await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Not when something is missing that the package needs.
    if (code !== "ERR_MODULE_NOT_FOUND" || !message.includes(`'${PACKAGE}'`)) throw error;
    throw new CliError("usage", `bench needs the package ${PACKAGE}: npm install --global ${PACKAGE}`);
  }
  const exitCode = await loaded.runBench(args, "evariste bench");
  return exitCode === 0 ? 0 : new CliError("usage", "").exitCode;
}
