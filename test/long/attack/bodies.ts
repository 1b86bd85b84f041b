import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { hostileBody, type HostileShape, hostileShapes } from "../../../bench/data/hostile.ts";
import { type PlainSpan, requestAsProtobuf } from "../../chaos/agent-trace.ts";
import { type Attack, repeated } from "./attack.ts";
import { ask, type Outcome } from "./request.ts";

const MIB = 2 ** 20;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const PROTOBUF = { "content-type": "application/x-protobuf" };
const JSON_TYPE = { "content-type": "application/json" };
const GZIP = { "content-encoding": "gzip" };
/** Valid telemetry must be accepted, or refused with a status that allows a retry. */
const TAKEN_OR_LATER: readonly Outcome[] = [200, 429, 503];

interface Body {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

/** An attack that posts the bodies from `make`, and expects one of these outcomes. */
function sending(
  name: string,
  { lanes, pauseMs = 0, leastSeconds }: { lanes: number; pauseMs?: number; leastSeconds?: number },
  make: () => (round: number) => Body,
  expected: readonly Outcome[] = TAKEN_OR_LATER,
): Attack {
  return {
    name,
    ...(leastSeconds === undefined ? {} : { leastSeconds }),
    run(target) {
      const bodyOf = make();
      return repeated(target, lanes, async (round) => {
        const { headers, body } = bodyOf(round);
        const outcome = await ask({
          address: target.http,
          method: "POST",
          path: "/v1/traces",
          headers,
          body,
          agent,
        });
        if (pauseMs > 0) await sleep(pauseMs);
        return expected.includes(outcome) ? null : `answered ${outcome}`;
      });
    },
  };
}

function inTurn(bodies: readonly Body[]): (round: number) => Body {
  return (round) => bodies[round % bodies.length] ?? { headers: PROTOBUF, body: "" };
}

const protobuf = (body: Uint8Array): Body => ({ headers: PROTOBUF, body });
const json = (body: string): Body => ({ headers: JSON_TYPE, body });
const zipped = ({ headers, body }: Body): Body => ({
  headers: { ...headers, ...GZIP },
  body: gzipSync(body, { level: 1 }),
});

let spans = 0;
function looseSpan(attributes: Readonly<Record<string, string>>, more: Partial<PlainSpan> = {}): PlainSpan {
  const id = `${process.pid.toString(16)}${(spans++).toString(16).padStart(10, "0")}`.padStart(16, "a");
  return {
    traceId: id.padStart(32, "e"),
    spanId: id,
    parentSpanId: "f".repeat(16),
    name: "execute_tool x",
    startMs: 1_760_000_000_000,
    endMs: 1_760_000_000_001,
    attributes,
    ...more,
  };
}

/** A request with `size` bytes of minimal spans. */
function smallestSpans(size: number): Uint8Array {
  const ids = Buffer.concat([Buffer.of(10, 16), Buffer.alloc(16, 8), Buffer.of(18, 8), Buffer.alloc(8, 8)]);
  const span = Buffer.concat([Buffer.of(18, ids.length), ids]);
  const list = Buffer.alloc(Math.floor(size / span.length) * span.length);
  for (let at = 0; at < list.length; at += span.length) span.copy(list, at);
  return field(1, field(2, list));
}

/** A length-delimited field with a field number below 16. */
function field(number: number, bytes: Uint8Array): Buffer {
  const head = [(number << 3) | 2];
  let rest = bytes.length;
  for (; rest > 127; rest >>>= 7) head.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([...head, rest]), bytes]);
}

function nested(depth: number): Uint8Array {
  let value: Uint8Array = Buffer.of(0x18, 1);
  for (let i = 0; i < depth; i++) value = field(5, field(1, value));
  const attribute = field(9, Buffer.concat([field(1, Buffer.from("deep")), field(2, value)]));
  const ids = Buffer.concat([field(1, Buffer.alloc(16, 1)), field(2, Buffer.alloc(8, 1))]);
  return field(1, field(2, field(2, Buffer.concat([ids, attribute]))));
}

const LEVELS = 5_000;
/** Texts that an agent may read on a web page: complete, truncated, and in Python's notation. */
const nestedTexts: readonly string[] = [
  "[".repeat(LEVELS) + "]".repeat(LEVELS),
  '{"a":'.repeat(LEVELS) + "1" + "}".repeat(LEVELS),
  "[".repeat(LEVELS),
  "{'a': ".repeat(LEVELS) + "1" + "}".repeat(LEVELS),
  "Message(content=".repeat(LEVELS) + "'x'" + ")".repeat(LEVELS),
  `[${"1,".repeat(300_000)}1]`,
];
/** Attributes that the reader parses. */
const readNames =
  "gen_ai.input.messages gen_ai.output.messages gen_ai.system_instructions gen_ai.tool.definitions gen_ai.tool.call.arguments gen_ai.tool.call.result input.value output.value llm.input_messages.0.message.content traceloop.entity.input traceloop.entity.output ai.response.object error.message".split(
    " ",
  );
