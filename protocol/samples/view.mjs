// A client's copy of its view: it follows the frames, and sees by the digest if it has drifted.

export class View {
  entities = {}; // by key; empty before the first frame

  async take(got) { // follows a `view` or `events`; says whether it is now as the server has it
    if (got.type === "view") this.entities = {};
    for (const [key, entity] of Object.entries(got.view ?? got.changes)) {
      if (entity === null) delete this.entities[key];
      else this.entities[key] = entity;
    }
    return (await digest(this.entities)) === got.digest;
  }
}

export async function digest(entities) { // what the page says under "The digest"
  const bytes = Object.entries(entities).map((pair) => new TextEncoder().encode(written(pair)));
  const hashes = await Promise.all(bytes.map((each) => crypto.subtle.digest("SHA-256", each)));
  const parts = hashes.map((hash) => new DataView(hash));
  const numbers = parts.map((part) => (part.getBigUint64(0) << 64n) + part.getBigUint64(8));
  const total = numbers.reduce((sum, number) => sum + number, 0n) % (1n << 128n);
  return total.toString(16).padStart(32, "0");
}

// Keys are in the order of their characters' numbers; JavaScript's own is that of UTF-16.
const numbers = (key) => [...key].map((one) => one.codePointAt().toString(16).padStart(6, "0"));
const before = (one, other) => (numbers(one).join() < numbers(other).join() ? -1 : 1);
const field = (map) => (key) => `${JSON.stringify(key)}:${written(map[key])}`;
const written = (value) =>
  Array.isArray(value) ? `[${value.map(written)}]`
  : value && typeof value === "object" ? `{${Object.keys(value).sort(before).map(field(value))}}`
  : JSON.stringify(value);
