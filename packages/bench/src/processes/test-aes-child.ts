/**
 * TestAESMain in a new process, as each run of the original is. Arguments: the properties that are not as by default, and
 * the options of `AesGcm`, both as JSON objects. Prints the original's lines.
 */
import type { AesGcmOptions } from "evariste";
import { testAesProperties } from "../test-aes/properties.js";
import { runTestAes } from "../test-aes/run.js";

const defines = new Map(Object.entries(JSON.parse(process.argv[2]) as Record<string, string>));
const options = JSON.parse(process.argv[3]) as AesGcmOptions;
runTestAes(testAesProperties(defines), options, (line) => console.log(line));
