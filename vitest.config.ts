import { defineConfig } from "vitest/config";

// The condition under which the workspace's packages resolve to their TypeScript sources instead of their builds.
const conditions = ["evariste-source"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "conformance/test/**/*.test.ts"],
    globalSetup: ["scripts/wasm-module.mjs"],
    testTimeout: 240_000,
  },
});
