/** `Sealer` and `XAesGcm`: the random numbers of this runtime. */
import { Sealer, XAesGcm } from "evariste";
import { check, equalBytes, fromHex, toHex } from "../check.js";
import { Random } from "../random.js";
import type { EntryCase } from "./case.js";

async function sealer(): Promise<void> {
  const random = new Random(51);
  const key = random.bytes(16);
  const message = random.bytes(1000);
  const seen = new Set<string>();
  const sealing = new Sealer(key, { nonce: "random" });
  for (let i = 0; i < 1000; i++) {
    const sealed = sealing.seal(message);
    seen.add(toHex(sealed.subarray(0, 12)));
    if (i % 100 === 0) equalBytes(sealing.open(sealed), message, `message ${i}`);
  }
  sealing.destroy();
  check(seen.size === 1000, `only ${seen.size} of 1000 nonces differ`);
}

/** The first vector of c2sp.org/XAES-256-GCM. */
async function xaes(): Promise<void> {
  const text = (words: string) => new TextEncoder().encode(words);
  const key = new Uint8Array(32).fill(1);
  const gcm = new XAesGcm(key);
  const sealed = gcm.encrypt(text("ABCDEFGHIJKLMNOPQRSTUVWX"), text("XAES-256-GCM"));
  const expected = fromHex("ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271");
  equalBytes(sealed, expected, "XAES-256-GCM");
  equalBytes(gcm.open(gcm.seal(text("again"))), text("again"), "random nonce");
  gcm.destroy();
}

/** Messages whose nonces the library draws. */
export const managedCases: readonly EntryCase[] = [
  { name: "Sealer: random nonces", run: sealer },
  { name: "XAesGcm: the specification's vector, random nonces", run: xaes },
];
