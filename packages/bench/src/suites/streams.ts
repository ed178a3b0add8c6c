import type { Operation } from "../contestants/shape.js";
import { STREAMS } from "../contestants/table.js";
import { contenders, forkRow, measureField } from "./forked.js";
import { type Suite, sizeLabel, speedTable } from "./suite.js";

const OPERATIONS: readonly Operation[] = ["encryptStream", "decryptStream"];
const QUICK = [2 ** 20, 2 ** 24];
const DEFAULT = [2 ** 20, 2 ** 24, 2 ** 26];
const BASELINE = "node:crypto loop";

/** At least, in milliseconds: encrypt-web-streams takes 750 for 16 MiB. */
const LIMIT_MS = 3000;

/** encrypt-web-streams has no other. */
const KEY_BITS = 256;

/** Messages in pieces of 64 KiB through Web streams, beside a loop without streams. */
export const streams: Suite = {
  summary:
    "Web streams of this library, StitchedGcm and chunked, beside a node:crypto loop and encrypt-web-streams",
  run: async (options) => {
    const field = await contenders({ specs: STREAMS });
    const wanted = STREAMS.filter(({ name }) => name !== BASELINE).map(({ name }) => ({
      name,
      baseline: BASELINE,
    }));
    const rows = OPERATIONS.flatMap((operation) =>
      (options.sizes ?? (options.quick ? QUICK : DEFAULT)).map((size) =>
        forkRow({ operation, size, keyBits: KEY_BITS }, wanted),
      ),
    );
    const limitMs = Math.max(options.forking.limitMs, LIMIT_MS);
    const forking = { ...options.forking, limitMs };
    const { records, notes } = await measureField(rows, field, { ...options, forking });
    const tables = OPERATIONS.map((operation) =>
      speedTable(
        `AES-${KEY_BITS}-GCM, ${operation}, pieces of 64 KiB`,
        "size",
        records.filter(({ row }) => row.operation === operation),
        sizeLabel,
      ),
    );
    return { tables, records, notes };
  },
};
