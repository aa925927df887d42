// Plays a whole game of any ruleset at random, checks its view, and comes back after a drop.
// node --experimental-websocket client.mjs ws://HOST:PORT/ws create RULESET    (or: join TABLE)
// Node 22 and later need no flag. In a page: import { play } from "./client.mjs".
import { View } from "./view.mjs";

const upTo = (most, least = 0) => least + Math.floor(Math.random() * (most - least + 1));

function choose({ shape, default: proposed, items = [], least = 0, most = 0 }) { // what fits
  const legal = [...items.keys()].filter((index) => items[index].legal ?? true);
  if (shape === "one") return legal[upTo(legal.length - 1)];
  if (shape === "some") return legal.slice(0, upTo(Math.min(most, legal.length), least));
  return shape === "number" ? upTo(most, least) : proposed; // others: as proposed
}

async function reply(got, known, view, wish) { // `known` is what it takes to come back
  const { type, place, prompt, code } = got;
  const decide = { type: "decide", command: `${Math.random()}`, prompt: prompt?.id };
  if (type === "welcome") known.secret ||= got.secret;
  if (type === "welcome" && !place) return { ...wish, command: "enter" };
  if (type === "welcome" || type === "joined") known.stream = place.stream;
  if (type === "prompt") return { ...decide, answer: choose(prompt) };
  if (type === "answer" && code === "refused") return { ...decide, answer: prompt.default };
  if (type === "over") return { type: "leave", command: "leave" };
  if (type !== "view" && type !== "events") return null;
  known.n = got.n;
  return (await view.take(got)) || type === "view" ? null : { type: "resync" };
}

const connection = (url, known, view, wish, tell) => new Promise((end, fail) => { // how it ended
  const socket = new WebSocket(url, "longfuse.1.json");
  const send = (message) => message && socket.send(JSON.stringify(message));
  const hear = async (got, { place, type } = got) => {
    send(await reply(got, known, view, wish));
    if (place && (type === "welcome" || type === "joined")) tell(`table ${place.info.table}`);
    if (type === "over") tell(`winner ${got.winner} ${got.reason}`);
    const isRefused = type === "answer" && got.command === "enter" && !got.ok;
    if (isRefused || ["rejected", "error", "over"].includes(type)) end(got), socket.close();
  };
  let last = Promise.resolve(); // one message after the other
  socket.onopen = () => send({ type: "hello", name: "Js", resume: known.secret ? known : null });
  socket.onmessage = ({ data }) => { last = last.then(() => hear(JSON.parse(data))).catch(fail); };
  socket.onclose = (closed) => last.then(() => end(closed));
});

export async function play(url, wish, tell = console.log) { // over as many of them as it takes
  const [known, view] = [{ secret: "", stream: "", n: 0 }, new View()];
  for (let wait = 250, n = 0; wait < 60_000; wait *= 1 + Math.random()) {
    const ended = await connection(url, known, view, wish, tell);
    if (ended.type === "over") return ended;
    const isWorthIt = [1001, 1005, 1006, 1011, 1012, 1013, 1014].includes(ended.code);
    if (!isWorthIt) throw new Error(`refused: ${ended.code}`);
    if (known.n > n) [wait, n] = [250, known.n];
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  throw new Error("the server does not come back");
}

const [, script, url, type, name] = globalThis.process?.argv ?? [];
const wish = type === "join" ? { type, table: name } : { type, ruleset: name, seats: [{}, {}] };
if (script?.endsWith("client.mjs")) await play(url, wish);
