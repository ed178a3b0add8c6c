/**
 * The demonstration behind `npm start`: encrypts and decrypts a file through the command's own code, checks the result by
 * independent means, and shows what this machine makes of AES-GCM.
 */
import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { arch, cpus, platform } from "node:os";
import { basename, join } from "node:path";
import { formatQuickSizes, quickSizes } from "@evariste/bench";
import { engines } from "evariste";
import { sealedLength } from "evariste/chunked";
import { installCleanup } from "./cleanup.js";
import { enginesText } from "./commands/info.js";
import { complain, humanBytes, say } from "./console.js";
import { judge, refusesFlippedBit, sameByReference, sameFiles, type Verdict } from "./demo/checks.js";
import { needRoom, temporaryFolder, writeSample } from "./demo/sample.js";
import { BrokenPipeError, blame, CliError, EXIT_PIPE, printable } from "./errors.js";
import { openMessage, sealMessage, withSource } from "./messages.js";
import { openRandomAccess } from "./random-access.js";
import { type CipherOptions, OPEN_PIECE } from "./transforms.js";

const SAMPLE_LENGTH = 256 * 2 ** 20;
const RANGE_LENGTH = 2 ** 20;
/** Time for the table of sizes, in milliseconds. */
const TABLE_BUDGET = 6000;
/** Room for folders and rounding to blocks, in bytes. */
const MARGIN = 2 ** 20;

const print = (line = "") => say(`${line}\n`);

/** Runs `work` and prints how long it took over so many bytes. */
async function timed(what: string, bytes: number, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const rate = `${Math.round(bytes / 1e6 / seconds)} MB/s`;
  await print(`  ${what.padEnd(44)} ${`${(seconds * 1000).toFixed(0)} ms`.padStart(9)} ${rate.padStart(11)}`);
}

interface Files {
  readonly original: string;
  readonly sealed: string;
  readonly opened: string;
  readonly size: number;
}

async function prepare(path: string | undefined): Promise<Files> {
  const folder = temporaryFolder();
  const size = path === undefined ? SAMPLE_LENGTH : sizeOf(path);
  const original = path ?? join(folder, "sample");
  needRoom(folder, (path === undefined ? size : 0) + size + sealedLength(size) + MARGIN);
  const about =
    path === undefined ? "pseudo-random bytes, made for this and removed after it" : printable(path);
  await print(`File: ${humanBytes(size)}, ${about}`);
  if (path === undefined) writeSample(original, size);
  return {
    original,
    sealed: join(folder, `${basename(original)}.evr`),
    opened: join(folder, "opened"),
    size,
  };
}

function sizeOf(path: string): number {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) throw new CliError("input", "is not a file", path);
    return stat.size;
  } catch (error) {
    throw blame("input", path, error);
  }
}

async function readMiddle(files: Files, cipher: CipherOptions): Promise<void> {
  const start = Math.floor(Math.max(0, files.size - RANGE_LENGTH) / 2);
  const end = Math.min(files.size, start + RANGE_LENGTH);
  await timed(`read ${humanBytes(end - start)} from its middle`, end - start, () =>
    withSource(files.sealed, OPEN_PIECE, async (source) => {
      const reader = await openRandomAccess(source, cipher);
      await reader.read(start, end);
      reader.destroy();
    }),
  );
}

async function verify(files: Files, cipher: CipherOptions): Promise<Verdict[]> {
  const { original, sealed, opened, size } = files;
  const again = () => openMessage(job(sealed, opened), cipher, { force: true, quiet: true });
  const middle = Math.floor(sealedLength(size) / 2);
  return [
    await judge("node:crypto alone opens the encrypted file and finds the original in it", () =>
      sameByReference(original, sealed, cipher.key),
    ),
    await judge("the decrypted file is the original, byte for byte", () => sameFiles(original, opened)),
    await judge("with one bit flipped in its middle the encrypted file is refused", () =>
      refusesFlippedBit(sealed, middle, again),
    ),
    await judge("the refusal left the decrypted file as it was", () => sameFiles(original, opened)),
  ];
}

function job(input: string, output: string) {
  return { input, output, makeFolder: false };
}

async function demonstrate(path: string | undefined): Promise<number> {
  await print(
    `Evariste on Node ${process.version}, ${platform()}-${arch()}, ${cpus()[0]?.model.trim() ?? "unknown CPU"}`,
  );
  await print(`\nEngines and kernels (* in use)\n${enginesText(engines()).join("\n")}\n`);
  const files = await prepare(path);
  const cipher: CipherOptions = {
    key: randomBytes(32),
    format: "cobblestone-256",
    context: new Uint8Array(0),
  };
  await timed("encrypted (Cobblestone-256), on the disk", files.size, () =>
    sealMessage(job(files.original, files.sealed), cipher, {}),
  );
  await timed("decrypted, on the disk", files.size, () =>
    openMessage(job(files.sealed, files.opened), cipher, {}),
  );
  await readMiddle(files, cipher);
  const verdicts = await verify(files, cipher);
  await print("\nVerified");
  for (const { statement, fault } of verdicts) {
    await print(fault === undefined ? `  ok    ${statement}` : `  FAIL  ${statement}: ${fault}`);
  }
  await print(`\n${formatQuickSizes(await quickSizes({ budgetMs: TABLE_BUDGET }))}`);
  return verdicts.some(({ fault }) => fault !== undefined) ? 1 : 0;
}

installCleanup();
try {
  process.exitCode = await demonstrate(process.argv[2]);
} catch (error) {
  if (!(error instanceof BrokenPipeError))
    complain(error instanceof CliError ? error.message : String(error));
  process.exitCode =
    error instanceof CliError ? error.exitCode : error instanceof BrokenPipeError ? EXIT_PIPE : 1;
}
