/** `evariste keygen`. */
import { randomBytes } from "node:crypto";
import { say } from "../console.js";
import { fileSink } from "../sinks.js";

/** What `keygen` takes. */
export interface KeygenArguments {
  readonly output?: string;
  /** Key size in bits. */
  readonly bits: "128" | "192" | "256";
  readonly force?: boolean;
}

/** Only the owner may read a key, and write to it. */
const KEY_MODE = 0o600;

/**
 * Makes a random key and writes it as one line of hexadecimal digits, which every way of giving a key understands.
 *
 * @returns exit code
 */
export async function keygen({ output, bits, force }: KeygenArguments): Promise<number> {
  const key = randomBytes(Number(bits) / 8);
  const line = Buffer.from(`${key.toString("hex")}\n`);
  key.fill(0);
  try {
    if (output === undefined || output === "-") await say(line.toString());
    else await writeKey(output, line, force === true);
    return 0;
  } finally {
    line.fill(0);
  }
}

async function writeKey(path: string, line: Uint8Array, force: boolean): Promise<void> {
  const sink = await fileSink(path, { force, mode: KEY_MODE });
  try {
    await sink.write(line);
    await sink.commit();
  } catch (error) {
    await sink.abort();
    throw error;
  }
}
