/** What runs on Node only. */
export { nodeSeal, randomMessages } from "./differential.js";
export { nodeCases } from "./memory.js";
