import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import protobuf from "protobufjs";
import { type PlainSpan, requestAsProtobuf } from "../../chaos/agent-trace.ts";
import { type Attack, repeated } from "./attack.ts";
import { ask, type Outcome } from "./request.ts";

const MIB = 2 ** 20;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** One POST to the OTLP port. */
function post(address: string, headers: Record<string, string>, body: Uint8Array | string): Promise<Outcome> {
  return ask({ address, method: "POST", path: "/v1/traces", headers, body, agent });
}

const PROTOBUF = { "content-type": "application/x-protobuf" };
const JSON_TYPE = { "content-type": "application/json" };
const GZIP = { "content-encoding": "gzip" };

/** Sends bodies in turn, and expects one of these outcomes. */
function sending(
  name: string,
  lanes: number,
  bodies: () => readonly { readonly headers: Record<string, string>; readonly body: Uint8Array | string }[],
  expected: readonly Outcome[],
): Attack {
  return {
    name,
    run(target) {
      const made = bodies();
      return repeated(target, lanes, async (round) => {
        const { headers, body } = made[round % made.length] ?? { headers: PROTOBUF, body: "" };
        return unexpected(await post(target.http, headers, body), expected);
      });
    },
  };
}

/** Telemetry that is well-formed is taken, or is to be sent again; nothing else. */
const TAKEN_OR_LATER: readonly Outcome[] = [200, 429, 503];

function unexpected(outcome: Outcome, expected: readonly Outcome[]): string | null {
  return expected.includes(outcome) ? null : `answered ${outcome}`;
}

function field(number: number, bytes: Uint8Array): Uint8Array {
  return protobuf.Writer.create()
    .uint32((number << 3) | 2)
    .bytes(bytes)
    .finish();
}

/** A request of `size` bytes: one span with one long text, or nothing but the smallest of spans. */
function large(size: number, kind: "text" | "spans"): Uint8Array {
  const ids = (fill: number) => [field(1, Buffer.alloc(16, fill)), field(2, Buffer.alloc(8, fill))];
  if (kind === "text") {
    const value = field(2, field(1, Buffer.alloc(size, 0x61)));
    const attribute = field(9, Buffer.concat([field(1, Buffer.from("key")), value]));
    return field(1, field(2, field(2, Buffer.concat([...ids(9), attribute]))));
  }
  const span = field(2, Buffer.concat(ids(8)));
  const list = Buffer.alloc(Math.floor(size / span.length) * span.length);
  for (let at = 0; at < list.length; at += span.length) list.set(span, at);
  return field(1, field(2, list));
}

function largeJson(size: number): string {
  const span = JSON.stringify({ traceId: "0a".repeat(16), spanId: "0b".repeat(8), name: "n" });
  const spans = Array<string>(Math.floor(size / (span.length + 1))).fill(span);
  return `{"resourceSpans":[{"scopeSpans":[{"spans":[${spans.join(",")}]}]}]}`;
}

function nested(depth: number): Uint8Array {
  let value: Uint8Array = Buffer.of(0x18, 1);
  for (let i = 0; i < depth; i++) value = field(5, field(1, value));
  const attribute = field(9, Buffer.concat([field(1, Buffer.from("deep")), field(2, value)]));
  const span = Buffer.concat([field(1, Buffer.alloc(16, 1)), field(2, Buffer.alloc(8, 1)), attribute]);
  return field(1, field(2, field(2, span)));
}

let spans = 0;
function looseSpan(attributes: Readonly<Record<string, string>>): PlainSpan {
  const id = `${process.pid.toString(16)}${(spans++).toString(16).padStart(10, "0")}`.padStart(16, "a");
  return {
    traceId: id.padStart(32, "e"),
    spanId: id,
    parentSpanId: "f".repeat(16),
    name: "execute_tool x",
    startMs: 1_760_000_000_000,
    endMs: 1_760_000_000_001,
    attributes,
  };
}

