/** How much memory a browser takes, seen from outside. Linux only: elsewhere there is nothing to read. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Milliseconds between two looks. */
const EVERY = 50;

/** Text of a file under /proc, empty when its process has ended. */
function textOf(path) {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/** @returns {string[]} the processes of a group: /proc/N/stat has it third behind the name in brackets */
function membersOf(group) {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    const stat = textOf(`/proc/${name}/stat`);
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]) === group;
  });
}

/** Bytes of resident memory that no file stands behind; what processes share counts in each. */
function residentOf(pid) {
  const status = textOf(`/proc/${pid}/status`);
  return [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm)].reduce(
    (sum, [, kib]) => sum + 1024 * kib,
    0,
  );
}

/** Watches all processes of one group. */
export class MemoryMeter {
  #group;
  #peak = 0;
  #timer;

  /** @param {number} group process group */
  constructor(group) {
    this.#group = group;
    if (existsSync("/proc/self/status")) this.#timer = setInterval(() => this.#look(), EVERY);
  }

  /** @returns {{ now: number, peak: number } | null} bytes now, and at most since the last call; null where nobody knows */
  mark() {
    if (this.#timer === undefined) return null;
    const now = this.#look();
    const peak = this.#peak;
    this.#peak = now;
    return { now, peak };
  }

  stop() {
    clearInterval(this.#timer);
  }

  #look() {
    const now = membersOf(this.#group).reduce((sum, pid) => sum + residentOf(pid), 0);
    this.#peak = Math.max(this.#peak, now);
    return now;
  }
}
