/** The command's arguments, and its help. Each command's code is loaded when it runs, so that starting stays quick. */
import { createRequire } from "node:module";
import { Command, Option } from "commander";
import { exitCodeTable } from "./errors.js";
import { FORMAT_NAMES } from "./formats.js";
import { KEY_ENCODINGS, KEY_HELP } from "./keys.js";
import { RANGE_HELP } from "./ranges.js";

/** Takes a command's exit code. */
export type Finish = (code: number) => void;

const OPTIONS = {
  keyFile: () => new Option("-k, --key-file <file>", "read the key from this file (else from EVARISTE_KEY)"),
  keyEncoding: () =>
    new Option("--key-encoding <encoding>", "how the key file is written")
      .choices(KEY_ENCODINGS)
      .default("auto"),
  format: (fallback: string) =>
    new Option("--format <name>", `file format (default: ${fallback})`).choices(FORMAT_NAMES),
  context: () =>
    new Option(
      "--context <text>",
      "what the file belongs to (UTF-8): opens only with the same; for gcm, the AAD",
    ),
  output: () =>
    new Option("-o, --output <path>", "a file, a folder for several inputs, or - for standard output"),
  force: () => new Option("--force", "replace existing files"),
  quiet: () => new Option("-q, --quiet", "no progress, no warnings"),
  json: () => new Option("--json", "answer in JSON"),
  range: () => new Option("--range <range>", `bytes to write: ${RANGE_HELP}`),
  bits: () => new Option("--bits <number>", "key size").choices(["128", "192", "256"]).default("256"),
} as const;

const INPUTS_HELP = "files, folders, or - for standard input (the default)";
const SEAL_FORMAT = "Cobblestone by the key's size";
const OPEN_FORMAT = "by the file's ending, else Cobblestone";

function add(command: Command, ...options: Option[]): Command {
  for (const option of options) command.addOption(option);
  return command;
}

function cipherOptions(format: string): Option[] {
  return [OPTIONS.keyFile(), OPTIONS.keyEncoding(), OPTIONS.format(format), OPTIONS.context()];
}

function addSealing(program: Command, finish: Finish): void {
  add(program.command("keygen"), OPTIONS.output(), OPTIONS.bits(), OPTIONS.force())
    .description(
      "make a random key: one line of hex, in a file of mode 0600 with -o, else on standard output",
    )
    .action(async (options) => finish(await (await import("./commands/keygen.js")).keygen(options)));
  add(
    program.command("encrypt"),
    ...cipherOptions(SEAL_FORMAT),
    OPTIONS.output(),
    OPTIONS.force(),
    OPTIONS.quiet(),
  )
    .description("encrypt to INPUT.evr (INPUT.gcm for the raw format)")
    .argument("[inputs...]", INPUTS_HELP)
    .action(async (inputs, options) =>
      finish(await (await import("./commands/encrypt.js")).encrypt(inputs, options)),
    );
}

function addOpening(program: Command, finish: Finish): void {
  add(
    program.command("decrypt"),
    ...cipherOptions(OPEN_FORMAT),
    OPTIONS.output(),
    OPTIONS.force(),
    OPTIONS.quiet(),
  )
    .description("decrypt, stripping .evr or .gcm from the name; no unverified byte ever gets the final name")
    .argument("[inputs...]", INPUTS_HELP)
    .action(async (inputs, options) =>
      finish(await (await import("./commands/decrypt.js")).decrypt(inputs, options)),
    );
  add(program.command("verify"), ...cipherOptions(OPEN_FORMAT), OPTIONS.quiet())
    .description("check that files are authentic and whole, writing nothing")
    .argument("[inputs...]", INPUTS_HELP)
    .action(async (inputs, options) =>
      finish(await (await import("./commands/verify.js")).verify(inputs, options)),
    );
  add(program.command("cat"), ...cipherOptions(OPEN_FORMAT), OPTIONS.range(), OPTIONS.quiet())
    .description(
      "write verified plaintext to standard output, or a range of it, reading only the chunks it needs",
    )
    .argument("[inputs...]", "files, or - for standard input (the default)")
    .action(async (inputs, options) =>
      finish(await (await import("./commands/cat.js")).cat(inputs, options)),
    );
}

function addAsking(program: Command, finish: Finish): void {
  add(program.command("info"), ...cipherOptions(OPEN_FORMAT), OPTIONS.json(), OPTIONS.quiet())
    .description("tell what files are; without files, which engines this machine has")
    .argument("[files...]", "sealed files")
    .action(async (files, options) =>
      finish(await (await import("./commands/info.js")).info(files, options)),
    );
  add(program.command("selftest"), OPTIONS.quiet())
    .description("run known answers on every engine of this machine")
    .action(async (options) => finish(await (await import("./commands/selftest.js")).selftest(options)));
}

function addBench(program: Command, finish: Finish): void {
  program
    .command("bench")
    .description("measure AES-GCM here, and make reports: everything goes on to the package @evariste/bench")
    .argument("[arguments...]", "as of `evariste bench --help`")
    .helpOption(false)
    .allowUnknownOption()
    .action(async (args) => finish(await (await import("./commands/bench.js")).bench(args)));
}

/** Everything that `evariste --help` says after the list of commands. */
function epilogue(): string {
  return `
${KEY_HELP}

Formats: cobblestone-256 and cobblestone-128 (c2sp.org/chunked-encryption: chunks of 16 KiB, random access), and gcm
(12-byte IV, ciphertext, 16-byte tag, as WebCrypto users store it).

Exit codes; with several inputs, that of the first failure:
${exitCodeTable()}`;
}

function version(): string {
  const { version: text } = createRequire(import.meta.url)("../package.json") as { version: string };
  return text;
}

/**
 * The argument parser.
 *
 * @param finish receives the exit code of the command that ran
 * @param writeOut receives help and version, in pieces
 */
export function createProgram(finish: Finish, writeOut: (text: string) => void): Command {
  const program = new Command("evariste")
    .description("AES-GCM encryption of files and pipes")
    .version(version())
    .helpCommand(true)
    .showHelpAfterError("(evariste --help explains)")
    .configureOutput({
      writeOut,
      outputError: (text, write) => write(text.replace(/^error: /, "evariste: ")),
    })
    .addHelpText("after", epilogue())
    .exitOverride();
  addSealing(program, finish);
  addOpening(program, finish);
  addAsking(program, finish);
  addBench(program, finish);
  return program;
}
