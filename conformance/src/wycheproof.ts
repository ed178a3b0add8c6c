/** Wycheproof's AES-GCM and GMAC tests: the shape of the files, and the run of one test. */
import { AuthenticationError } from "evariste";
import type { Target } from "./case.js";
import { openPieces, sealPieces } from "./cases/common.js";
import { allBytes, concat, equalBytes, fromHex, throws } from "./check.js";

/** A test of `aes_gcm_test.json` (schema aead_test_schema_v1) or `aes_gmac_test.json` (mac_with_iv_test_schema_v1). */
export interface WycheproofTest {
  readonly tcId: number;
  readonly comment: string;
  readonly flags: readonly string[];
  readonly key: string;
  readonly iv: string;
  /** Absent in GMAC tests. */
  readonly aad?: string;
  readonly msg: string;
  /** Absent in GMAC tests. */
  readonly ct?: string;
  readonly tag: string;
  readonly result: "valid" | "invalid" | "acceptable";
}

/** A whole file. */
export interface WycheproofFile {
  readonly algorithm: "AES-GCM" | "AES-GMAC";
  readonly numberOfTests: number;
  readonly testGroups: readonly {
    readonly ivSize: number;
    readonly keySize: number;
    readonly tagSize: number;
    readonly tests: readonly WycheproofTest[];
  }[];
}

/** A test with its tag length in bytes and, for GMAC, its message moved to where GCM has it: the AAD. */
export interface GcmTest {
  readonly name: string;
  readonly valid: boolean;
  readonly zeroLengthIv: boolean;
  readonly tagLength: number;
  readonly key: Uint8Array;
  readonly iv: Uint8Array;
  readonly aad: Uint8Array;
  readonly plaintext: Uint8Array;
  readonly ciphertext: Uint8Array;
  readonly tag: Uint8Array;
}

/** @throws Error when the file does not hold as many tests as it says, or is of another kind */
export function parseWycheproof(file: WycheproofFile): GcmTest[] {
  if (file.algorithm !== "AES-GCM" && file.algorithm !== "AES-GMAC")
    throw new Error(`not a file of AES-GCM or GMAC tests: ${String(file.algorithm)}`);
  const gmac = file.algorithm === "AES-GMAC";
  const tests = file.testGroups.flatMap((group) =>
    group.tests.map((test) => ({
      name: `${file.algorithm} ${test.tcId}: ${test.comment || test.flags.join(", ")}`,
      valid: test.result === "valid",
      zeroLengthIv: test.flags.includes("ZeroLengthIv"),
      tagLength: group.tagSize / 8,
      key: fromHex(test.key),
      iv: fromHex(test.iv),
      aad: fromHex(gmac ? test.msg : (test.aad ?? "")),
      plaintext: fromHex(gmac ? "" : test.msg),
      ciphertext: fromHex(test.ct ?? ""),
      tag: fromHex(test.tag),
    })),
  );
  if (tests.length !== file.numberOfTests)
    throw new Error(`the file has ${tests.length} tests instead of ${file.numberOfTests}`);
  return tests;
}

/** @throws when the target does not do what the test says */
export function runWycheproof(target: Target, test: GcmTest): void {
  const gcm = target.create(test.key, { tagLength: test.tagLength });
  const sealed = concat(test.ciphertext, test.tag);
  const { iv, aad, plaintext } = test;
  try {
    if (test.zeroLengthIv) {
      throws(RangeError, () => gcm.encrypt(iv, plaintext, { aad }), `${test.name}: encrypt`);
      throws(RangeError, () => gcm.decrypt(iv, sealed, { aad }), `${test.name}: decrypt`);
    } else if (test.valid) {
      equalBytes(gcm.encrypt(iv, plaintext, { aad }), sealed, test.name);
      equalBytes(gcm.decrypt(iv, sealed, { aad }), plaintext, `${test.name}: decrypt`);
      equalBytes(sealPieces(gcm, iv, [aad], [plaintext]), sealed, `${test.name}: pieces`);
      const opened = openPieces(gcm, iv, [aad], [test.ciphertext], test.tag);
      equalBytes(opened, plaintext, `${test.name}: pieces, decrypt`);
      if (plaintext.length === 0) equalBytes(gcm.mac(iv, aad), test.tag, `${test.name}: mac`);
    } else {
      const out = new Uint8Array(plaintext.length).fill(0xcc);
      throws(AuthenticationError, () => gcm.decryptInto(iv, sealed, out, { aad }), test.name);
      allBytes(out.subarray(0, test.ciphertext.length), 0, `${test.name}: output`);
      const pieces = () => openPieces(gcm, iv, [aad], [test.ciphertext], test.tag);
      throws(AuthenticationError, pieces, `${test.name}: pieces`);
    }
  } finally {
    gcm.destroy();
  }
}
