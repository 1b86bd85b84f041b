import protobuf from "protobufjs/minimal.js";
import type { Outcome } from "../../model/outcome.ts";
import type { Attributes, AttributeValue } from "../attribute.ts";
import type { SpanReference } from "../judged-span.ts";
import { type EvaluationResult, evaluationEvent } from "../verdict-records.ts";
import { type VerdictSpan, verdictSpanName } from "../verdict-span.ts";

// Written field by field, because the SDK's serializers send a score of 1.0 as an integer and overwrite span flags.
// Numbers in comments are OTLP's field numbers; `tag` makes the wire tag of one.
const { Writer } = protobuf;
type Writer = protobuf.Writer;
const tag = (field: number, wireType: 0 | 1 | 2 | 5): number => (field << 3) | wireType;

/** KeyValue messages, encoded once to be embedded in many records. */
export type EncodedAttributes = readonly Uint8Array[];

export function encodeAttributes(attributes: Attributes): EncodedAttributes {
  const encoded: Uint8Array[] = [];
  for (const [name, value] of attributes) {
    const writer = Writer.create().uint32(tag(1, 2)).string(name).uint32(tag(2, 2)).fork();
    encoded.push(anyValue(writer, value).ldelim().finish());
  }
  return encoded;
}

const severities: Readonly<Record<Outcome, readonly [number, string]>> = {
  pass: [9, "INFO"],
  skip: [9, "INFO"],
  warn: [13, "WARN"],
  incomplete: [13, "WARN"],
  fail: [17, "ERROR"],
  error: [17, "ERROR"],
};

/** A LogRecord with a top-level event name and no body. */
export function encodeLogRecord(
  result: EvaluationResult,
  common: EncodedAttributes,
  timeUnixMs: number,
): Uint8Array {
  const [severity, severityText] = severities[result.outcome];
  const writer = Writer.create();
  nanoseconds(writer.uint32(tag(1, 1)), timeUnixMs); // time_unix_nano
  writer.uint32(tag(2, 0)).int32(severity); // severity_number
  writer.uint32(tag(3, 2)).string(severityText); // severity_text
  attributeFields(writer, 6, common);
  attributeFields(writer, 6, encodeAttributes(result.attributes));
  writer.uint32(tag(8, 5)).fixed32(result.span.traceFlags); // flags
  ids(writer, 9, 10, result.span); // trace_id, span_id
  nanoseconds(writer.uint32(tag(11, 1)), timeUnixMs); // observed_time_unix_nano
  writer.uint32(tag(12, 2)).string(evaluationEvent); // event_name
  return writer.finish();
}

/** A Span with one event for each of `results`; pass none to leave the events out. */
export function encodeSpan(
  verdict: VerdictSpan,
  common: EncodedAttributes,
  results: readonly EvaluationResult[],
): Uint8Array {
  const writer = Writer.create();
  ids(writer, 1, 2, verdict.span); // trace_id, span_id
  if (verdict.placement === "child") writer.uint32(tag(4, 2)).bytes(fromHex(verdict.judged.spanId)); // parent_span_id
  writer.uint32(tag(5, 2)).string(verdictSpanName); // name
  writer.uint32(tag(6, 0)).int32(internalKind); // kind
  nanoseconds(writer.uint32(tag(7, 1)), verdict.timeUnixMs); // start_time_unix_nano
  nanoseconds(writer.uint32(tag(8, 1)), verdict.timeUnixMs); // end_time_unix_nano
  attributeFields(writer, 9, common);
  attributeFields(writer, 9, encodeAttributes(verdict.attributes));
  for (const result of results) eventField(writer, result, common, verdict.timeUnixMs);
  if (verdict.placement === "link") linkField(writer, verdict.judged);
  if (verdict.errorMessage !== undefined) {
    const status = writer.uint32(tag(15, 2)).fork(); // status: message, code
    status.uint32(tag(2, 2)).string(verdict.errorMessage).uint32(tag(3, 0)).int32(errorStatus).ldelim();
  }
  writer.uint32(tag(16, 5)).fixed32(verdict.span.traceFlags | parentContextKnown | parentIsRemote); // flags
  return writer.finish();
}

const internalKind = 1;
const errorStatus = 2;
/** Bits of Span.flags and Link.flags that say whether the parent, or the linked span, lives in another process. */
const parentContextKnown = 0x100;
const parentIsRemote = 0x200;

function eventField(
  writer: Writer,
  result: EvaluationResult,
  common: EncodedAttributes,
  timeUnixMs: number,
): void {
  writer.uint32(tag(11, 2)).fork(); // events
  nanoseconds(writer.uint32(tag(1, 1)), timeUnixMs); // time_unix_nano
  writer.uint32(tag(2, 2)).string(evaluationEvent); // name
  attributeFields(writer, 3, common);
  attributeFields(writer, 3, encodeAttributes(result.attributes));
  writer.ldelim();
}

function linkField(writer: Writer, judged: SpanReference): void {
  writer.uint32(tag(13, 2)).fork(); // links
  ids(writer, 1, 2, judged); // trace_id, span_id
  writer
    .uint32(tag(6, 5))
    .fixed32(judged.traceFlags | parentContextKnown | parentIsRemote)
    .ldelim(); // flags
}

function attributeFields(writer: Writer, field: number, attributes: EncodedAttributes): void {
  for (const keyValue of attributes) writer.uint32(tag(field, 2)).bytes(keyValue);
}

function anyValue(writer: Writer, value: AttributeValue): Writer {
  if (typeof value === "string") return writer.uint32(tag(1, 2)).string(value); // string_value
  if (typeof value === "boolean") return writer.uint32(tag(2, 0)).bool(value); // bool_value
  if (typeof value === "bigint") return writer.uint32(tag(3, 0)).int64(Number(value)); // int_value
  if (typeof value === "number") return writer.uint32(tag(4, 1)).double(value); // double_value
  return arrayValue(writer, value);
}

function arrayValue(writer: Writer, values: readonly string[]): Writer {
  writer.uint32(tag(5, 2)).fork(); // array_value
  for (const value of values) anyValue(writer.uint32(tag(1, 2)).fork(), value).ldelim(); // values
  return writer.ldelim();
}

function ids(writer: Writer, traceField: number, spanField: number, span: SpanReference): void {
  writer.uint32(tag(traceField, 2)).bytes(fromHex(span.traceId));
  writer.uint32(tag(spanField, 2)).bytes(fromHex(span.spanId));
}

function fromHex(hex: string): Uint8Array {
  return Buffer.from(hex, "hex");
}

/** A fixed64 of nanoseconds. Whole and fractional milliseconds apart, because their product exceeds a double's precision. */
function nanoseconds(writer: Writer, unixMs: number): Writer {
  const whole = unixMs > 0 && Number.isFinite(unixMs) ? Math.floor(unixMs) : 0;
  const nanos = BigInt(whole) * 1_000_000n + BigInt(whole === 0 ? 0 : Math.round((unixMs - whole) * 1e6));
  return writer.fixed32(Number(nanos & 0xffffffffn)).fixed32(Number(nanos >> 32n));
}
