import { below, oneOf, type Random } from "./chance.ts";

type Json = null | boolean | number | string | Json[] | JsonObject;
interface JsonObject {
  [key: string]: Json;
}

/** Of what one change may add, in bytes. */
const LARGEST = 200_000;
/** Stands for text that `JSON.stringify` would not write. */
const RAW = "raw:";
const rawTexts = [
  "1e999",
  "-0.0",
  "18446744073709551616",
  "0123",
  "NaN",
  "truth",
  '"\\ud800"',
  '"\\u0000"',
  '"\u0001"',
  '{"traceId":"a","traceId":"b"}',
  "[".repeat(5_000) + "]".repeat(5_000),
  '{"arrayValue":{"values":['.repeat(1_500) + "]}}".repeat(1_500),
  "// what\n1",
  "",
] as const;
const values: readonly [Json, ...Json[]] = [
  null,
  true,
  0,
  -1,
  2 ** 53,
  1e-320,
  "",
  "a",
  "-1",
  "9223372036854775808",
  "00000000000000000000000000000000",
  "zz",
  "x".repeat(5_000),
  [],
  {},
  [null],
  { stringValue: null },
  { intValue: "1", stringValue: "two" },
  { kvlistValue: { values: [{ key: "a", value: { bytesValue: "!" } }] } },
];
const keys = ["__proto__", "constructor", "", "trace_id", "traceID", "toString", "values", "length"] as const;

/** A document like the one given, changed in its structure: members are left out, doubled, renamed, replaced, moved or nested. */
export function mutateJson(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  const read = (text: Uint8Array): Json => JSON.parse(Buffer.from(text).toString()) as Json;
  const root: JsonObject = { root: read(bytes) };
  const donor: JsonObject = { root: read(other) };
  for (let left = 1 + below(6, random); left > 0; left--) change(root, donor, random);
  const text = written(root["root"] ?? null);
  return Buffer.from(random() < 0.1 ? `\ufeff \r\n${text}\t` : text);
}

function written(value: Json): string {
  return JSON.stringify(value).replaceAll(
    /"raw:(\d+)"/g,
    (_, index: string) => rawTexts[Number(index)] ?? "",
  );
}

interface Place {
  readonly holder: Json[] | JsonObject;
  readonly key: string;
}

function places(holder: Json[] | JsonObject, found: Place[] = []): Place[] {
  for (const [key, value] of Object.entries(holder)) {
    found.push({ holder, key });
    if (value !== null && typeof value === "object") places(value, found);
  }
  return found;
}

function change(root: JsonObject, donor: JsonObject, random: Random): void {
  const all = places(root);
  const { holder, key } = all[below(all.length, random)] ?? { holder: root, key: "root" };
  const given = places(donor);
  const source = given[below(given.length, random)];
  const taken = source === undefined ? null : valueAt(source);
  oneOf(changes, random)({ holder, key }, taken, random);
}

function valueAt({ holder, key }: Place): Json {
  return (holder as JsonObject)[key] ?? null;
}

function put({ holder, key }: Place, value: Json): void {
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}

type Change = (place: Place, taken: Json, random: Random) => unknown;

const changes: readonly [Change, ...Change[]] = [
  ({ holder, key }) => (Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key]),
  (place, _, random) => put(place, structuredClone(oneOf(values, random))),
  (place, _, random) => put(place, `${RAW}${below(rawTexts.length, random)}`),
  (place, taken) => put(place, structuredClone(taken)),
  (place, _, random) => {
    const value = valueAt(place);
    delete (place.holder as JsonObject)[place.key];
    const snake = place.key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const key = random() < 0.5 ? snake : oneOf(keys, random);
    if (!Array.isArray(place.holder)) put({ holder: place.holder, key }, value);
  },
  (place, _, random) => {
    const { holder, key } = place;
    const value = valueAt(place);
    const most = random() < 0.05 ? LARGEST / (1 + written(value).length) : 3;
    if (!Array.isArray(holder)) put({ holder, key: `${key}2` }, structuredClone(value));
    else for (let left = 1 + below(most, random); left > 0; left--) holder.push(structuredClone(value));
  },
  (place, _, random) => {
    let value = valueAt(place);
    for (let left = 1 + below(20, random); left > 0; left--)
      value = random() < 0.5 ? [value] : { arrayValue: { values: [value] } };
    put(place, value);
  },
  (place) => {
    const value = valueAt(place);
    if (typeof value === "string") put(place, Number(value));
    else if (typeof value === "number") put(place, String(value));
  },
];
