/** Temporary files that must not outlive the process, and the signals that end it. */
import { unlinkSync } from "node:fs";
import { complain } from "./console.js";

const SIGNAL_EXIT = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Signal = keyof typeof SIGNAL_EXIT;

const undo = new Set<() => void>();
let blockingCalls = 0;

/** Runs `action` if the process ends before the returned function is called. */
export function atExit(action: () => void): () => void {
  undo.add(action);
  return () => undo.delete(action);
}

/** Removes a file, whatever state it is in. */
export function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It is gone already, or its folder is: there is nothing left to remove.
  }
}

/**
 * Runs a system call that may wait for another process for ever, as opening a FIFO does. Node joins its worker threads
 * when it exits, so a signal that comes meanwhile has to end the process the hard way.
 */
export async function mayBlock<T>(call: () => Promise<T>): Promise<T> {
  blockingCalls++;
  try {
    return await call();
  } finally {
    blockingCalls--;
  }
}

function runUndo(): void {
  for (const action of undo) action();
  undo.clear();
}

function onSignal(signal: Signal): void {
  runUndo();
  complain(signal === "SIGINT" ? "interrupted" : `ended by ${signal}`);
  if (blockingCalls === 0) process.exit(SIGNAL_EXIT[signal]);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Installs the handlers; once per process. */
export function installCleanup(): void {
  for (const signal of Object.keys(SIGNAL_EXIT) as Signal[]) process.on(signal, onSignal);
  process.on("exit", runUndo);
  // Nobody may be left to hear a complaint; that is no reason to fail in another way.
  process.stderr.on("error", () => {});
}
