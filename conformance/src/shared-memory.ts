/** Memory that threads share. */

/**
 * Bytes that another thread could change. WebKitGTK 2.50 hides the class from isolated pages too, and gives such memory all
 * the same, by WebAssembly: what the library must recognise then has no global class.
 */
export function sharedBytes(length: number): Uint8Array {
  if (typeof SharedArrayBuffer === "function") return new Uint8Array(new SharedArrayBuffer(length));
  const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  return new Uint8Array(buffer, 0, length);
}
