/** Large files in the page's storage, made and compared by a worker, in memory that stays the same. */

const PIECE = 4 * 2 ** 20;

async function handleOf(name) {
  const folder = await navigator.storage.getDirectory();
  return await folder.getFileHandle(name, { create: true });
}

/** Runs work on files of these names, open for reading and writing. */
async function withFiles(names, work) {
  const files = [];
  try {
    for (const name of names) files.push(await (await handleOf(name)).createSyncAccessHandle());
    return work(...files);
  } finally {
    for (const file of files) file.close();
  }
}

const TASKS = {
  /** A file of many different pieces. */
  make: (name, bytes) =>
    withFiles([name], (file) => {
      const piece = new Uint32Array(PIECE / 4).map((_, i) => Math.imul(i, 2654435761));
      file.truncate(0);
      for (let at = 0; at < bytes; at += PIECE) {
        piece[0] = at / PIECE;
        file.write(new Uint8Array(piece.buffer, 0, Math.min(PIECE, bytes - at)), { at });
      }
    }),
  /** @returns how two files differ, in words; undefined when they do not */
  compare: (...names) =>
    withFiles(names, (...files) => {
      const [size, other] = files.map((file) => file.getSize());
      if (size !== other) return `${size} bytes instead of ${other}`;
      const [a, b] = names.map(() => new Uint8Array(PIECE));
      for (let at = 0; at < size; at += PIECE) {
        files[0].read(a, { at });
        files[1].read(b, { at });
        for (let i = 0; i < PIECE; i++) if (a[i] !== b[i]) return `another byte at ${at + i}`;
      }
    }),
};

addEventListener("message", ({ data: [task, ...inputs] }) => {
  TASKS[task](...inputs).then(
    (result) => postMessage({ result }),
    (error) => postMessage({ error: String(error) }),
  );
});
