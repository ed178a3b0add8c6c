/** Plays and searches a film in a frame of this page, and asks the server what it was asked for meanwhile. */
import { check, pause, runSteps, until } from "../../../scripts/runtimes/steps.js";

const frame = document.querySelector("iframe");
const find = (selector) => frame.contentDocument.querySelector(selector);

/** Opens the page and waits for its first request to be answered, well or badly. */
async function open(fragment) {
  frame.src = "about:blank";
  await until(() => frame.contentDocument?.URL === "about:blank", "an empty frame");
  frame.src = `../index.html#${new URLSearchParams(fragment)}`;
  await until(() => find("#video")?.currentSrc, "the page asks for the film");
  find("#video").muted = true;
}

async function plays(from) {
  const video = find("#video");
  await video.play();
  await until(() => video.currentTime > from, `it plays on from ${from} s (${stateOf(video)})`);
  video.pause();
}

function stateOf(video) {
  return `ready ${video.readyState}, network ${video.networkState}, error ${video.error?.message}`;
}

/** The spans of the sealed file that were sent since the last call. */
async function spansOf(file) {
  const requests = await (await fetch("/requests")).json();
  return requests
    .filter(({ path, method }) => path.endsWith(file) && method === "GET")
    .map(({ range }) => {
      const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
      check(end !== undefined, `the server was asked for ${range ?? "everything"}`);
      return { start: Number(start), end: Number(end) + 1 };
    });
}

/** Takes the film from the element and waits until nothing more is fetched for it. */
async function unload(file) {
  find("#video").removeAttribute("src");
  find("#video").load();
  do await pause(300);
  while ((await spansOf(file)).length > 0);
}

const lengthOf = (spans) => spans.reduce((sum, { start, end }) => sum + end - start, 0);
const inMegabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

/** What the page's element would be given. */
async function ask(way, start, end) {
  const headers = { Range: `bytes=${start}-${end - 1}` };
  const response = await frame.contentWindow.fetch(way, { headers });
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
}

async function plainBytes(plain, start, end) {
  const response = await fetch(plain, { headers: { Range: `bytes=${start}-${end - 1}` } });
  return new Uint8Array(await response.arrayBuffer());
}

const same = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** How far from a place a player may look while it searches, as a part of the whole. */
const NEAR = 0.1;

function steps({ fragment, plain, size, altered, alteredAt, segmentLength }, notes) {
  const before = Math.floor(alteredAt / segmentLength) * segmentLength;
  let alteredTime;
  const play = async () => {
    await open(fragment);
    await plays(0);
    const spans = await spansOf(fragment.file);
    notes.push(`the beginning took ${inMegabytes(lengthOf(spans))} of ${inMegabytes(size)}`);
    check(find("#status").textContent === "", find("#status").textContent);
    check(lengthOf(spans) < size / 4, `${lengthOf(spans)} of ${size} bytes were fetched`);
  };
  const seek = async () => {
    const video = find("#video");
    const middle = video.duration / 2;
    video.currentTime = middle;
    await until(() => !video.seeking && video.readyState >= 2, `it finds the middle (${stateOf(video)})`);
    await plays(middle);
    const spans = await spansOf(fragment.file);
    notes.push(
      `the middle took ${inMegabytes(lengthOf(spans))}, from byte ${Math.min(...spans.map(({ start }) => start))}`,
    );
    check(lengthOf(spans) < size / 4, `${lengthOf(spans)} of ${size} bytes were fetched`);
    const near = spans.filter(({ start }) => Math.abs(start / size - 0.5) < NEAR);
    check(near.length > 0, `nothing was fetched near the middle: ${JSON.stringify(spans)}`);
  };
  const serve = async () => {
    await unload(fragment.file);
    for (const [start, end] of [
      [0, 1],
      [12_345, 700_001],
      [before - 5, before + segmentLength + 5],
      [size - 1000, size],
    ]) {
      const { response, bytes } = await ask("film", start, end);
      check(response.status === 206, `status ${response.status}`);
      const range = response.headers.get("Content-Range");
      check(range === `bytes ${start}-${end - 1}/${size}`, range);
      check(same(bytes, await plainBytes(plain, start, end)), `other bytes in ${start} to ${end}`);
      const fetched = await spansOf(fragment.file);
      check(lengthOf(fetched) <= end - start + 2 * segmentLength, `${lengthOf(fetched)} bytes were fetched`);
    }
    const { response } = await ask("film", size, size + 1);
    check(response.status === 416, `status ${response.status} behind the end`);
  };
  const refuse = async () => {
    await open({ ...fragment, file: altered });
    await plays(0);
    const { response, bytes } = await ask("film", alteredAt - 100, alteredAt + 100);
    check(response.status === 502 && bytes.length === 0, `${response.status}, ${bytes.length} bytes`);
    const beside = await ask("film", before - 100, before);
    check(
      same(beside.bytes, await plainBytes(plain, before - 100, before)),
      "what is beside it is not given",
    );
    const across = await ask("film", before - 100, before + 100).catch(() => undefined);
    check(across === undefined, "a range that reaches into what was altered ends well");
  };
  const say = async () => {
    const video = find("#video");
    alteredTime = (alteredAt / size) * video.duration;
    video.currentTime = alteredTime;
    await until(() => video.error, `the element fails (${stateOf(video)})`);
    const words = find("#status").textContent;
    notes.push(`altered: ${words} (${video.error.message})`);
    check(words.startsWith("The film was altered"), words);
  };
  const unverified = async () => {
    find("#unverified").click();
    const video = find("#video");
    await until(() => video.readyState >= 2, `it plays what was altered (${stateOf(video)})`);
    video.currentTime = alteredTime;
    await plays(alteredTime);
    const { bytes } = await ask("film?verify=none", alteredAt, alteredAt + 1);
    const [right] = await plainBytes(plain, alteredAt, alteredAt + 1);
    check(bytes[0] === (right ^ 1), "the altered byte");
    check(find("#status").textContent === "", find("#status").textContent);
  };
  const otherKey = async () => {
    await open({ ...fragment, key: "00".repeat(32) });
    const words = await until(() => find("#status").textContent, "it says something");
    check(words.startsWith("The film was altered"), words);
    await pause(100);
    check(find("#video").readyState === 0, `something was played (${stateOf(find("#video"))})`);
  };
  return {
    "play the beginning": play,
    "jump to the middle": seek,
    "give the right bytes for any range": serve,
    "refuse what was altered": refuse,
    "say so": say,
    "play it unverified when asked to": unverified,
    "refuse another key": otherKey,
  };
}

await runSteps("a film on a plain web server", steps);
