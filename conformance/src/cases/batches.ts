/** Many messages in one crossing. */
import type { Case, Target } from "../case.js";
import { allBytes, check, concat, equal, equalBytes, throws } from "../check.js";
import { sharedBytes } from "../shared-memory.js";
import { aad, keyOf, modelOf, once, text } from "./common.js";

const LENGTHS = [0, 1, 16, 40, 64, 65, 300, 17, 0, 1000, 4];

interface Message {
  readonly iv: Uint8Array;
  readonly aad: Uint8Array;
  readonly plaintext: Uint8Array;
  readonly sealed: Uint8Array;
}

const messages = once(() =>
  [12, 16].map((ivLength) =>
    LENGTHS.map((length, i): Message => {
      const iv = text(60).subarray(i, i + ivLength);
      const header = aad(i * 3);
      const plaintext = text(length);
      return { iv, aad: header, plaintext, sealed: modelOf(16).seal(iv, header, plaintext) };
    }),
  ),
);

function ends(parts: readonly Uint8Array[], base = 0): Uint32Array {
  let sum = base;
  return Uint32Array.of(base, ...parts.map((part) => (sum += part.length)));
}

/** The packed form, with `lead` bytes before the first text. */
function pack(all: readonly Message[], texts: readonly Uint8Array[], lead = 0) {
  return {
    ivs: concat(...all.map((m) => m.iv)),
    ivLength: all[0].iv.length,
    data: concat(new Uint8Array(lead), ...texts),
    offsets: ends(texts, lead),
    aad: concat(...all.map((m) => m.aad)),
    aadOffsets: ends(all.map((m) => m.aad)),
  };
}

function packed(target: Target): void {
  const gcm = target.create(keyOf(16));
  for (const all of messages()) {
    for (const lead of [0, 5]) {
      const texts = all.map((m) => m.plaintext);
      const sealed = all.map((m) => m.sealed);
      const encrypted = gcm.encryptBatch(pack(all, texts, lead));
      equalBytes(encrypted.data, concat(...sealed), "encrypted");
      equal(String(encrypted.offsets), String(ends(sealed)), "its offsets");
      const decrypted = gcm.decryptBatch(pack(all, sealed, lead));
      equalBytes(decrypted.data, concat(...texts), "decrypted");
      equal(String(decrypted.offsets), String(ends(texts)), "their offsets");
      equal(decrypted.failures, 0, "failures");
      allBytes(decrypted.verified, 1, "verdicts");
    }
  }
  gcm.destroy();
}

function array(target: Target): void {
  const gcm = target.create(keyOf(16));
  for (const all of messages()) {
    gcm.encryptBatch(all).forEach((sealed, i) => {
      equalBytes(sealed, all[i].sealed, `message ${i}`);
    });
    const forged = all.map((m, i) => ({
      ...m,
      sealed: i === 3 ? m.sealed.map((byte) => byte ^ 1) : m.sealed,
    }));
    gcm.decryptBatch([...forged, { ...all[0], sealed: text(7) }]).forEach((plain, i) => {
      if (i === 3 || i === all.length) equal(plain, null, `forged message ${i}`);
      else equalBytes(plain!, all[i].plaintext, `opened message ${i}`);
    });
  }
  equal(gcm.encryptBatch([]).length, 0, "no messages");
  gcm.destroy();
}

function forged(target: Target): void {
  const gcm = target.create(keyOf(16));
  for (const all of messages()) {
    for (let bad = 0; bad < all.length; bad++) {
      const sealed = all.map((m, i) => {
        const copy = Uint8Array.from(m.sealed);
        if (i === bad) copy[copy.length - 1] ^= 2;
        return copy;
      });
      const job = pack(all, sealed);
      const out = new Uint8Array(job.data.length).fill(0xcc);
      const { data, verified, failures, offsets } = gcm.decryptBatch(job, out);
      equal(failures, 1, `message ${bad} forged: failures`);
      all.forEach((m, i) => {
        equal(verified[i], i === bad ? 0 : 1, `verdict on ${i}`);
        const plain = data.subarray(offsets[i], offsets[i + 1]);
        if (i === bad) allBytes(plain, 0, "plaintext of the forged message");
        else equalBytes(plain, m.plaintext, `message ${i}`);
      });
      allBytes(out.subarray(data.length), 0xcc, "beyond the output");
    }
  }
  gcm.destroy();
}

/** How many messages of which length come in a row; one in the middle of a run has AAD. */
const RUNS = [
  [37, 16],
  [1, 0],
  [19, 33],
  [9, 64],
  [12, 5],
  [18, 32],
  [5, 65],
  [17, 47],
] as const;

const runMessages = once(() =>
  RUNS.flatMap(([count, length], run) =>
    Array.from({ length: count }, (_, i): Message => {
      const iv = Uint8Array.from(text(12), (byte, at) => (at === 0 ? run : at === 1 ? i : byte));
      const header = aad(i === 20 ? 9 : 0);
      const plaintext = text(length + i).subarray(i);
      return { iv, aad: header, plaintext, sealed: modelOf(16).seal(iv, header, plaintext) };
    }),
  ),
);

