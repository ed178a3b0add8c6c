import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Sampler } from "../harness.js";
import { measuredRun } from "../processes/measured-run.js";
import type { SuiteRecord } from "../results.js";
import { formatMegabytes, formatRatio, formatSize, formatTime, type Table } from "../table.js";
import { closingNotes, type Suite, type SuiteOptions, sampleRow } from "./suite.js";

const COMMAND = fileURLToPath(new URL("../../../cli/bin/evariste.js", import.meta.url));
const BARE_LOOP = fileURLToPath(new URL("../processes/bare-loop-child.js", import.meta.url));

const FULL_SIZE = 2 ** 31;
const QUICK_SIZE = 2 ** 28;
const ROUNDS = 5;

/** Least part of the bare loop's speed, and most memory in bytes. */
const SPEED_TARGET = 0.7;
const MEMORY_TARGET = 150e6;

/** Bytes of the range that `cat` reads from the middle, and how long it may take beyond start-up, in nanoseconds. */
const RANGE = 2 ** 20;
const RANGE_TARGET = 100e6;

/** The command on a big file, beside the least that node:crypto needs. */
export const file: Suite = {
  summary: "the evariste command on a big file, beside a bare node:crypto loop over 16 KiB: speed and memory",
  run: async (options) => {
    if (!existsSync(COMMAND))
      return { tables: [], records: [], notes: [`there is no command at ${COMMAND}`] };
    const folder = mkdtempSync(join(tmpdir(), "evariste-bench-"));
    try {
      return await measureFiles(folder, options);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function measureFiles(folder: string, options: SuiteOptions) {
  const size = options.sizes?.[0] ?? (options.quick ? QUICK_SIZE : FULL_SIZE);
  const input = join(folder, "input");
  const key = join(folder, "key");
  const sealed = join(folder, "sealed.evr");
  options.progress(`writing a file of ${formatSize(size)}`);
  await makeFile(input, size);
  writeFileSync(key, randomBytes(32), { mode: 0o600 });

  const programs = new Map<string, readonly string[]>([
    ["evariste encrypt", [COMMAND, "encrypt", "--quiet", "--force", "-k", key, "-o", sealed, input]],
    ["bare loop, one message", [BARE_LOOP, "whole", input, join(folder, "whole")]],
    ["bare loop, a tag per chunk", [BARE_LOOP, "chunks", input, join(folder, "chunks")]],
    // Last in the first round too: it needs what encrypt wrote.
    [
      "evariste decrypt",
      [COMMAND, "decrypt", "--quiet", "--force", "-k", key, "-o", join(folder, "plain"), sealed],
    ],
  ]);
  const memory = new Map<string, number>();
  const samplers = [...programs].map(
    ([name, args]): Sampler => ({ name, bytes: size, sample: run(name, args, memory) }),
  );
  // Warms the page cache, and leaves a sealed file for the decryption.
  for (const { sample } of samplers) await sample();

  const rounds = Math.min(options.timing.rounds ?? ROUNDS, ROUNDS);
  const record = await sampleRow(
    { size },
    samplers,
    [
      { name: "evariste encrypt", baseline: "bare loop, one message", target: SPEED_TARGET },
      { name: "evariste encrypt", baseline: "bare loop, a tag per chunk" },
      { name: "evariste decrypt", baseline: "bare loop, one message" },
    ],
    { ...options, timing: { ...options.timing, rounds } },
  );
  const range = await measureRange(key, sealed, size, memory, options);
  const records = [record, range];
  return {
    tables: [fileTable(size, record, memory)],
    records,
    notes: [...limits(memory, range), ...closingNotes(records)],
  };
}

function run(name: string, args: readonly string[], memory: Map<string, number>): Sampler["sample"] {
  return async () => {
    const { nanoseconds, peakMemory } = await measuredRun(args);
    memory.set(name, Math.max(peakMemory, memory.get(name) ?? 0));
    return nanoseconds;
  };
}

/** `cat` of 1 MiB from the middle, beside a call that only starts up. */
function measureRange(
  key: string,
  sealed: string,
  size: number,
  memory: Map<string, number>,
  options: SuiteOptions,
): Promise<SuiteRecord> {
  const from = Math.floor(size / 2) - RANGE / 2;
  const programs = new Map<string, readonly string[]>([
    ["cat --range", [COMMAND, "cat", "-k", key, "--range", `${from}-${from + RANGE - 1}`, sealed]],
    ["start-up", [COMMAND, "--version"]],
  ]);
  const samplers = [...programs].map(([name, args]): Sampler => ({ name, sample: run(name, args, memory) }));
  return sampleRow({ range: RANGE }, samplers, [], options);
}

function limits(memory: ReadonlyMap<string, number>, range: SuiteRecord): string[] {
  const word = (reached: boolean) => `target ${reached ? "reached" : "missed"}:`;
  const [cat, startUp] = range.scores.map(({ nanoseconds }) => nanoseconds.median);
  const peaks = [...memory].filter(([name]) => name.startsWith("evariste"));
  return [
    ...peaks.map(
      ([name, peak]) =>
        `${word(peak < MEMORY_TARGET)} ${name} holds at most ${formatMegabytes(peak / 1e6)} MB, target ${MEMORY_TARGET / 1e6} MB`,
    ),
    `${word(cat - startUp < RANGE_TARGET)} cat of ${formatSize(RANGE)} from the middle takes ${formatTime(cat - startUp)} beyond start-up (${formatTime(startUp)}), target ${formatTime(RANGE_TARGET)}`,
  ];
}

function fileTable(
  size: number,
  { scores, verdicts }: SuiteRecord,
  memory: ReadonlyMap<string, number>,
): Table {
  return {
    title: `A file of ${formatSize(size)}, AES-256`,
    columns: ["program", "time", "MB/s", "peak memory", "times the bare loop"],
    rows: scores.map(({ name, nanoseconds, megabytesPerSecond = Number.NaN }) => {
      const found = verdicts.find((one) => one.name === name && one.baseline === "bare loop, one message");
      return [
        name,
        formatTime(nanoseconds.median),
        formatMegabytes(megabytesPerSecond),
        `${formatMegabytes((memory.get(name) ?? Number.NaN) / 1e6)} MB`,
        found === undefined ? "" : formatRatio(found.ratio.median),
      ];
    }),
  };
}

async function makeFile(path: string, size: number): Promise<void> {
  const piece = randomBytes(2 ** 20);
  const handle = await open(path, "w");
  try {
    for (let written = 0; written < size; written += piece.length) {
      await handle.write(piece.subarray(0, Math.min(piece.length, size - written)));
    }
  } finally {
    await handle.close();
  }
}
