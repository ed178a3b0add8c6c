// Compares the native engine with OpenSSL inside the Node that runs this; the argument is the kernel that it must choose.
import { deepStrictEqual, strictEqual, throws } from "node:assert";
import { createCipheriv, randomBytes } from "node:crypto";
import { AesGcm, AuthenticationError } from "evariste";

/** Every length to 300, then a few around the strides of the kernels. */
const lengths = [...Array.from({ length: 301 }, (_, length) => length), 511, 512, 513, 1024, 4097, 20_000];

function reference(key, iv, text, aad) {
  const cipher = createCipheriv(`aes-${key.length * 8}-gcm`, key, iv);
  cipher.setAAD(aad);
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

for (const bytes of [16, 24, 32]) {
  const key = randomBytes(bytes);
  const gcm = new AesGcm(key, { engine: "native" });
  strictEqual(gcm.kernel, process.argv[2]);
  for (const length of lengths) {
    const iv = randomBytes(12);
    const text = randomBytes(length);
    const aad = randomBytes(length % 40);
    const sealed = Buffer.from(gcm.encrypt(iv, text, { aad }));
    deepStrictEqual(sealed, reference(key, iv, text, aad), `${length} bytes`);
    deepStrictEqual(Buffer.from(gcm.decrypt(iv, sealed, { aad })), text, `${length} bytes`);
    sealed[sealed.length - 1] ^= 1;
    throws(() => gcm.decrypt(iv, sealed, { aad }), AuthenticationError);
  }
}
console.log(`ok  Node ${process.version} on ${process.arch}: ${process.argv[2]} agrees with node:crypto`);
