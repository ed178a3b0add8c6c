import { fileURLToPath } from "node:url";
import type { EngineName } from "evariste";
import type { Operation } from "../contestants/shape.js";
import { type Sampler, score } from "../harness.js";
import { findJavas, type Java } from "../processes/find-java.js";
import { LineProcess } from "../processes/line-process.js";
import type { SuiteRecord } from "../results.js";
import {
  closingNotes,
  judge,
  type Suite,
  type SuiteOptions,
  sampleRow,
  sizeLabel,
  speedTable,
  usableEngines,
  type Wanted,
} from "./suite.js";

const SIZES = [16, 256, 1024, 4096, 16384, 2 ** 20];
const OPERATIONS: readonly Operation[] = ["encryptInto", "decryptInto"];
const NODE_CHILD = fileURLToPath(new URL("../processes/speed-child.js", import.meta.url));
const JAVA_PROGRAM = fileURLToPath(new URL("../../java/AesGcmBench.java", import.meta.url));

/** Time that a row runs in each process before it is measured; the server compiler is done well before. */
const WARMUP_MS = 1500;
const QUICK_WARMUP_MS = 500;

/** Least times Java 25's speed with AES-128, by engine and size. */
const TIMES_JAVA_25: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  native: { 16: 4, 256: 3, 1024: 2.2, 4096: 1.6, 16384: 1.2, [2 ** 20]: 1 },
  wasm: { 16: 1 },
};

/** A process in which every row can be measured. */
interface Contender {
  readonly name: string;
  readonly start: () => LineProcess;
}

/** This library in processes of its own against Java in others, which take turns within each round. */
export const java: Suite = {
  summary: "beside Java's Cipher.init and doFinal into a reused array, on every Java release found here",
  run: async (options) => {
    const { names, notes } = usableEngines(options.engines ?? ["native", "wasm", "openssl"]);
    const found = findJavas();
    notes.push(...found.notes);
    if (found.javas.length === 0) return { tables: [], records: [], notes };
    const contenders = [...names.map(nodeContender), ...found.javas.map(javaContender)];
    const forks: SuiteRecord[][] = [];
    for (let fork = 0; fork < options.forks; fork++) {
      forks.push(await oneFork(contenders, options, fork));
    }
    const wanted = names.flatMap((engine) => found.javas.map(({ major }) => ({ engine, major })));
    const records = forks[0].map((first, i) => {
      const all = forks.map((fork) => fork[i]);
      const size = Number(first.row.size);
      return merged(
        all,
        wanted.map(({ engine, major }) => target(engine, major, size, options.keyBits)),
      );
    });
    const tables = OPERATIONS.map((operation) =>
      speedTable(
        `AES-${options.keyBits}-GCM, ${operation}, a new IV each time`,
        "size",
        records.filter(({ row }) => row.operation === operation),
        sizeLabel,
      ),
    );
    return { tables, records, notes: [...notes, ...closingNotes(records)] };
  },
};

function nodeContender(engine: EngineName): Contender {
  return { name: engine, start: () => new LineProcess(engine, process.execPath, [NODE_CHILD, engine]) };
}

function javaContender({ major, path }: Java): Contender {
  const name = `Java ${major}`;
  return { name, start: () => new LineProcess(name, path, [JAVA_PROGRAM]) };
}

function target(engine: EngineName, major: number, size: number, keyBits: number): Wanted {
  const hasTarget = major === 25 && keyBits === 128;
  return {
    name: engine,
    baseline: `Java ${major}`,
    target: hasTarget ? TIMES_JAVA_25[engine]?.[size] : undefined,
  };
}

/** All rows, once, in new processes. */
async function oneFork(
  contenders: readonly Contender[],
  options: SuiteOptions,
  fork: number,
): Promise<SuiteRecord[]> {
  const warmup = options.quick ? QUICK_WARMUP_MS : WARMUP_MS;
  const roundMs = options.timing.roundMs ?? 20;
  const running = contenders.map(({ name, start }) => ({ name, process: start() }));
  try {
    const records: SuiteRecord[] = [];
    for (const operation of OPERATIONS) {
      for (const size of options.sizes ?? SIZES) {
        const row = `${operation} ${options.keyBits} ${size}`;
        const samplers: Sampler[] = running.map(({ name, process }) => ({
          name,
          bytes: size,
          sample: async () => Number(await process.ask(`${row} ${roundMs}`)),
        }));
        options.progress(`fork ${fork + 1}, ${operation}, ${size}: warming up`);
        for (const { process } of running) await process.ask(`${row} ${warmup}`);
        records.push(await sampleRow({ operation, size }, samplers, [], options));
      }
    }
    return records;
  } finally {
    for (const { process } of running) process.close();
  }
}

/** The samples of all forks of one row as one. */
export function merged(forks: readonly SuiteRecord[], wanted: readonly Wanted[]): SuiteRecord {
  const [{ row, scores }] = forks;
  const all = scores.map(({ name }, i) =>
    score(
      { name, bytes: Number(row.size) },
      forks.flatMap((fork) => fork.scores[i].samples),
    ),
  );
  return judge(row, all, wanted);
}