/** One trace of spans without parents, each with attributes that no adapter names, as protobuf and as JSON. */
function unknownKeys(spanCount: number, keysPerSpan: number) {
  const traceId = `${process.pid.toString(16)}${(spans++).toString(16)}`.padStart(32, "d");
  const made = Array.from({ length: spanCount }, (_, index) => ({
    traceId,
    spanId: (index + 1).toString(16).padStart(16, "0"),
    keys: Array.from({ length: keysPerSpan }, (__, key) => `k${index}_${key}x`),
  }));
  return {
    protobuf: () => {
      const value = field(2, field(1, Buffer.from("v")));
      const list = made.map(({ spanId, keys }) => {
        const ids = [field(1, Buffer.from(traceId, "hex")), field(2, Buffer.from(spanId, "hex"))];
        const attributes = keys.map((key) => field(9, Buffer.concat([field(1, Buffer.from(key)), value])));
        return field(2, Buffer.concat([...ids, ...attributes]));
      });
      return field(1, field(2, Buffer.concat(list)));
    },
    json: () => {
      const list = made.map(({ spanId, keys }) => {
        const attributes = keys.map((key) => ({ key, value: { stringValue: "v" } }));
        return { traceId, spanId, name: "x", attributes };
      });
      return Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: list }] }] }));
    },
  };
}

const LEVELS = 5_000;
/** As an agent may read them on a web page: whole, cut off, and as Python prints data. */
const nestedTexts: readonly string[] = [
  "[".repeat(LEVELS) + "]".repeat(LEVELS),
  '{"a":'.repeat(LEVELS) + "1" + "}".repeat(LEVELS),
  "[".repeat(LEVELS),
  '{"a":'.repeat(LEVELS),
  "{'a': ".repeat(LEVELS) + "1" + "}".repeat(LEVELS),
  "(".repeat(LEVELS) + ")".repeat(LEVELS),
  "Message(content=".repeat(LEVELS) + "'x'" + ")".repeat(LEVELS),
  `[${"1,".repeat(300_000)}1]`,
];

/** The attributes that become values, each with the text. */
function readAttributes(text: string): Readonly<Record<string, string>> {
  const names = [
    "gen_ai.input.messages",
    "gen_ai.output.messages",
    "gen_ai.system_instructions",
    "gen_ai.tool.definitions",
    "gen_ai.tool.call.arguments",
    "gen_ai.tool.call.result",
    "input.value",
    "output.value",
    "llm.input_messages.0.message.content",
    "traceloop.entity.input",
    "traceloop.entity.output",
    "ai.response.object",
    "error.message",
  ];
  return Object.fromEntries([
    ["gen_ai.operation.name", "invoke_agent"],
    ["gen_ai.agent.name", "nested"],
    ...names.map((name) => [name, text] as const),
  ]);
}

