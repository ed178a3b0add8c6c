// Runs the C test on machines that this one is not: other architectures and lesser CPUs under QEMU's user mode, and the
// x86-64 kernels of 256 and 512 bits over 128-bit instructions (test/emulate/wide.h). What is not installed is skipped
// and named; a wrong answer, or another choice of kernels than machines.mjs says, fails.
//   node scripts/emulate.mjs             everything
//   node scripts/emulate.mjs aarch64     what has "aarch64" in its name
//   node scripts/emulate.mjs --avx512    the x86-64 kernels on Bochs's CPUs with AVX-512, see bochs.mjs
//   --strict                             fails when anything is skipped
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { bootUnderBochs } from "./bochs.mjs";
import { boots, machines, subsets, widest } from "./machines.mjs";
import {
  buildFolder,
  coreSources,
  findCompiler,
  flags,
  root,
  sourcesIn,
  suite,
  works,
} from "./toolchain.mjs";

const folder = join(buildFolder, "emulate");
const skipped = [];
let passed = 0;
let failures = 0;

function compile(compiler, output, sources) {
  const result = spawnSync(compiler, [...flags, "-O2", "-static", ...sources, "-o", output], {
    cwd: root,
    encoding: "utf8",
  });
  if (result.status === 0) return true;
  console.error(`${compiler} failed:\n${result.stderr}`);
  failures++;
  return false;
}

/** Runs the C test and compares its choice of kernels with the expected one. */
async function check(title, program, args, chosen) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let errors = "";
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (errors += data));
  const status = await new Promise((resolve) => child.on("close", (code, signal) => resolve(signal ?? code)));
  verdict(title, chosen, output, status === 0 ? undefined : `ended with ${status}\n${output}${errors}`);
}

/** One line for each kernel that ran, or the failure. */
function verdict(title, chosen, output, failure) {
  const runs = [...output.matchAll(/^ok (\S+)\r?$/gm)].map((match) => match[1]);
  const problem =
    failure ??
    (runs[0] === chosen ? undefined : `chose ${runs[0]} instead of ${chosen}`) ??
    (/all as the model/.test(output) ? undefined : `did not finish:\n${output}`);
  if (problem) {
    failures++;
    console.error(`FAILED  ${title}: ${problem}`);
    return;
  }
  passed++;
  console.log(`${title}: chose ${runs[0]}`);
  for (const kernel of new Set(runs.flatMap((run) => run.split("/"))))
    if (kernel !== "apart") console.log(`  ok  ${title}  ${kernel}`);
}

function missing(...tools) {
  return tools.filter((tool) => !works(tool)).map((tool) => `${tool} is not installed`);
}

/** Compiles for one machine; returns its runs as functions. */
function prepare(machine) {
  const lacking = missing(machine.compiler, machine.emulator);
  if (lacking.length > 0) {
    skipped.push(`${machine.name}: ${lacking.join(", ")}`);
    return [];
  }
  const program = join(folder, `test-${machine.name}`);
  if (!compile(machine.compiler, program, [...coreSources(machine.arch), ...suite])) return [];
  return machine.cpus.map(({ cpu, chosen, limit, only }) => () => {
    const title = `${machine.name} (${machine.emulator}${cpu ? ` -cpu ${cpu}` : ""})`;
    const args = [...(cpu ? ["-cpu", cpu] : []), program, String(limit), ...(only ? ["1"] : [])];
    return check(title, machine.emulator, args, chosen);
  });
}

/** The wide kernels over 128-bit instructions; needs an x86-64 CPU of this century's second decade. */
function prepareWide() {
  const title = "x86_64 wide kernels over 128-bit instructions (wide.h)";
  const compiler = findCompiler();
  if (process.arch !== "x64" || !compiler) {
    skipped.push(`${title}: ${compiler ? `this machine is ${process.arch}` : "no C compiler"}`);
    return [];
  }
  const replaced = ["arch.c", "gcm_vaes_avx2.c", "gcm_vaes_avx512.c"];
  const core = coreSources("x64").filter(
    (file) => !replaced.some((name) => file.endsWith(join("x86_64", name))),
  );
  const program = join(folder, "test-wide");
  const sources = [...core, ...sourcesIn(join("test", "emulate")), ...suite];
  if (!compile(compiler, program, sources)) return [];
  return [() => check(title, program, ["4096"], widest)];
}

async function runAll(jobs) {
  const worker = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) await job();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

mkdirSync(folder, { recursive: true });
const options = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const [wanted = ""] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
if (options.includes("--avx512")) {
  const reason = bootUnderBochs(folder, boots, verdict);
  if (reason) skipped.push(`the wide kernels under Bochs: ${reason}`);
} else {
  const named = [...machines, subsets].filter((machine) => machine.name.includes(wanted));
  await runAll([...("x86_64 wide".includes(wanted) ? prepareWide() : []), ...named.flatMap(prepare)]);
}
for (const line of skipped) console.log(`skipped  ${line}`);
console.log(`${passed} passed, ${failures} failed, ${skipped.length} skipped`);
process.exit(failures === 0 && !(options.includes("--strict") && skipped.length > 0) ? 0 : 1);
