// Builds and runs the C tests: node scripts/test.mjs [plain|asan|fuzz|valgrind|models ...] [--seconds N]
// A mode whose tools are not here is skipped with the reason; the process fails when a mode fails, or with
// --strict when one is skipped. Its last line counts the modes.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  buildFolder,
  coreSources,
  findCompiler,
  flags,
  optimized,
  root,
  suite,
  works,
} from "./toolchain.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: "string", default: "20" }, strict: { type: "boolean", default: false } },
});

const libfuzzer = ["test/fuzz.c", "test/support.c"];
const constantTime = ["test/constant_time.c", "test/support.c"];

class Skip extends Error {}

function execute(program, args, options = {}) {
  const result = spawnSync(program, args, { cwd: root, stdio: "inherit", ...options });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`${program} ended with ${result.signal ?? result.status}`);
}

function compile(compiler, name, files, options) {
  const output = join(buildFolder, name);
  mkdirSync(buildFolder, { recursive: true });
  execute(compiler, [...flags, "-g", ...options, ...coreSources(), ...files, "-o", output]);
  return output;
}

function need(found, what) {
  if (!found) throw new Skip(`${what} is not here`);
  return found;
}

const clang = () =>
  need(
    ["clang", "clang-14"].find((name) => works(name)),
    "clang",
  );
const compiler = () => need(findCompiler(), "a C compiler");

let sanitized;

/** Time of the newest file of the C sources. */
function newestSource() {
  const files = readdirSync(join(root, "src"), { recursive: true });
  return Math.max(...files.map((file) => statSync(join(root, "src", file)).mtimeMs));
}

/** The kernels' objects under the sanitizers, kept while they are new: the woven loops take clang 20 seconds each. */
function sanitizedCore() {
  if (sanitized) return sanitized;
  const folder = join(buildFolder, "sanitized");
  mkdirSync(folder, { recursive: true });
  const options = ["-g", "-O1", "-fsanitize=fuzzer-no-link,address,undefined", "-fno-sanitize-recover=all"];
  const newest = newestSource();
  sanitized = coreSources().map((file) => {
    const object = join(folder, file.replaceAll(/[\\/]/g, "-").replace(/c$/, "o"));
    if (!existsSync(object) || statSync(object).mtimeMs < newest)
      execute(clang(), [...flags, ...options, "-c", file, "-o", object]);
    return object;
  });
  return sanitized;
}

function link(name, files, sanitizers) {
  const output = join(buildFolder, name);
  const options = ["-g", "-O1", `-fsanitize=${sanitizers}`, "-fno-sanitize-recover=all"];
  execute(clang(), [...flags, ...options, ...sanitizedCore(), ...files, "-o", output]);
  return output;
}

/** CPU models of qemu-user: nothing; SSE4 alone; AES-NI without AVX, and without one of its two halves; AVX2; VAES. */
const models = ["qemu64", "Nehalem", "Westmere", "Westmere,-pclmulqdq", "Westmere,-aes", "Haswell", "max"];

const modes = {
  plain() {
    execute(compile(compiler(), "test-plain", suite, optimized(compiler())), []);
  },
  asan() {
    execute(link("test-asan", suite, "address,undefined"), ["1100"]);
  },
  fuzz() {
    const program = link("test-fuzz", libfuzzer, "fuzzer,address,undefined");
    const corpus = mkdtempSync(join(tmpdir(), "evariste-corpus-"));
    try {
      const bounds = [
        `-max_total_time=${values.seconds}`,
        "-max_len=2000",
        "-len_control=0",
        "-print_final_stats=1",
      ];
      execute(program, [...bounds, "-verbosity=0", `-artifact_prefix=${buildFolder}/`, corpus]);
    } finally {
      rmSync(corpus, { recursive: true });
    }
  },
  valgrind() {
    need(works("valgrind"), "valgrind");
    need(existsSync("/usr/include/valgrind/memcheck.h"), "valgrind/memcheck.h");
    // Valgrind 3.19 cannot read the DWARF 5 that clang 14 writes.
    const options = [...optimized(compiler()), "-gdwarf-4", "-DEVARISTE_VALGRIND"];
    const program = compile(compiler(), "test-constant-time", constantTime, options);
    const memcheck = ["-q", "--error-exitcode=9", program];
    execute("valgrind", memcheck);
    const leak = spawnSync("valgrind", [...memcheck, "leak"], { stdio: "ignore" });
    if (leak.status !== 9) throw new Error("valgrind did not see the branch that was made on purpose");
  },
  models() {
    need(process.arch === "x64", "an x86-64 machine");
    need(works("qemu-x86_64"), "qemu-x86_64");
    const program = compile(compiler(), "test-models", suite, [...optimized(compiler()), "-static"]);
    for (const model of models) {
      console.log(`CPU model ${model}`);
      execute("qemu-x86_64", ["-cpu", model, program, "100"]);
    }
  },
};

const count = { passed: 0, failed: 0, skipped: 0 };
for (const name of positionals.length > 0 ? positionals : ["plain"]) {
  const start = Date.now();
  try {
    if (!Object.hasOwn(modes, name))
      throw new Error(`no such mode; there are ${Object.keys(modes).join(", ")}`);
    modes[name]();
    count.passed++;
    console.log(`passed  ${name} in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  } catch (error) {
    const verdict = error instanceof Skip ? "skipped" : "failed";
    count[verdict]++;
    console.log(`${verdict.padEnd(7)} ${name}: ${error.message}`);
  }
}
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed === 0 && !(values.strict && count.skipped > 0) ? 0 : 1);
