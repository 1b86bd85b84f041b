import type { Outcome } from "../../model/outcome.ts";
import { unixNanoseconds } from "../../model/telemetry/unix-nanoseconds.ts";
import { type JudgeSpan, judgeSpanName } from "../records/judge-span.ts";
import type { SpanReference } from "../records/judged-span.ts";
import { evaluationEvent } from "../records/verdict-records.ts";
import { type VerdictSpan, verdictSpanName } from "../records/verdict-span.ts";
import { type AttributeBlock, encodeAttributes, writeAttributes } from "./attribute-block.ts";
import { ProtobufWriter, textLength } from "./protobuf-writer.ts";

// This file writes OTLP records field by field, because the SDK's serializers would send a score of 1.0 as an integer, and overwrite span
// flags. The comments in the functions name the OTLP fields.

export interface EncodedResult {
  readonly span: SpanReference;
  readonly outcome: Outcome;
  readonly attributes: AttributeBlock;
}

const severities: Readonly<Record<Outcome, readonly [number, string]>> = {
  pass: [9, "INFO"],
  skip: [9, "INFO"],
  warn: [13, "WARN"],
  incomplete: [13, "WARN"],
  fail: [17, "ERROR"],
  error: [17, "ERROR"],
};

const output = new ProtobufWriter();

/** Encodes a LogRecord with an event name and without a body. */
export function encodeLogRecord(
  result: EncodedResult,
  common: AttributeBlock,
  timeUnixMs: number,
): Uint8Array {
  const [severity, severityText] = severities[result.outcome];
  const time = unixNanoseconds(timeUnixMs);
  output.fixed64(1, time); // time_unix_nano
  output.integer(2, severity); // severity_number
  output.text(3, severityText); // severity_text
  writeAttributes(output, 6, common); // attributes
  writeAttributes(output, 6, result.attributes);
  output.fixed32(8, result.span.traceFlags); // flags
  output.hex(9, result.span.traceId); // trace_id
  output.hex(10, result.span.spanId); // span_id
  output.fixed64(11, time); // observed_time_unix_nano
  output.text(12, evaluationEvent); // event_name
  return output.take();
}

const internalKind = 1;
const errorStatus = 2;
/** Flags of a Span or Link (HAS_IS_REMOTE and IS_REMOTE): the parent span or the linked span is in another process. */
const remoteParent = 0x100 | 0x200;

/** Encodes a Span with one event for each result. */
export function encodeSpan(
  verdict: VerdictSpan,
  common: AttributeBlock,
  results: readonly EncodedResult[],
): Uint8Array {
  const { span, judged, placement, errorMessage } = verdict;
  const time = verdict.timeUnixNano;
  output.hex(1, span.traceId); // trace_id
  output.hex(2, span.spanId); // span_id
  if (placement === "child") output.hex(4, judged.spanId); // parent_span_id
  output.text(5, verdictSpanName); // name
  output.integer(6, internalKind); // kind
  output.fixed64(7, time); // start_time_unix_nano
  output.fixed64(8, time); // end_time_unix_nano
  writeAttributes(output, 9, common); // attributes
  writeAttributes(output, 9, encodeAttributes(verdict.attributes));
  for (const result of results) writeEvent(result, common, time); // events
  if (placement === "link") output.bytes(13, encodeLink(judged)); // links
  if (errorMessage !== undefined) output.bytes(15, encodeError(errorMessage)); // status
  output.fixed32(16, span.traceFlags | remoteParent); // flags
  return output.take();
}

/** Encodes results as event fields to append to an encoded Span. */
export function encodeEvents(
  results: readonly EncodedResult[],
  common: AttributeBlock,
  timeUnixNano: bigint,
): Uint8Array {
  for (const result of results) writeEvent(result, common, timeUnixNano);
  return output.take();
}

const clientKind = 3;

export function encodeJudgeSpan(judge: JudgeSpan): Uint8Array {
  const { span, judged, errorMessage } = judge;
  output.hex(1, span.traceId); // trace_id
  output.hex(2, span.spanId); // span_id
  output.text(5, judgeSpanName); // name
  output.integer(6, clientKind); // kind
  output.fixed64(7, unixNanoseconds(judge.startUnixMs)); // start_time_unix_nano
  output.fixed64(8, unixNanoseconds(judge.endUnixMs)); // end_time_unix_nano
  writeAttributes(output, 9, encodeAttributes(judge.attributes));
  output.bytes(13, encodeLink(judged)); // links
  if (errorMessage !== undefined) output.bytes(15, encodeError(errorMessage)); // status
  output.fixed32(16, span.traceFlags); // flags
  return output.take();
}

/** Bytes of an event without its attributes: the time with its tag, and the name with its tag and length. */
const eventHeadLength = 9 + 2 + textLength(evaluationEvent);

function writeEvent(result: EncodedResult, common: AttributeBlock, time: bigint): void {
  output.header(11, eventHeadLength + common.bytes.length + result.attributes.bytes.length);
  output.fixed64(1, time); // time_unix_nano
  output.text(2, evaluationEvent); // name
  writeAttributes(output, 3, common); // attributes
  writeAttributes(output, 3, result.attributes);
}

const part = new ProtobufWriter();

function encodeLink(judged: SpanReference): Uint8Array {
  part.hex(1, judged.traceId); // trace_id
  part.hex(2, judged.spanId); // span_id
  part.fixed32(6, judged.traceFlags | remoteParent); // flags
  return part.take();
}

function encodeError(message: string): Uint8Array {
  part.text(2, message); // message
  part.integer(3, errorStatus); // code
  return part.take();
}
