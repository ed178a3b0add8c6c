/** What runs on Node only. */
export { nodeSeal, randomMessages, runDifferential } from "./differential.js";
export { nodeCases } from "./memory.js";
