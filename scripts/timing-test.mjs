/**
 * Statistical timing test (O. Reparaz, J. Balasch, I. Verbauwhede, "Dude, is my code constant time?", DATE 2017): one
 * operation with a fixed secret against the same operation with random secrets, in random order, and Welch's t of the
 * two classes, on all measurements and below several percentiles. |t| above 4.5 means that time depends on the secret.
 *
 * After `npm run build`: node scripts/timing-test.mjs [seconds for each row]
 */
import { randomBytes, randomInt } from "node:crypto";
import { load as loadPortable } from "../packages/evariste/dist/engines/portable/index.js";
import { load as loadWasm } from "../packages/evariste/dist/engines/wasm/index.js";

const seconds = Number(process.argv[2] ?? 5);
const LIMIT = 4.5;
const INPUTS = 512;
const bytes = (length) => new Uint8Array(randomBytes(length));
const none = new Uint8Array(0);

/** What is secret in each row: `make` gives one secret, `run` is timed with it. Buffers are the same for both classes. */
const OPERATIONS = {
  "key, 16 bytes of text": (engine, disabled) => {
    const out = new Uint8Array(32);
    const iv = bytes(12);
    return {
      make: () => bytes(16),
      run: (secret) => {
        const key = engine.createKey(secret, disabled);
        key.seal(iv, none, out.subarray(0, 16), out, 16);
        key.wipe();
      },
    };
  },
  "plaintext of 48 bytes": (engine, disabled) => textRow(engine, disabled, 48),
  "plaintext of 2,000 bytes": (engine, disabled) => textRow(engine, disabled, 2000),
  "IV of 16 bytes, so that the counter is secret": (engine, disabled) => {
    const key = engine.createKey(bytes(16), disabled);
    const text = bytes(300);
    const out = new Uint8Array(316);
    return { make: () => bytes(16), run: (secret) => key.seal(secret, none, text, out, 16) };
  },
  "hash state": (engine, disabled) => {
    const key = engine.createKey(bytes(16), disabled);
    const data = bytes(1600);
    const state = new Uint8Array(16);
    return {
      make: () => bytes(16),
      run: (secret) => {
        state.set(secret);
        key.ghash(data, state);
      },
    };
  },
  "tag that is wrong at its first or a random byte": (engine, disabled) => {
    const key = engine.createKey(bytes(16), disabled);
    const iv = bytes(12);
    const sealed = new Uint8Array(64);
    key.seal(iv, none, bytes(48), sealed, 16);
    const out = new Uint8Array(48);
    const wrongAt = (at) => sealed.map((byte, i) => (i === at ? byte ^ 1 : byte));
    return {
      fixed: wrongAt(48),
      make: () => wrongAt(48 + randomInt(16)),
      run: (secret) => key.open(iv, none, secret, out, 16),
    };
  },
};

function textRow(engine, disabled, length) {
  const key = engine.createKey(bytes(16), disabled);
  const iv = bytes(12);
  const out = new Uint8Array(length + 16);
  return { make: () => bytes(length), run: (secret) => key.seal(iv, none, secret, out, 16) };
}

/**
 * Times both classes in random order, one call a measurement. Before each call the input is copied to one place, so that
 * the classes do not differ in where their inputs lie.
 */
function measure({ make, run, fixed = make() }) {
  const classes = [[], []];
  const labels = Array.from({ length: INPUTS }, () => randomInt(2));
  const inputs = labels.map((label) => Uint8Array.from(label === 0 ? fixed : make()));
  const input = new Uint8Array(fixed.length);
  for (let i = 0; i < 20 * INPUTS; i++) run(inputs[i % INPUTS]);
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    for (let i = 0; i < 1000; i++) {
      const index = randomInt(INPUTS);
      input.set(inputs[index]);
      const start = process.hrtime.bigint();
      run(input);
      classes[labels[index]].push(Number(process.hrtime.bigint() - start));
    }
  }
  return classes;
}

function welch(a, b) {
  const moments = (values) => {
    const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
    return {
      mean,
      error: values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (values.length - 1) / values.length,
    };
  };
  const [x, y] = [moments(a), moments(b)];
  return (x.mean - y.mean) / Math.sqrt(x.error + y.error);
}

/** The largest |t| over crops: preemption makes a long tail that would hide a difference. */
function largestT([fixed, random]) {
  const sorted = [...fixed, ...random].sort((a, b) => a - b);
  const crops = [0.5, 0.75, 0.9, 0.99].map((part) => sorted[Math.floor(part * sorted.length)]);
  const ts = crops.map((limit) =>
    welch(
      fixed.filter((v) => v <= limit),
      random.filter((v) => v <= limit),
    ),
  );
  return ts.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a));
}

const wasm = loadWasm();
const kernels = wasm.kernels(new Set()).filter((kernel) => kernel.available);
const targets = [
  ...kernels.map(({ name }, n) => ({
    name: `wasm, ${name}`,
    engine: wasm,
    disabled: new Set(kernels.slice(0, n).map((kernel) => kernel.name)),
  })),
  { name: "portable", engine: loadPortable(), disabled: new Set() },
];

let leaks = 0;
for (const { name, engine, disabled } of targets) {
  for (const [secret, prepare] of Object.entries(OPERATIONS)) {
    const classes = measure(prepare(engine, disabled));
    const t = largestT(classes);
    if (Math.abs(t) > LIMIT) leaks++;
    const verdict = Math.abs(t) > LIMIT ? "DEPENDS ON THE SECRET" : "ok";
    console.log(
      `${name}: ${secret}: ${classes[0].length + classes[1].length} measurements, t = ${t.toFixed(2)}, ${verdict}`,
    );
  }
}
// The control: a comparison that stops at the first difference must be found, or the machine is too noisy for the test.
const reference = bytes(64);
const control = measure({
  fixed: reference.slice(),
  make: () => reference.map((byte, i) => (i === 0 ? byte ^ 1 : byte)),
  run: (secret) => secret.every((byte, i) => byte === reference[i]),
});
const found = Math.abs(largestT(control)) > LIMIT;
console.log(
  `control, a comparison that stops early: t = ${largestT(control).toFixed(2)}, ${found ? "found" : "NOT FOUND"}`,
);
process.exitCode = leaks > 0 || !found ? 1 : 0;
