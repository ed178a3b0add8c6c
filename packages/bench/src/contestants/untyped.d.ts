/** What is used of packages that come without types. */
declare module "asmcrypto.js" {
  export const AES_GCM: {
    encrypt(text: Uint8Array, key: Uint8Array, iv: Uint8Array): Uint8Array;
    decrypt(sealed: Uint8Array, key: Uint8Array, iv: Uint8Array): Uint8Array;
  };
}

declare module "jstat" {
  const jstat: {
    readonly studentt: {
      /** The quantile of Student's t distribution. */
      inv(probability: number, degreesOfFreedom: number): number;
    };
  };
  export default jstat;
}
