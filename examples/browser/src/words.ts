import { AuthenticationError } from "evariste";

const WORDS: Readonly<Record<string, string>> = {
  AbortError: "Cancelled. Nothing was kept.",
  NoModificationAllowedError: "Another window is writing to this browser's storage. Wait until it is done.",
  NotReadableError: "The file cannot be read. Was it moved or changed?",
  QuotaExceededError: "This browser's storage is full. Choose another place to write to.",
};

/** What the user is told. */
export function inWords(error: unknown): string {
  if (error instanceof AuthenticationError)
    return "This key does not open this file, or the file was changed or cut. Nothing was kept.";
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return WORDS[name] ?? `It did not work: ${message}`;
}
