/** A screen in memory, for browsers that have no headless mode. */
import { spawn } from "node:child_process";
import { once } from "node:events";

/** The X server that draws into memory. */
export const SCREEN_COMMAND = "Xvfb";

/** @returns {Promise<{ environment: object, close(): void }>} what programs need to find it */
export async function openScreen() {
  // It chooses a free display and writes its number to descriptor 3.
  const server = spawn(SCREEN_COMMAND, ["-displayfd", "3", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const died = once(server, "exit").then(() => {
    throw new Error(`${SCREEN_COMMAND} ended at once`);
  });
  died.catch(() => {});
  const [number] = await Promise.race([once(server.stdio[3], "data"), died]);
  return {
    environment: { DISPLAY: `:${String(number).trim()}`, GDK_BACKEND: "x11" },
    // Not SIGKILL: it removes its lock.
    close: () => server.kill(),
  };
}