const agentSpan = { "gen_ai.operation.name": "invoke_agent" };

/** Attacks with the content of bodies. Traces are read when they are closed; attacks on reading therefore take longer. */
export const bodyAttacks: readonly Attack[] = [
  sending(
    "gzip bodies that inflate to 63 MiB, eight senders",
    { lanes: 8 },
    () => {
      const span = '{"traceId":"0a","spanId":"0b","name":"n"}';
      const large = `{"resourceSpans":[{"scopeSpans":[{"spans":[${Array<string>(MIB).fill(span).join(",")}]}]}]}`;
      const text = requestAsProtobuf([looseSpan({ key: "a".repeat(63 * MIB) })]);
      return inTurn([protobuf(text), protobuf(smallestSpans(63 * MIB)), json(large)].map(zipped));
    },
    [200, 400, 413, 429, 503],
  ),
  sending(
    "gzip bombs of 1 GiB, nested gzip, broken gzip",
    { lanes: 8 },
    () => {
      const bomb = gzipSync(Buffer.alloc(1024 * MIB), { level: 1 });
      const bodies = [bomb, gzipSync(bomb), bomb.subarray(0, bomb.length / 2), Buffer.from("no gzip")];
      return inTurn(bodies.map((body) => ({ headers: { ...PROTOBUF, ...GZIP }, body })));
    },
    // The server reads on for a moment after it refuses a body for its size; then it closes the connection.
    ["closed", 400, 413, 429, 503],
  ),
  sending(
    "malformed bodies: cut, random, nested 20,000 deep, lengths of 2 GiB",
    { lanes: 8 },
    () => {
      const good = requestAsProtobuf([looseSpan({ a: "b" })]);
      const broken = [
        good.subarray(0, good.length - 1),
        Buffer.from("8f3c1d5e99a07b42d1c6", "hex"),
        Buffer.from("0affffffff07", "hex"),
        Buffer.alloc(100_000, 0x80),
        nested(20_000),
      ];
      const texts = ["[".repeat(100_000), '{"resourceSpans":[{', `{"a":"${"\\u0000".repeat(9_999)}`];
      return inTurn([...broken.map(protobuf), ...texts.map(json)]);
    },
    [200, 400, 429, 503],
  ),
  sending(
    "bodies that are too large, in one piece",
    { lanes: 4 },
    () => inTurn([protobuf(Buffer.alloc(80 * MIB))]),
    ["closed", 413, 429, 503],
  ),
  sending(
    "unknown keys: 700,000 in one span, 4,000 spans with 100 each, 20,000 spans with 10 each",
    { lanes: 1, pauseMs: 2_000, leastSeconds: 30 },
    () => {
      const shapes = Object.keys(hostileShapes) as HostileShape[];
      return (round) => {
        const isJson = round % 2 === 0;
        const shape = shapes[round % shapes.length] ?? "keys";
        const body = hostileBody(shape, process.pid * 1000 + round, isJson ? "json" : "protobuf");
        return { headers: { ...(isJson ? JSON_TYPE : PROTOBUF), ...GZIP }, body };
      };
    },
  ),
  sending("open traces without end: spans whose parents never come", { lanes: 8 }, () => () => {
    const list = Array.from({ length: 500 }, () => looseSpan({ note: "x".repeat(200) }));
    return protobuf(requestAsProtobuf(list));
  }),
  sending(
    "texts that nest: JSON and Python's notation, five thousand levels and 300,000 values, wherever texts become values",
    { lanes: 1, pauseMs: 200, leastSeconds: 30 },
    () => (round) => {
      const text = nestedTexts[round % nestedTexts.length] ?? "";
      const values = Object.fromEntries(readNames.map((name) => [name, text]));
      return protobuf(requestAsProtobuf([looseSpan({ ...agentSpan, ...values }, { parentSpanId: null })]));
    },
  ),
  sending("a trace id for each request, and times an hour ahead and behind", { lanes: 8 }, () => (round) => {
    const startMs = Date.now() + ((round % 3) - 1) * 3_600_000;
    const list = Array.from({ length: 200 }, () =>
      looseSpan(agentSpan, { parentSpanId: null, startMs, endMs: startMs + 1 }),
    );
    return protobuf(requestAsProtobuf(list));
  }),
  sending(
    "hostile texts: names of agents without end, prototype keys, patterns, control characters",
    { lanes: 4 },
    () => (round) => {
      const list = Array.from({ length: 50 }, (_, i) =>
        looseSpan({
          ...agentSpan,
          "gen_ai.agent.name": `agent ${process.pid} ${round} ${i}`,
          __proto__x: "y",
          constructor: "z",
          [`key ${round} ${i}`]: "\u001b]0;owned\u0007\u202e<script>alert(1)</script>",
          "gen_ai.output.messages": "a".repeat(5_000) + "!",
        }),
      );
      return protobuf(requestAsProtobuf(list));
    },
  ),
];
