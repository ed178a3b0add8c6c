/** Checks of what `ChunkSealer` and `ChunkOpener` are given. */
import { checkBytes, checkOut } from "../checks.js";
import { refuseShared } from "../views.js";

/**
 * @returns the piece's length
 * @throws TypeError unless `piece` is bytes of this thread
 */
export function checkedPiece(piece: Uint8Array): number {
  checkBytes("piece", piece);
  refuseShared("piece", piece);
  return piece.length;
}

/**
 * Sealed chunks are longer than plain ones, so writing over the input would reach what is not read yet.
 *
 * @throws TypeError, RangeError unless `out` holds `length` bytes of this thread that are not part of `piece`
 */
export function checkApart(piece: Uint8Array, out: Uint8Array, length: number): void {
  checkOut(out, length);
  refuseShared("out", out);
  const overlap =
    piece.buffer === out.buffer &&
    piece.byteOffset < out.byteOffset + length &&
    out.byteOffset < piece.byteOffset + piece.length;
  if (overlap) throw new RangeError("out overlaps piece; separate memory is needed");
}
