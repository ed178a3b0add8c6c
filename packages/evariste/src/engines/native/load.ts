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
 * @throws Error whose message is a sentence, then a line for each place where it was looked for
 */
export function loadAddon(): Mailbox {
  if (typeof process === "undefined") throw new Error("this runtime has no Node-API");
  const tried: string[] = [];
  let found = false;
  for (const id of candidates(process)) {
    try {
      const mailbox = new Mailbox(requireFromHere(id) as Addon);
      if (mailbox.interface === INTERFACE) return mailbox;
      found = true;
      tried.push(`${id}: its interface is ${mailbox.interface}; ${INTERFACE} is needed`);
    } catch (error) {
      const absent = isAbsent(error, id);
      found ||= !absent;
      tried.push(`${id}: ${absent ? "not installed" : firstLine(error)}`);
    }
  }
  const lacking = found ? "works" : "is installed";
  throw new Error(`no addon for ${process.platform}-${process.arch} ${lacking}\n${tried.join("\n")}`);
}

/** Tells a package that is not there from one that is broken. */
function isAbsent(error: unknown, id: string): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return code === "MODULE_NOT_FOUND" && String(message).includes(id);
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0];
}
