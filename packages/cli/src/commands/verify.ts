/** `evariste verify`. */
import { say } from "../console.js";
import { printable } from "../errors.js";
import { DASH, forEachItem, withSource } from "../messages.js";
import { type CipherArguments, displayName, openingOptions, withKey } from "../options.js";
import { findInputs, OPENED_NAMES } from "../plan.js";
import { progressFor } from "../progress.js";
import { pump } from "../pump.js";
import { NOWHERE } from "../sinks.js";
import { OPEN_PIECE, opening } from "../transforms.js";

/**
 * Verifies every input, and says so on standard output.
 *
 * @returns exit code
 */
export function verify(given: readonly string[], options: CipherArguments): Promise<number> {
  const inputs = given.length === 0 ? [DASH] : given;
  const quiet = options.quiet === true;
  return withKey(options, (key) =>
    forEachItem(findInputs(inputs, OPENED_NAMES.wanted, quiet), async (found) => {
      if ("failure" in found) throw found.failure;
      const length = await verifyOne(found.path, key, options);
      const name = printable(displayName(found.path));
      if (!quiet) await say(`${name}: authentic, ${length} bytes of plaintext\n`);
    }),
  );
}

function verifyOne(input: string, key: Uint8Array, options: CipherArguments): Promise<number> {
  return withSource(input, OPEN_PIECE, async (source) => {
    const progress = progressFor(source.name, source.size, options.quiet === true);
    try {
      return await pump(
        source,
        await opening(source, openingOptions(key, options, input)),
        NOWHERE,
        progress,
      );
    } finally {
      progress.stop();
    }
  });
}
