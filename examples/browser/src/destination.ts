/** Where the output goes while it is written, piece by piece, so that a file may be larger than memory. */

/** One output file. */
export interface Destination {
  readonly writable: WritableStream<Uint8Array<ArrayBuffer>>;
  /** What the user can still save; undefined when it already is where the user wanted it. */
  result(): Promise<Blob | undefined>;
  /** Removes what a failed run left. */
  discard(): Promise<void>;
}

/** A way to write, offered where the browser has it. */
export interface Place {
  readonly label: string;
  readonly available: boolean;
  open(name: string): Promise<Destination>;
}

/** What only Chromium has. */
interface PickerWindow {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
}

const picker = globalThis as PickerWindow;

async function openPicked(name: string): Promise<Destination> {
  const handle = await picker.showSaveFilePicker!({ suggestedName: name });
  // The browser moves the file to its place when the stream closes, and drops it when the stream is aborted.
  return {
    writable: await handle.createWritable(),
    result: async () => undefined,
    discard: async () => {},
  };
}

/** The page's own folder (origin private file system), under one name: a new run replaces the last one's file. */
async function openPrivate(): Promise<Destination> {
  const folder = await navigator.storage.getDirectory();
  const handle = await folder.getFileHandle("output", { create: true });
  return {
    writable: await handle.createWritable(),
    result: () => handle.getFile(),
    discard: () => folder.removeEntry("output"),
  };
}

async function openMemory(): Promise<Destination> {
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

/** Best first. */
export const PLACES: readonly Place[] = [
  { label: "a file of my choice", available: picker.showSaveFilePicker !== undefined, open: openPicked },
  {
    label: "this browser's storage, to save afterwards",
    available: "FileSystemFileHandle" in globalThis && "createWritable" in FileSystemFileHandle.prototype,
    open: openPrivate,
  },
  { label: "memory, to save afterwards", available: true, open: openMemory },
];
