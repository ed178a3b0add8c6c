/** Finds the addon: a package of its own for each platform, or the workspace's build. */
import { requireFromHere } from "#platform";
import { type Addon, INTERFACE, Mailbox } from "./mailbox.js";

/** Node's names of what the addon was built for. */
interface Platform {
  readonly platform: string;
  readonly arch: string;
}

/**
 * Where an addon for this platform may be, best first. Linux has one package per C library; npm installs the one that
 * fits, so no question about the C library needs an answer here.
 */
export function candidates({ platform, arch }: Platform): string[] {
  /* Node has one name for POWER of either byte order; under Linux it runs on the little-endian one only. */
  const cpu = platform === "linux" && arch === "ppc64" ? "ppc64le" : arch;
  const name = `@evariste/native-${platform}-${cpu}`;
  const packages = platform === "linux" ? [`${name}-gnu`, `${name}-musl`] : [name];
  return [...packages, `@evariste/native/build/evariste-${platform}-${arch}.node`];
}

/**
 * Loads the addon and its mailbox.
 *
 * @throws Error with the reason of each place where it was looked for
 */
export function loadAddon(): Mailbox {
  if (typeof process === "undefined") throw new Error("this runtime has no Node-API");
  const reasons: string[] = [];
  for (const id of candidates(process)) {
    try {
      const mailbox = new Mailbox(requireFromHere(id) as Addon);
      if (mailbox.interface === INTERFACE) return mailbox;
      reasons.push(`${id} has interface ${mailbox.interface}; ${INTERFACE} is needed`);
    } catch (error) {
      reasons.push(`${id}: ${firstLine(error)}`);
    }
  }
  throw new Error(`no addon for ${process.platform}-${process.arch} (${reasons.join("; ")})`);
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0];
}
