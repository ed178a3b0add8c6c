import { defineConfig } from "vitest/config";

// The condition under which the workspace's packages resolve to their TypeScript sources instead of their builds.
const conditions = ["evariste-source"];

const shared = { testTimeout: 240_000, globalSetup: ["scripts/wasm-module.mjs"] };

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { conditions },
        ssr: { resolve: { conditions } },
        test: {
          ...shared,
          name: "sources",
          include: [
            "packages/*/test/**/*.test.ts",
            "conformance/test/**/*.test.ts",
            "examples/*/test/**/*.test.ts",
          ],
          exclude: ["packages/*/test/built/**"],
        },
      },
      {
        // What starts workers: Node cannot start one from TypeScript.
        test: { ...shared, name: "build", include: ["packages/*/test/built/**/*.test.ts"] },
      },
    ],
  },
});
