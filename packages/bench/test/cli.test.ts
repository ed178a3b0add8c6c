import { describe, expect, it } from "vitest";
import { makeCommand, parseDefine, parseSizes } from "../src/cli.js";

async function refused(...args: string[]): Promise<string> {
  let complaint = "";
  const command = makeCommand()
    .exitOverride()
    .configureOutput({ writeErr: (text) => (complaint += text) });
  await expect(command.parseAsync(args, { from: "user" })).rejects.toThrow();
  return complaint;
}

describe("arguments that are refused", () => {
  it.each([
    [[], /missing required argument 'suite'/],
    [["fast"], /Allowed choices are sizes, test-aes-main, aesgcm-bytebuffer/],
    [["sizes", "--key-bits", "64"], /Allowed choices are 128, 192, 256/],
    [["sizes", "--sizes", "16,x"], /x is not a size like 16, 1k or 8m/],
    [["sizes", "--sizes", "-1"], /not a size/],
    [["sizes", "--engines", "fpga"], /fpga is not an engine; there are native, openssl, wasm, portable/],
    [["sizes", "--rounds", "0"], /A whole number from 1 on/],
    [["sizes", "--quick", "--full"], /'--quick' cannot be used with option '--full'/],
    [["test-aes-main", "-D", "mode"], /mode is not of the form name=value/],
    [["sizes", "-Dmode=GCM"], /mode is not a property; these suites have no properties/],
    [["test-aes-main", "-D", "msgsize=1"], /msgsize is not a property; there are algorithm, mode/],
    [["test-aes-main", "-DmsgSize=-1"], /msgSize is -1; allowed: a number of bytes/],
    [["aesgcm-bytebuffer", "-Dset=big"], /set is big; allowed are full and small/],
    [["sizes", "--colour"], /unknown option '--colour'/],
  ])("%j", async (args, message) => expect(await refused(...args)).toMatch(message));
});

it("sizes have units, an order, and no repetition", () => {
  expect(parseSizes("8M, 16,1k,1024,2g")).toEqual([16, 1024, 8 * 2 ** 20, 2 * 2 ** 30]);
});

describe("-D", () => {
  it("collects names and values, the last of a name", () => {
    const first = parseDefine("mode=GCM");
    expect([...parseDefine("msgSize=10=0", first)]).toEqual([
      ["mode", "GCM"],
      ["msgSize", "10=0"],
    ]);
    expect([...parseDefine("mode=", first)]).toEqual([["mode", ""]]);
  });
});

it("the help lists every suite with what it is", () => {
  let help = "";
  makeCommand()
    .configureOutput({ writeOut: (text) => (help += text) })
    .outputHelp();
  for (const name of ["sizes", "ladder", "java", "first-call", "file", "aesgcm-bytebuffer", "msgSize", "set"])
    expect(help).toMatch(new RegExp(`^  ${name} +\\w`, "m"));
});
