import { AuthenticationError } from "evariste";

/** What the user is told of an error. */
export function inWords(error: unknown): string {
  if (error instanceof AuthenticationError)
    return "The film was altered, or key and film do not belong together. Nothing of the altered part was played.";
  return `The film cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}
