/**
 * What the library adds to a web page, minified and after gzip. Fails when one grows beyond its limit. Needs `npm run build`.
 * `npm run bench -- bundle-size` shows the other entry points and packages beside it.
 */
import { bundleSize } from "../packages/bench/dist/bundle.js";
import { BUNDLES } from "../packages/bench/dist/suites/bundle-size.js";

/** Limits in bytes after gzip, a little above what was last measured. */
const LIMITS = {
  "AesGcm, wasm and portable": 20_250,
  "AesGcm, portable alone": 9_700,
  "everything of evariste": 22_150,
};

for (const [name, limit] of Object.entries(LIMITS)) {
  const { minified, gzipped } = await bundleSize(BUNDLES.find((bundle) => bundle.name === name));
  const fits = gzipped <= limit;
  if (!fits) process.exitCode = 1;
  console.log(
    `${fits ? "ok    " : "FAILED"} ${name}: ${minified} bytes minified, ${gzipped} gzipped (limit ${limit})`,
  );
}
