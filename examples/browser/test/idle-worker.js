/** The same watch on a thread that does nothing else: what it sees late, the machine made late. */
import { watchTimers } from "./watch.js";

let stop;
addEventListener("message", ({ data }) => {
  if (data === "watch") stop = watchTimers();
  else postMessage(stop());
});
