#!/usr/bin/env node
import { runBench } from "../dist/command.js";

process.exitCode = await runBench(process.argv.slice(2));
