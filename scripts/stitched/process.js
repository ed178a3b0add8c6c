/** `measure.js` in Node, Deno or Bun: takes options as JSON, prints results as JSON. */
import { measure } from "./measure.js";

const collect = globalThis.gc ?? globalThis.Bun?.gc.bind(undefined, true) ?? (() => {});
console.log(JSON.stringify(await measure(JSON.parse(process.argv[2]), collect)));
