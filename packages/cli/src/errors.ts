/** What can go wrong, the exit code of each kind, and the one line that a person reads. */

/** The kinds of failure that the command tells apart. */
export type FailureKind = "internal" | "usage" | "key" | "input" | "output" | "authentication" | "selftest";

/** Exit code of a reader of our output that went away, as a shell reports SIGPIPE. */
export const EXIT_PIPE = 141;

/** Every exit code with its meaning; `--help` and the README show this table. */
export const EXIT_CODES: readonly {
  readonly code: number;
  readonly kind?: FailureKind;
  readonly meaning: string;
}[] = [
  { code: 0, meaning: "success" },
  { code: 1, kind: "internal", meaning: "unexpected fault: please report it" },
  { code: 2, kind: "usage", meaning: "wrong arguments, or a range outside the file" },
  { code: 3, kind: "key", meaning: "no key, an unreadable key, or one of the wrong size for the format" },
  { code: 4, kind: "input", meaning: "an input cannot be read" },
  { code: 5, kind: "output", meaning: "an output exists or cannot be written (disk full, permissions)" },
  { code: 6, kind: "authentication", meaning: "not authentic: wrong key or context, truncated or altered" },
  { code: 7, kind: "selftest", meaning: "an engine failed its self-test, or none is available" },
  { code: 129, meaning: "ended by SIGHUP" },
  { code: 130, meaning: "interrupted (Ctrl-C, SIGINT)" },
  { code: EXIT_PIPE, meaning: "the reader of standard output went away (silent)" },
  { code: 143, meaning: "ended by SIGTERM" },
];

/** The exit-code table as text, one line per code. */
export function exitCodeTable(): string {
  return EXIT_CODES.map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`).join("\n");
}

/** A failure with its kind and, where there is one, the file it is about. */
export class CliError extends Error {
  override readonly name = "CliError";

  constructor(
    readonly kind: FailureKind,
    readonly reason: string,
    /** Name of the file as people know it; absent when no file is to blame. */
    readonly file?: string,
  ) {
    super(file === undefined ? reason : `${file}: ${reason}`);
  }

  get exitCode(): number {
    return EXIT_CODES.find((row) => row.kind === this.kind)!.code;
  }
}

/** The reader of an output pipe went away: ends the process without a word. */
export class BrokenPipeError extends Error {
  override readonly name = "BrokenPipeError";
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EBUSY: "device or resource busy",
  EDQUOT: "disk quota exceeded",
  EEXIST: "exists already",
  EFBIG: "file too large for the file system",
  EIO: "input/output error",
  EISDIR: "is a folder",
  ELOOP: "too many symbolic links",
  EMFILE: "too many open files",
  ENAMETOOLONG: "name too long",
  ENOENT: "no such file or folder",
  ENOSPC: "no space left on device",
  ENOTDIR: "a part of the path is not a folder",
  ENXIO: "no such device or address",
  EPERM: "operation not permitted",
  EROFS: "read-only file system",
  ETXTBSY: "file is being executed",
};

/** The `code` of a system error, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Why a system call failed, in a few words. */
export function systemReason(error: unknown): string {
  const known = SYSTEM_REASONS[systemCode(error) ?? ""];
  return known ?? (error instanceof Error ? error.message : String(error));
}

/** Turns a system error into a {@link CliError} about `file`; leaves errors that already say what they are. */
export function blame(kind: FailureKind, file: string, error: unknown): Error {
  if (error instanceof CliError || error instanceof BrokenPipeError) return error;
  if (systemCode(error) === "EPIPE") return new BrokenPipeError();
  return new CliError(kind, systemReason(error), file);
}

/** A name fit for one line of a terminal: control characters become \xNN. */
export function printable(name: string): string {
  return Array.from(name, (char) => {
    const code = char.codePointAt(0)!;
    return code < 32 || (code >= 127 && code < 160) ? `\\x${code.toString(16).padStart(2, "0")}` : char;
  }).join("");
}
