import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A child process that answers each line with a line. */
export class LineProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #name: string;
  #complaints = "";
  #waiting: { resolve: (line: string) => void; reject: (error: Error) => void } | undefined;
  #ended: Error | undefined;

  /** @param name for error messages */
  constructor(name: string, command: string, args: readonly string[]) {
    this.#name = name;
    this.#child = spawn(command, args, { stdio: "pipe" });
    this.#child.stderr.on("data", (text: Buffer) => {
      this.#complaints = (this.#complaints + text.toString()).slice(-2000);
    });
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#answer(line));
    this.#child.on("error", (error) => this.#end(`cannot be started: ${error.message}`));
    this.#child.on("close", (code, signal) => this.#end(`ended with ${signal ?? `code ${code}`}`));
    // A child that is gone is reported by its close; a write to it must not end this process.
    this.#child.stdin.on("error", () => {});
  }

  /**
   * Sends a line and waits for the answer; one at a time.
   *
   * @throws Error when the process ends instead, with the last that it wrote to standard error
   */
  ask(line: string): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      this.#waiting = { resolve, reject };
      this.#child.stdin.write(`${line}\n`);
    });
  }

  /** Lets the process end. Harmless when repeated. */
  close(): void {
    this.#child.stdin.end();
  }

  #answer(line: string): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(line);
  }

  #end(what: string): void {
    const tail = this.#complaints.trim();
    this.#ended ??= new Error(`${this.#name} ${what}${tail === "" ? "" : `: ${tail}`}`);
    this.#waiting?.reject(this.#ended);
    this.#waiting = undefined;
  }
}
