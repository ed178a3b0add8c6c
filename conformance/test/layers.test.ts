import { describe, expect, it } from "vitest";
import { faultsOf } from "../../scripts/check-layers.mjs";

const src = "packages/evariste/src";

describe("check-layers", () => {
  it.each([
    [`${src}/gcm/counter.ts`, "../engines/engine.js", "up from gcm to engines"],
    [`${src}/engines/select.ts`, "../aes-gcm.js", "up from engines to aes-gcm"],
    [`${src}/engines/portable/key.ts`, "../../views.js", "up from engines to aes-gcm"],
    [`${src}/aes-gcm.ts`, "./chunked/index.js", "up from aes-gcm to formats"],
    [`${src}/sealer.ts`, "./index.js", "up from aes-gcm to face"],
    [`${src}/chunked/seal.ts`, "evariste", "up from formats to face"],
    [`${src}/chunked/seal.ts`, "../../../cli/src/main.js", "up from formats to tools"],
    [`${src}/engines/wasm/key.ts`, "../portable/aes.js", "from the wasm engine into portable"],
  ])("refuses that %s imports %s", (path, specifier, fault) => {
    for (const line of [
      `import { x } from "${specifier}";`,
      `import '${specifier}';`,
      `export * from "${specifier}";`,
      `const x = await import("${specifier}");`,
      `import {\n  x,\n} from "${specifier}";`,
    ]) {
      expect(faultsOf(path, line), line).toEqual([expect.stringContaining(fault)]);
    }
  });

  it.each([
    [`${src}/aes-gcm.ts`, "./engines/engine.js"],
    [`${src}/aes-gcm.ts`, "node:crypto"],
    [`${src}/engines/select.ts`, "./portable/index.js"],
    [`${src}/engines/portable/key.ts`, "../engine.js"],
    [`${src}/engines/openssl/key.ts`, "#platform"],
    [`${src}/parallel/index.ts`, "../aes-gcm.js"],
    [`${src}/index.ts`, "./aes-gcm.js"],
    ["packages/cli/src/main.ts", "evariste/chunked"],
    ["conformance/src/targets.ts", "../../packages/cli/src/main.js"],
    ["packages/evariste/test/x.test.ts", "../src/index.js"],
  ])("allows that %s imports %s", (path, specifier) => {
    expect(faultsOf(path, `import { x } from "${specifier}";`)).toEqual([]);
  });

  it("does not read comments", () => {
    const source = '/** @example\n * import { AesGcm } from "evariste";\n */\n// import "evariste";\n';
    expect(faultsOf(`${src}/aes-gcm.ts`, source)).toEqual([]);
  });
});
