// Plays a whole game of any ruleset at random, and comes back after a drop.
// node client.mjs ws://HOST:PORT/ws create RULESET    opens a table, and prints its id
// node client.mjs ws://HOST:PORT/ws join TABLE        joins one
// Node before 22 needs --experimental-websocket. In a page: import { play } from "./client.mjs".

const upTo = (most, least = 0) => least + Math.floor(Math.random() * (most - least + 1));
const shuffled = (list) =>
  list.map((value) => [Math.random(), value]).sort(([a], [b]) => a - b).map(([, value]) => value);

function choose({ shape, default: proposed, items = [], least = 0, most = 0 }) { // what fits
  const all = shuffled([...items.keys()]);
  const legal = all.filter((index) => items[index].legal ?? true);
  if (shape === "one") return legal[0];
  if (shape === "some") return legal.slice(0, upTo(Math.min(most, legal.length), least));
  if (shape === "order") return all;
  return shape === "number" ? upTo(most, least) : proposed; // divide: as proposed
}

function reply(got, known, wish) { // what to send; `known` is what it takes to come back
  const { type, place, prompt, code } = got;
  if (type === "welcome") known.secret ||= got.secret;
  if (type === "view" || type === "events") known.n = got.n;
  if (place) known.stream = place.stream;
  if (type === "welcome" && !place) return { ...wish, command: "enter" };
  if (type === "over") return { type: "leave", command: "leave" };
  if (!prompt || (type !== "prompt" && code !== "refused")) return null;
  const answer = type === "prompt" ? choose(prompt) : prompt.default;
  return { type: "decide", command: `${Math.random()}`, prompt: prompt.id, answer };
}

const connection = (url, known, wish, tell) => new Promise((end) => { // how it ended
  const socket = new WebSocket(url, "longfuse.1.json");
  const send = (message) => message && socket.send(JSON.stringify(message));
  socket.onopen = () => send({ type: "hello", name: "Js", resume: known.secret ? known : null });
  socket.onclose = end;
  socket.onmessage = ({ data }) => {
    const got = JSON.parse(data);
    send(reply(got, known, wish));
    if (got.place) tell(`table ${got.place.info.table}`);
    if (got.type === "over") tell(`winner ${got.winner} ${got.reason}`);
    const isRefused = got.command === "enter" && !got.ok;
    if (isRefused || ["rejected", "error", "over"].includes(got.type)) end(got), socket.close();
  };
});

export async function play(url, wish, tell = console.log) { // over as many of them as it takes
  const known = { secret: "", stream: "", n: 0 };
  for (let wait = 250, n = 0; wait < 60_000; wait *= 1 + Math.random()) {
    const ended = await connection(url, known, wish, tell);
    if (ended.type === "over") return ended;
    if (![1001, 1006, 1011, 1012].includes(ended.code)) throw new Error(`refused: ${ended.code}`);
    if (known.n > n) [wait, n] = [250, known.n];
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  throw new Error("the server does not come back");
}

const [, script, url, type, name] = globalThis.process?.argv ?? [];
const wish = type === "join" ? { type, table: name } : { type, ruleset: name, seats: [{}, {}] };
if (script?.endsWith("client.mjs")) await play(url, wish);