/** Attacks by what bodies hold. */
export const bodyAttacks: readonly Attack[] = [
  sending(
    "gzip bodies that inflate to 63 MiB, eight senders",
    8,
    () =>
      [
        { headers: PROTOBUF, body: large(63 * MIB, "text") },
        { headers: PROTOBUF, body: large(63 * MIB, "spans") },
        { headers: JSON_TYPE, body: Buffer.from(largeJson(63 * MIB)) },
      ].map(({ headers, body }) => ({
        headers: { ...headers, ...GZIP },
        body: gzipSync(body, { level: 1 }),
      })),
    [200, 413, 429, 503],
  ),
  sending(
    "gzip bombs of 1 GiB, nested gzip, broken gzip",
    8,
    () => {
      const bomb = gzipSync(Buffer.alloc(1024 * MIB), { level: 1 });
      return [bomb, gzipSync(bomb), bomb.subarray(0, bomb.length / 2), Buffer.from("no gzip")].map(
        (body) => ({
          headers: { ...PROTOBUF, ...GZIP },
          body,
        }),
      );
    },
    // What is refused for its size is read on for a moment, then the connection is closed.
    ["closed", 400, 413, 429, 503],
  ),
  sending(
    "malformed bodies: cut, random, nested 20,000 deep, lengths of 2 GiB",
    8,
    () => {
      const good = Buffer.from(requestAsProtobuf([looseSpan({ a: "b" })]));
      const broken = [
        good.subarray(0, good.length - 1),
        Buffer.from("8f3c1d5e99a07b42d1c6", "hex"),
        Buffer.from("0affffffff07", "hex"),
        Buffer.alloc(100_000, 0x80),
      ].map((body) => ({ headers: PROTOBUF, body }));
      const json = ["[".repeat(100_000), '{"resourceSpans":[{', `{"a":"${"\\u0000".repeat(9_999)}`].map(
        (body) => ({
          headers: JSON_TYPE,
          body,
        }),
      );
      return [...broken, ...json, { headers: PROTOBUF, body: nested(20_000) }];
    },
    [200, 400, 429, 503],
  ),
  sending(
    "bodies that are too large, in one piece",
    4,
    () => [{ headers: PROTOBUF, body: Buffer.alloc(80 * MIB) }],
    ["closed", 413, 429, 503],
  ),
  {
    name: "unknown keys: 700,000 in one span, 4,000 spans with 100 each, 20,000 spans with 10 each",
    // The traces are read when they are closed.
    leastSeconds: 30,
    run: (target) =>
      repeated(target, 1, async (round) => {
        const shapes = [
          [1, 700_000],
          [4_000, 100],
          [20_000, 10],
        ] as const;
        const [spanCount, keysPerSpan] = shapes[round % shapes.length] ?? [1, 1];
        const made = unknownKeys(spanCount, keysPerSpan);
        const isJson = round % 2 === 0;
        const headers = { ...(isJson ? JSON_TYPE : PROTOBUF), ...GZIP };
        const body = gzipSync(isJson ? made.json() : made.protobuf(), { level: 1 });
        const outcome = await post(target.http, headers, body);
        await sleep(2_000);
        return unexpected(outcome, TAKEN_OR_LATER);
      }),
  },
  {
    name: "open traces without end: spans whose parents never come",
    run: (target) =>
      repeated(target, 8, async () => {
        const body = requestAsProtobuf(
          Array.from({ length: 500 }, () => looseSpan({ note: "x".repeat(200) })),
        );
        return unexpected(await post(target.http, PROTOBUF, body), TAKEN_OR_LATER);
      }),
  },
  {
    name: "texts that nest: JSON and Python's notation, five thousand levels and 300,000 values, wherever texts become values",
    // Runs are read when their traces are closed.
    leastSeconds: 30,
    run: (target) =>
      repeated(target, 1, async (round) => {
        const text = nestedTexts[round % nestedTexts.length] ?? "";
        const root = { ...looseSpan(readAttributes(text)), parentSpanId: "" };
        const outcome = await post(target.http, PROTOBUF, requestAsProtobuf([root]));
        await sleep(200);
        return unexpected(outcome, TAKEN_OR_LATER);
      }),
  },
  {
    name: "a trace id for each request, and times an hour ahead and behind",
    run: (target) =>
      repeated(target, 8, async (round) => {
        const hour = 3_600_000;
        const startMs = Date.now() + (round % 3 === 0 ? hour : round % 3 === 1 ? -hour : 0);
        const list = Array.from({ length: 200 }, () => ({
          ...looseSpan({ "gen_ai.operation.name": "invoke_agent" }),
          parentSpanId: "",
          startMs,
          endMs: startMs + 1,
        }));
        return unexpected(await post(target.http, PROTOBUF, requestAsProtobuf(list)), TAKEN_OR_LATER);
      }),
  },
  {
    name: "hostile texts: names of agents without end, prototype keys, patterns, control characters",
    run: (target) =>
      repeated(target, 4, async (round) => {
        const list = Array.from({ length: 50 }, (_, i) =>
          looseSpan({
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": `agent ${process.pid} ${round} ${i}`,
            __proto__x: "y",
            constructor: "z",
            [`key ${round} ${i}`]: "\u001b]0;owned\u0007\u202e<script>alert(1)</script>",
            "gen_ai.output.messages": "a".repeat(5_000) + "!",
          }),
        );
        return unexpected(await post(target.http, PROTOBUF, requestAsProtobuf(list)), TAKEN_OR_LATER);
      }),
  },
];
