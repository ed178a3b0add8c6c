/** A screen in memory, for browsers that have no headless mode. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";

/** The X server that draws into memory. */
export const SCREEN_COMMAND = "Xvfb";

/** A screen that is open. */
export interface Screen {
  /** What programs need to find it. */
  readonly environment: Readonly<Record<string, string>>;
  close(): void;
}

/** @throws Error when the server cannot be started */
export async function openScreen(): Promise<Screen> {
  // It chooses a free display and writes its number to descriptor 3.
  const server = spawn(SCREEN_COMMAND, ["-displayfd", "3", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const died = once(server, "exit").then(() => {
    throw new Error(`${SCREEN_COMMAND} ended at once`);
  });
  died.catch(() => {});
  const [number] = await Promise.race([once(server.stdio[3] as Readable, "data"), died]);
  return {
    environment: { DISPLAY: `:${String(number).trim()}`, GDK_BACKEND: "x11" },
    // Not SIGKILL: it removes its lock.
    close: () => server.kill(),
  };
}
