#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// Lets the harness collect garbage between the timed parts, whatever flags Node was started with.
setFlagsFromString("--expose-gc");
globalThis.gc ??= runInNewContext("gc");

const { makeCommand } = await import("../dist/cli.js");
await makeCommand().parseAsync();
