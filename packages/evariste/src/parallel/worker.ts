/** The worker's side of `lanes.ts`: answers one segment at a time. */
import { answerRequests } from "#workers";
import type { EngineName } from "../engines/engine.js";
import { KeyRing } from "../engines/key-ring.js";
import { runSegment } from "../engines/run-segment.js";
import type { SegmentAnswer, SegmentRequest } from "./lanes.js";

answerRequests((message) => {
  const { rawKey, engine, direction, icb, input } = message as SegmentRequest;
  let keys: KeyRing | undefined;
  try {
    // `small+large` names two engines; a segment is large.
    keys = new KeyRing(rawKey, engine.split("+").pop() as EngineName);
    const ghash = runSegment(keys.for(input.length), direction, icb, input, input);
    const answer: SegmentAnswer = { output: input, ghash };
    return { answer, transfer: [input.buffer] };
  } catch (error) {
    // Plaintext, or what became of it so far.
    input.fill(0);
    const answer: SegmentAnswer = { error: error instanceof Error ? error.message : String(error) };
    return { answer, transfer: [] };
  } finally {
    keys?.destroy();
    rawKey.fill(0);
  }
});
