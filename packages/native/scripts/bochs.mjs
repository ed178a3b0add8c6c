// Runs the C test on the CPUs of Bochs, which has the instructions that QEMU and perhaps this machine lack: VAES,
// VPCLMULQDQ and AVX-512. Bochs emulates a whole machine, so the test is booted by itself (test/boot).
import { spawnSync } from "node:child_process";
import { existsSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { coreSources, flags, root, suite, works } from "./toolchain.mjs";

const roms = {
  romimage: "/usr/share/bochs/BIOS-bochs-latest",
  vgaromimage: "/usr/share/bochs/VGABIOS-lgpl-latest",
};

/** Seconds after which a boot has failed; one takes about 25 on an idle machine. */
const PATIENCE = 900;

/** 16 heads of 63 sectors: the disk's size must be a multiple of this. */
const CYLINDER = 16 * 63 * 512;

const freestanding = [
  "-O2",
  "-ffreestanding",
  "-fno-pic",
  "-fno-stack-protector",
  "-fcf-protection=none",
  "-mno-red-zone",
  "-fno-asynchronous-unwind-tables",
  "-U_FORTIFY_SOURCE",
];
const link = ["-nostdlib", "-static", "-no-pie", "-Wl,--build-id=none,-z,noexecstack,-T,test/boot/boot.ld"];

/** What is missing to run Bochs here. */
function lacking(compiler) {
  if (!works(compiler)) return `${compiler} is not installed`;
  if (!works("objcopy")) return "objcopy is not installed";
  if (!works("bochs", ["--help"])) return "bochs is not installed";
  const absent = Object.values(roms).filter((file) => !existsSync(file));
  return absent.length > 0 ? `${absent.join(", ")} not found` : undefined;
}

/** Bochs draws its screen for a VNC client that never comes: the one display that needs no display. */
function configuration(model, disk, log) {
  return [
    `cpu: model=${model}, ips=50000000`,
    "memory: guest=128, host=128",
    ...Object.entries(roms).map(([name, file]) => `${name}: file=${file}`),
    `ata0-master: type=disk, path=${disk}, mode=flat, cylinders=1, heads=16, spt=63`,
    "boot: disk",
    'display_library: rfb, options="timeout=0"',
    "sound: driver=dummy, waveoutdrv=dummy",
    "port_e9_hack: enabled=1",
    `log: ${log}`,
    "panic: action=fatal",
    "error: action=ignore",
    "info: action=ignore",
    "clock: sync=none",
    "",
  ].join("\n");
}

/** Makes the disk of the test; `options` are definitions for runtime.c. */
function makeDisk(compiler, folder, name, options) {
  const program = join(folder, `${name}.elf`);
  const disk = join(folder, `${name}.raw`);
  const sources = [...coreSources("x64"), ...suite, "test/boot/runtime.c", "test/boot/boot.S"];
  for (const [tool, args] of [
    [compiler, [...flags, ...freestanding, ...options, ...link, ...sources, "-o", program]],
    ["objcopy", ["-O", "binary", program, disk]],
  ]) {
    const { status, stderr } = spawnSync(tool, args, { cwd: root, encoding: "utf8" });
    if (status !== 0) throw new Error(`${tool} failed:\n${stderr}`);
  }
  truncateSync(disk, CYLINDER);
  return disk;
}

/**
 * Boots the test once for each entry of `boots` (see machines.mjs) and hands title, expected choice, output and failure
 * to `report`. Returns the reason when it cannot be done here.
 */
export function bootUnderBochs(folder, boots, report) {
  const compiler = "x86_64-linux-gnu-gcc";
  const reason = lacking(compiler);
  if (reason) return reason;
  for (const { cpu, saved, chosen, limit } of boots) {
    const title = `x86_64 (bochs ${cpu}, XCR0 ${saved})`;
    const name = `boot-${cpu}-${saved}`;
    const disk = makeDisk(compiler, folder, name, [`-DBOOT_XCR0=${saved}`, `-DBOOT_LIMIT="${limit}"`]);
    const config = join(folder, `${name}.bochsrc`);
    const commands = join(folder, "bochs-commands");
    writeFileSync(config, configuration(cpu, disk, join(folder, `${name}.log`)));
    /* Debian's Bochs has a debugger, which waits for this before the first instruction. */
    writeFileSync(commands, "continue\nquit\n");
    const { stdout, error } = spawnSync("bochs", ["-q", "-f", config, "-rc", commands], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      timeout: PATIENCE * 1000,
    });
    /* Bochs's own exit code is 1 also when the test asked for the end. */
    const failure = /^exit 0\r?$/m.test(stdout) ? undefined : `${error ?? "did not succeed"}\n${stdout}`;
    report(title, chosen, stdout, failure);
  }
  return undefined;
}
