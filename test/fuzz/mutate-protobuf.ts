import { below, oneOf, type Random } from "./chance.ts";
import { type Field, parseMessage, type Value, writeMessage, writeVarint } from "./protobuf-tree.ts";

/**
 * A message like the one given, changed in its structure: fields are left out, doubled, moved, renumbered, filled with what does not belong
 * there, taken from another message or wrapped again and again. Lengths fit, so that decoders get to the inside.
 */
export function mutateProtobuf(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  const message = parseMessage(bytes);
  const donor = parseMessage(other);
  if (message === null || donor === null) return bytes;
  for (let left = 1 + below(6, random); left > 0; left--) change(message, donor, random);
  return writeMessage(message);
}

/** Of what one change may add, in bytes. */
const LARGEST = 200_000;

/** All lists of fields in a message, from the outside in. */
function lists(fields: Field[]): [Field[], ...Field[][]] {
  const found: [Field[], ...Field[][]] = [fields];
  for (let at = 0; at < found.length; at++) {
    for (const { value } of found[at] ?? []) if ("parts" in value) found.push(value.parts);
  }
  return found;
}

function change(message: Field[], donor: Field[], random: Random): void {
  const list = oneOf(lists(message), random);
  const at = below(list.length, random);
  const field = list[at];
  if (field === undefined) return void list.push({ number: 1 + below(20, random), value: anything(random) });
  oneOf(changes, random)(list, at, field, donor, random);
}

type Change = (list: Field[], at: number, field: Field, donor: Field[], random: Random) => unknown;

const changes: readonly [Change, ...Change[]] = [
  (list, at) => list.splice(at, 1),
  (list, at, field, _, random) => {
    const most = random() < 0.05 ? LARGEST / (1 + writeMessage([field]).length) : 4;
    list.splice(at, 0, ...Array.from({ length: 1 + below(most, random) }, () => copyOf(field)));
  },
  (list, at, field, _, random) => {
    list.splice(at, 1);
    list.splice(below(list.length + 1, random), 0, field);
  },
  (_, __, field, ___, random) =>
    (field.number = oneOf([field.number + 1, 1 + below(20, random), 536_870_911], random)),
  (list, at, field, _, random) => (list[at] = { number: field.number, value: anything(random) }),
  (list, at, field, donor, random) => {
    const taken = oneOf(lists(donor), random);
    const found = taken[below(taken.length, random)];
    if (found === undefined) return;
    const put = copyOf(found);
    list[at] = random() < 0.5 ? put : { number: field.number, value: put.value };
  },
  (list, at, field, _, random) => (list[at] = nested(field, 1 + below(random() < 0.1 ? 600 : 8, random))),
  (list, at, field, _, random) => {
    if (field.value.wire !== 2 || "parts" in field.value) return;
    const text = Buffer.from(field.value.bytes);
    text[below(text.length, random)] = below(256, random);
    list[at] = { number: field.number, value: { wire: 2, bytes: text } };
  },
  (list, at, { number, value }, _, random) => {
    if (value.wire !== 2) return;
    const inner = "parts" in value ? writeMessage(value.parts) : value.bytes;
    const tag = writeVarint((BigInt(number) << 3n) | BigInt(below(8, random)), 1 + below(5, random));
    const length = writeVarint(BigInt(inner.length + below(9, random) - 4), 1 + below(10, random));
    list[at] = { number, value: { wire: "raw", bytes: Buffer.concat([tag, length, inner]) } };
  },
];

/** Bytes are shared: nobody writes into them. */
function copyOf({ number, value }: Field): Field {
  return { number, value: "parts" in value ? { ...value, parts: value.parts.map(copyOf) } : value };
}

function anything(random: Random): Value {
  const bytes = (length: number): Buffer =>
    Buffer.from(Array.from({ length }, () => oneOf([0, 0xff, 0x80, below(256, random)], random)));
  const values: readonly [() => Value, ...(() => Value)[]] = [
    () => ({ wire: 0, bits: oneOf([0n, 1n, 2n ** 31n, 2n ** 63n, 2n ** 64n - 1n], random) }),
    () => ({ wire: 1, bytes: bytes(8) }),
    () => ({ wire: 5, bytes: bytes(4) }),
    () => ({ wire: 2, bytes: bytes(oneOf([0, 1, 7, 8, 9, 15, 16, 17, 300], random)) }),
    () => ({ wire: 2, parts: [{ number: 1 + below(9, random), value: { wire: 2, bytes: bytes(3) } }] }),
    () => ({ wire: 3, parts: [{ number: 1 + below(9, random), value: { wire: 0, bits: 1n } }] }),
  ];
  return oneOf(values, random)();
}

/** Arrays in arrays, as attribute values may be: `AnyValue.array_value.values` is field 5, then 1. */
function nested(field: Field, times: number): Field {
  let value = field.value;
  for (let left = times; left > 0; left--)
    value = { wire: 2, parts: [{ number: left % 2 === 0 ? 5 : 1, value }] };
  return { number: field.number, value };
}