function runs(target: Target): void {
  const gcm = target.create(keyOf(16));
  const all = runMessages();
  for (const bare of [false, true]) {
    const chosen = bare ? all.filter((m) => m.aad.length === 0) : all;
    const job = (parts: readonly Uint8Array[]) => {
      const { aad, aadOffsets, ...rest } = pack(chosen, parts);
      return bare ? rest : { aad, aadOffsets, ...rest };
    };
    const sealed = chosen.map((m) => m.sealed);
    equalBytes(gcm.encryptBatch(job(chosen.map((m) => m.plaintext))).data, concat(...sealed), "encrypted");
    const altered = sealed.map((message, i) =>
      message.map((byte, at) => (i % 5 === 0 && at === i % 16 ? byte ^ 4 : byte)),
    );
    const { data, offsets, verified, failures } = gcm.decryptBatch(job(altered));
    equal(failures, Math.ceil(chosen.length / 5), "failures");
    chosen.forEach((m, i) => {
      const plain = data.subarray(offsets[i], offsets[i + 1]);
      equal(verified[i], Number(i % 5 !== 0), `verdict on ${i}`);
      if (i % 5 === 0) allBytes(plain, 0, `plaintext of the forged message ${i}`);
      else equalBytes(plain, m.plaintext, `message ${i}`);
    });
  }
  gcm.destroy();
}

/** Output over the input, over the IVs, and over the offsets themselves. */
function overInput(target: Target): void {
  const gcm = target.create(keyOf(16));
  const all = messages()[0];
  const texts = all.map((m) => m.plaintext);
  const sealed = concat(...all.map((m) => m.sealed));
  const job = pack(all, texts);
  for (const shift of [0, 4, 16, 100]) {
    const memory = new Uint8Array(sealed.length + 200);
    memory.set(job.data, 100);
    const data = memory.subarray(100, 100 + job.data.length);
    const { data: out } = gcm.encryptBatch({ ...job, data }, memory.subarray(100 - shift));
    equalBytes(out, sealed, `data at ${shift} behind the output`);
  }
  const memory = new Uint8Array(sealed.length + 64);
  memory.set(job.ivs);
  equalBytes(
    gcm.encryptBatch({ ...job, ivs: memory.subarray(0, job.ivs.length) }, memory).data,
    sealed,
    "over IVs",
  );
  const words = new Uint32Array(Math.ceil(sealed.length / 4) + 8);
  words.set(job.offsets);
  const offsets = words.subarray(0, job.offsets.length);
  const over = gcm.encryptBatch({ ...job, offsets }, new Uint8Array(words.buffer));
  equalBytes(over.data, sealed, "over the offsets");
  equal(String(over.offsets), String(ends(all.map((m) => m.sealed))), "offsets that were overwritten");
  gcm.destroy();
}

function refused(target: Target): void {
  const gcm = target.create(keyOf(16));
  const job = pack(
    messages()[0],
    messages()[0].map((m) => m.plaintext),
  );
  const last = job.offsets.length - 1;
  const bent = (at: number, value: number) => job.offsets.map((offset, i) => (i === at ? value : offset));
  const wrong = {
    "IVs too short": { ...job, ivs: job.ivs.subarray(1) },
    "no IV length": { ...job, ivLength: 0 },
    "offsets beyond data": { ...job, offsets: bent(last, job.data.length + 1) },
    "offsets that decrease": { ...job, offsets: bent(3, 0) },
    "no offsets": { ...job, offsets: new Uint32Array(0) },
    "AAD offsets too few": { ...job, aadOffsets: job.aadOffsets.subarray(1) },
    "AAD offsets beyond AAD": { ...job, aad: job.aad.subarray(1) },
  };
  for (const [what, messages] of Object.entries(wrong))
    throws(RangeError, () => gcm.encryptBatch(messages), what);
  throws(RangeError, () => gcm.encryptBatch(job, new Uint8Array(job.data.length)), "output too short");
  throws(RangeError, () => gcm.decryptBatch(job), "messages shorter than a tag");
  const plainOffsets = Array.from(job.offsets) as unknown as Uint32Array;
  throws(TypeError, () => gcm.encryptBatch({ ...job, offsets: plainOffsets }), "offsets of another kind");
  const shared = new Uint32Array(sharedBytes(job.offsets.byteLength).buffer, 0, job.offsets.length);
  throws(TypeError, () => gcm.encryptBatch({ ...job, offsets: shared }), "shared offsets");
  const error = throws(
    RangeError,
    () => gcm.encryptBatch([{ iv: new Uint8Array(0), plaintext: text(1) }]),
    "iv",
  );
  check(error.message.startsWith("messages[0]"), `the error does not name the message: ${error.message}`);
  gcm.destroy();
}

/** Batches. */
export const batchCases: readonly Case[] = [
  { name: "batch: packed messages", run: packed },
  { name: "batch: an array of messages", run: array },
  { name: "batch: one forged message does not disturb the others", run: forged },
  { name: "batch: runs of messages of one length", run: runs },
  { name: "batch: outputs over inputs", run: overInput },
  { name: "batch: what does not fit together is refused", run: refused },
];
