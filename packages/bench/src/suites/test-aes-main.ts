import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { EngineName } from "evariste";
import type { SuiteRecord, Value } from "../results.js";
import { estimate } from "../statistics.js";
import { formatRatio, formatTime, type Table } from "../table.js";
import { PROPERTIES, type TestAesProperties, testAesProperties } from "../test-aes/properties.js";
import type { TestAesTimes } from "../test-aes/run.js";
import { ghashPairs, type Rung, rungsOf } from "./ladder.js";
import { BOTH_APART, GCTR_ONLY } from "./ladder-steps.js";
import { closingNotes, type Suite, type SuiteOptions, usableEngines, verdict } from "./suite.js";

const CHILD = fileURLToPath(new URL("../processes/test-aes-child.js", import.meta.url));

/** How much the GHASH kernel alone must give, and from which message size on; published were 10,000 bytes. */
const GHASH_TARGET = 4;
const GHASH_TARGET_FROM = 4096;

const HALVES = { encode: "TestAESEncode", decode: "TestAESDecode" } as const;

/**
 * The published runs had AES kernels throughout and compared the GHASH kernel off and on: so here too, and then what the
 * engine would choose. Engines without such steps run once.
 */
export const testAesMain: Suite = {
  summary:
    "OpenJDK's TestAESMain: 100,000 messages each way, the GHASH kernel off, on, and everything combined",
  properties: PROPERTIES,
  run: async (options) => {
    const properties = testAesProperties(options.defines);
    const { names, notes } = usableEngines(options.engines ?? ["native"]);
    const engines: readonly EngineName[] = names.length > 0 ? names : usableEngines().names;
    const runs = chosenRuns(rungsOf(engines));
    const times = new Map<string, TestAesTimes>();
    for (const run of runs) {
      options.print(`\n--- ${run.name} (${run.kernel})\n`);
      times.set(run.name, await runOnce(run, options));
    }
    const records = (["encode", "decode"] as const).map((half) => record(half, properties, runs, times));
    return { tables: [runTable(runs, records)], records, notes: [...notes, ...closingNotes(records)] };
  },
};

/** Of each engine: the GCTR kernel alone, the GHASH kernel with it, and the fastest; or the one thing that it has. */
export function chosenRuns(rungs: readonly Rung[]): Rung[] {
  return rungs.filter(({ name, engine }) => {
    const own = rungs.filter((rung) => rung.engine === engine);
    return [`${engine}: ${GCTR_ONLY}`, `${engine}: ${BOTH_APART}`, own.at(-1)?.name].includes(name);
  });
}

async function runOnce({ name, engine, disable }: Rung, options: SuiteOptions): Promise<TestAesTimes> {
  options.progress(name);
  const defines = JSON.stringify(Object.fromEntries(options.defines));
  // For the whole process, as the JVM's flags are: a key that is told so takes some microseconds more to make.
  const off = [process.env.EVARISTE_DISABLE ?? "", ...disable].filter((item) => item !== "");
  const child = spawn(process.execPath, [CHILD, defines, JSON.stringify({ engine })], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, EVARISTE_DISABLE: off.join(",") },
  });
  const closed = once(child, "close");
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    options.print(line);
  }
  const [code] = await closed;
  if (code !== 0) throw new Error(`${name} ended with code ${code}`);
  return { encode: runtimeOf(lines, HALVES.encode), decode: runtimeOf(lines, HALVES.decode) };
}

/** The milliseconds in a half's last line. */
export function runtimeOf(lines: readonly string[], half: string): number {
  const found = lines
    .map((line) => new RegExp(`^${half} runtime was (\\S+) ms$`).exec(line)?.[1])
    .find(Boolean);
  if (found === undefined) throw new Error(`${half} printed no runtime`);
  return Number(found);
}

function record(
  half: keyof typeof HALVES,
  { msgSize, keySize }: TestAesProperties,
  runs: readonly Rung[],
  times: ReadonlyMap<string, TestAesTimes>,
): SuiteRecord {
  const time = (name: string) => times.get(name)![half];
  const values = runs.map(({ name }): Value => ({ name, value: time(name), unit: "ms" }));
  const target = msgSize >= GHASH_TARGET_FROM ? GHASH_TARGET : undefined;
  const verdicts = ghashPairs(runs).map(({ name, baseline }) =>
    verdict(name, baseline, estimate([time(baseline) / time(name)]), target),
  );
  return { row: { operation: HALVES[half], size: msgSize, keyBits: keySize }, scores: [], verdicts, values };
}

function runTable(runs: readonly Rung[], records: readonly SuiteRecord[]): Table {
  const value = ({ values = [] }: SuiteRecord, name: string) =>
    values.find((one) => one.name === name)!.value;
  const first = runs[0]?.name;
  return {
    title: "TestAESMain",
    columns: [
      "run",
      "kernels",
      ...records.map(({ row }) => String(row.operation)),
      ...records.map(({ row }) => `${row.operation}, times the first`),
    ],
    rows: runs.map(({ name, kernel }) => [
      name,
      kernel,
      ...records.map((one) => formatTime(value(one, name) * 1e6)),
      ...records.map((one) => (name === first ? "" : formatRatio(value(one, first) / value(one, name)))),
    ]),
  };
}
