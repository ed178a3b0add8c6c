import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  // A service worker rules over its own folder and those below, and is found again by its name.
  worker: { rolldownOptions: { output: { entryFileNames: "worker.js" } } },
});
