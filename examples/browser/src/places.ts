/** Where the output may go, so that a file may be larger than memory. */

/** A way to write, offered where the browser has it. */
export interface Place {
  readonly label: string;
  readonly available: boolean;
  readonly open: (name: string) => Promise<Target>;
}

/**
 * One output file: what the user picked, the page's own file, or none, which is memory. This much of a destination can be
 * sent to a worker.
 */
export type Target =
  | { readonly kind: "picked"; readonly handle: FileSystemFileHandle }
  | { readonly kind: "private"; readonly name: string }
  | { readonly kind: "memory" };

/** What only Chromium has. */
interface PickerWindow {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
}

const picker = globalThis as PickerWindow;

/** Best first. */
export const PLACES: readonly Place[] = [
  {
    label: "a file of my choice",
    available: picker.showSaveFilePicker !== undefined,
    open: async (suggestedName) => ({
      kind: "picked",
      handle: await picker.showSaveFilePicker!({ suggestedName }),
    }),
  },
  {
    label: "this browser's storage, to save afterwards",
    available: "storage" in navigator && "getDirectory" in navigator.storage,
    // One name for all: a new run replaces the last one's file.
    open: async () => ({ kind: "private", name: "output" }),
  },
  {
    label: "memory, to save afterwards",
    available: true,
    open: async () => ({ kind: "memory" }),
  },
];
