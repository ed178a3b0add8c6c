import { STREAMS } from "./streams.js";

addEventListener("message", ({ data: [name, ...inputs] }) => {
  STREAMS[name](...inputs).then(
    (result) => postMessage({ result }),
    (error) => postMessage({ error: String(error) }),
  );
});
