/** Where the output goes while it is written, piece by piece. For workers. */
import type { Target } from "./places.js";

/** One output file. */
export interface Destination {
  readonly writable: WritableStream<Uint8Array<ArrayBuffer>>;
  /** What the user can still save; undefined when it already is where the user wanted it. */
  result(): Promise<Blob | undefined>;
  /** Removes what a failed run left. */
  discard(): Promise<void>;
}

/** What workers have: a file that is written at once, without a copy that becomes the file at the end. */
interface PrivateFileHandle extends FileSystemFileHandle {
  createSyncAccessHandle(): Promise<SyncAccessHandle>;
}

interface SyncAccessHandle {
  truncate(size: number): void;
  write(bytes: Uint8Array): number;
  close(): void;
}

/** @throws what the browser throws when the file cannot be written */
export async function openDestination(target: Target): Promise<Destination> {
  if (target.kind === "picked") return openPicked(target.handle);
  return target.kind === "private" ? openPrivate(target.name) : openMemory();
}

async function openPicked(handle: FileSystemFileHandle): Promise<Destination> {
  // The browser moves the file to its place when the stream closes, and drops it when the stream is aborted.
  return {
    writable: await handle.createWritable(),
    result: async () => undefined,
    discard: async () => {},
  };
}

/** A file of the page's own folder (origin private file system). */
async function openPrivate(name: string): Promise<Destination> {
  const folder = await navigator.storage.getDirectory();
  const handle = (await folder.getFileHandle(name, { create: true })) as PrivateFileHandle;
  const file = await handle.createSyncAccessHandle();
  file.truncate(0);
  return {
    writable: new WritableStream({
      write(piece) {
        // Each write begins where the last one ended.
        for (let at = 0; at < piece.length; ) at += file.write(piece.subarray(at));
        free(piece);
      },
      close: () => file.close(),
      abort: () => file.close(),
    }),
    result: () => handle.getFile(),
    discard: () => folder.removeEntry(name),
  };
}

/** What browsers since 2024 have. */
interface Transferable {
  transfer?(length: number): ArrayBuffer;
}

/** Gives memory back that nobody needs: browsers let garbage gather while a worker is busy, Firefox the most. */
function free({ buffer }: Uint8Array<ArrayBuffer>): void {
  (buffer as Transferable).transfer?.(0);
}

function openMemory(): Destination {
  let pieces: Blob[] = [];
  return {
    // A blob of its own for each piece lets the browser move them out of memory.
    writable: new WritableStream({ write: (piece) => void pieces.push(new Blob([piece])) }),
    result: async () => new Blob(pieces),
    discard: async () => {
      pieces = [];
    },
  };
}
