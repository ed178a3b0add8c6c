import { defineConfig } from "vitest/config";

// Tests run on the sources, without a build.
const conditions = ["evariste-source", "node", "import", "module", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { include: ["packages/*/test/**/*.test.ts", "conformance/**/*.test.ts"] },
});
