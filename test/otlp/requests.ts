import * as fc from "fast-check";

/* Random OTLP requests in a neutral form, from which the tests make protobuf, JSON and what the views should say. */

export type Value =
  | { readonly kind: "empty" }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "int"; readonly value: bigint }
  | { readonly kind: "double"; readonly value: number }
  | { readonly kind: "bytes"; readonly value: Uint8Array }
  | { readonly kind: "array"; readonly value: readonly Value[] }
  | { readonly kind: "map"; readonly value: readonly Pair[] };

export interface Pair {
  readonly key: string;
  readonly value: Value;
}

export interface EventForm {
  readonly time: bigint;
  readonly name: string;
  readonly attributes: readonly Pair[];
}

export interface SpanForm {
  readonly traceId: Uint8Array;
  readonly spanId: Uint8Array;
  readonly parent: Uint8Array;
  readonly name: string;
  readonly kind: number;
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: readonly Pair[];
  readonly dropped: number;
  readonly events: readonly EventForm[];
  readonly links: readonly { readonly traceId: Uint8Array; readonly spanId: Uint8Array }[];
  readonly status: { readonly code: number; readonly message: string };
  readonly flags: number;
}

export interface LogForm {
  readonly time: bigint;
  readonly observed: bigint;
  readonly severity: number;
  readonly eventName: string;
  readonly body: Value;
  readonly attributes: readonly Pair[];
  readonly traceId: Uint8Array;
  readonly spanId: Uint8Array;
}

export interface Group<Record> {
  readonly resource: readonly Pair[];
  readonly scope: { readonly name: string; readonly version: string };
  readonly records: readonly Record[];
}

const awkward = fc.constantFrom('"', "\\", "\n", "\u0000", "é", "東京", "🙂", "/", "\u2028", "a.b", "{", "");
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "grapheme", maxLength: 90 }),
  fc.array(awkward, { maxLength: 8 }).map((parts) => parts.join("")),
  fc.string({ minLength: 60, maxLength: 200 }),
);
const keyText = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      "gen_ai.request.model",
      "a",
      "messages.0.role",
      "messages.1.role",
      "__proto__",
    ),
  },
  { weight: 2, arbitrary: text },
);
const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -300n, max: 300n }),
  fc.constantFrom(
    2n ** 63n - 1n,
    -(2n ** 63n),
    2n ** 53n,
    2n ** 53n + 1n,
    -(2n ** 53n),
    2n ** 32n,
    2n ** 31n,
    10n ** 18n,
  ),
);
const uint64 = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 1763700000000000000n, max: 1763800000000000000n }),
  fc.constantFrom(0n, 2n ** 64n - 1n, 2n ** 32n, 10n ** 15n, 10n ** 15n - 1n, 10n ** 19n),
);
// JSON has no negative zero that its writers keep.
const double = fc.double().map((value) => (Object.is(value, -0) ? 0 : value));

const value = fc.letrec<{ value: Value; pair: Pair }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ kind: fc.constant("string" as const), value: text }),
    fc.record({ kind: fc.constant("int" as const), value: int64 }),
    fc.record({ kind: fc.constant("bool" as const), value: fc.boolean() }),
    fc.record({ kind: fc.constant("double" as const), value: double }),
    fc.record({ kind: fc.constant("bytes" as const), value: fc.uint8Array({ maxLength: 9 }) }),
    fc.constant({ kind: "empty" as const }),
    fc.record({ kind: fc.constant("array" as const), value: fc.array(tie("value"), { maxLength: 4 }) }),
    fc.record({ kind: fc.constant("map" as const), value: fc.array(tie("pair"), { maxLength: 4 }) }),
  ),
  pair: fc.record({ key: keyText, value: tie("value") }),
}));
const pairs = fc.array(value.pair, { maxLength: 16 });

const id = (size: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: size, maxLength: size }).map((bytes) => {
    if (bytes.every((byte) => byte === 0)) bytes[0] = 1;
    return bytes;
  });
const none = fc.constant(new Uint8Array(0));
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });

const span: fc.Arbitrary<SpanForm> = fc.record({
  traceId: id(16),
  spanId: id(8),
  parent: fc.oneof(none, id(8)),
  name: text,
  kind: fc.integer({ min: 0, max: 99 }),
  start: uint64,
  end: uint64,
  attributes: pairs,
  dropped: uint32,
  events: fc.array(fc.record({ time: uint64, name: text, attributes: pairs }), { maxLength: 3 }),
  links: fc.array(fc.record({ traceId: id(16), spanId: id(8) }), { maxLength: 2 }),
  status: fc.record({ code: fc.integer({ min: 0, max: 3 }), message: text }),
  flags: uint32,
});

const log: fc.Arbitrary<LogForm> = fc.record({
  time: uint64,
  observed: uint64,
  severity: fc.integer({ min: 0, max: 24 }),
  eventName: text,
  body: value.value,
  attributes: pairs,
  traceId: fc.oneof(none, id(16)),
  spanId: fc.oneof(none, id(8)),
});

function groups<Record>(record: fc.Arbitrary<Record>): fc.Arbitrary<readonly Group<Record>[]> {
  const scope = fc.record({ name: text, version: text });
  return fc.array(fc.record({ resource: pairs, scope, records: fc.array(record, { maxLength: 4 }) }), {
    maxLength: 3,
  });
}

export const spanGroups = groups(span);
export const logGroups = groups(log);
