import type { Encoding, Signal } from "../../otlp/signal.ts";

export const RecordKind = {
  request: 1,
  judged: 2,
  delivered: 3,
  finished: 4,
  forwarded: 5,
  sentOn: 6,
} as const;

export interface RequestMeta {
  readonly signal: Signal;
  readonly encoding: Encoding;
  readonly receivedUnixMs: number;
  /** Data that are needed to forward the request after a restart; absent if the request is not forwarded. */
  readonly sent?: SentMeta;
  /**
   * For each session of the request's log records, the number of the trace that they form (`Assembler.sessionTraces`); absent if each
   * session has the number 0.
   */
  readonly sessionTraces?: readonly number[];
}

export interface SentMeta {
  readonly isCompressed: boolean;
  /** Request headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Backends whose queues read the request from the journal. */
  readonly queues: readonly string[];
}

/** Numbers of requests that a backend has received. */
export interface SentOn {
  readonly queue: string;
  readonly numbers: readonly number[];
}

/**
 * Traces that a backend has received, or that tail-based forwarding dropped for this backend. Requests up to the number `through` are
 * covered.
 */
export interface Forwarded {
  readonly destination: string;
  readonly kept: boolean;
  readonly through: number;
  readonly traceIds: readonly string[];
}

/** Verdicts of a run. They are recorded before they are exported. */
export interface Judgement {
  readonly runId: string;
  readonly traceIds: readonly string[];
  /** Fingerprint of the content of the run's traces. */
  readonly fingerprint: string;
  readonly verdicts: readonly { readonly verdictId: string; readonly revision: number }[];
}

const signals: readonly Signal[] = ["traces", "logs", "metrics"];
const encodings: readonly Encoding[] = ["protobuf", "json"];
const META_BYTES = 10;
/** Used for a request that is not forwarded, but has other metadata. */
const nothingSent: SentMeta = { isCompressed: false, headers: {}, queues: [] };
const ID_BYTES = 16;

export function encodeMeta({
  signal,
  encoding,
  receivedUnixMs,
  sent,
  sessionTraces,
}: RequestMeta): Uint8Array {
  const meta = Buffer.alloc(META_BYTES);
  meta.writeUInt8(signals.indexOf(signal), 0);
  meta.writeUInt8(encodings.indexOf(encoding), 1);
  meta.writeDoubleLE(receivedUnixMs, 2);
  if (sent === undefined && sessionTraces === undefined) return meta;
  const { isCompressed, headers, queues } = sent ?? nothingSent;
  const more = sessionTraces === undefined ? [] : [sessionTraces];
  return Buffer.concat([meta, Buffer.from(JSON.stringify([isCompressed, headers, queues, ...more]))]);
}

/** Decodes the metadata of a request; null if this version cannot decode it. */
export function decodeMeta(bytes: Uint8Array): RequestMeta | null {
  const meta = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const signal = signals[meta[0] ?? -1];
  const encoding = encodings[meta[1] ?? -1];
  if (signal === undefined || encoding === undefined || meta.length < META_BYTES) return null;
  const more = meta.length > META_BYTES ? decodeMore(meta.toString("utf8", META_BYTES)) : undefined;
  return { signal, encoding, receivedUnixMs: meta.readDoubleLE(2), ...more };
}

function decodeMore(text: string): Pick<RequestMeta, "sent" | "sessionTraces"> | undefined {
  try {
    const [isCompressed, headers, queues, sessionTraces] = JSON.parse(text) as unknown[];
    if (typeof headers !== "object" || headers === null) return undefined;
    const texts = Object.entries(headers).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    );
    const sent = {
      isCompressed: isCompressed === true,
      headers: Object.fromEntries(texts),
      queues: Array.isArray(queues) ? queues.map(String) : [],
    };
    return Array.isArray(sessionTraces) ? { sent, sessionTraces: sessionTraces.map(Number) } : { sent };
  } catch {
    return undefined;
  }
}

export function encodeForwarded({ destination, kept, through, traceIds }: Forwarded): Uint8Array {
  return Buffer.from(JSON.stringify([destination, kept, through, traceIds]));
}

/** Decodes a record about forwarded traces; null if this version cannot decode it. */
export function decodeForwarded(bytes: Uint8Array): Forwarded | null {
  try {
    const [destination, kept, through, traceIds] = JSON.parse(Buffer.from(bytes).toString()) as unknown[];
    if (typeof destination !== "string" || typeof through !== "number" || !Array.isArray(traceIds))
      return null;
    return { destination, kept: kept === true, through, traceIds: traceIds.map(String) };
  } catch {
    return null;
  }
}

export function encodeSentOn({ queue, numbers }: SentOn): Uint8Array {
  return Buffer.from(JSON.stringify([queue, ...numbers]));
}

/** Decodes a record about delivered requests; null if this version cannot decode it. */
export function decodeSentOn(bytes: Uint8Array): SentOn | null {
  try {
    const [queue, ...numbers] = JSON.parse(Buffer.from(bytes).toString()) as unknown[];
    return typeof queue === "string" ? { queue, numbers: numbers.map(Number) } : null;
  } catch {
    return null;
  }
}

export function encodeJudgement({ runId, traceIds, fingerprint, verdicts }: Judgement): Uint8Array {
  const ids = verdicts.map(({ verdictId, revision }) => [verdictId, revision]);
  return Buffer.from(JSON.stringify([runId, traceIds, fingerprint, ids]));
}

/** Decodes a record of verdicts; null if this version cannot decode it. */
export function decodeJudgement(bytes: Uint8Array): Judgement | null {
  try {
    const read: unknown = JSON.parse(Buffer.from(bytes).toString());
    if (!Array.isArray(read)) return null;
    const [runId, traceIds, fingerprint, verdicts]: unknown[] = read;
    if (typeof runId !== "string" || typeof fingerprint !== "string") return null;
    if (!Array.isArray(traceIds) || !Array.isArray(verdicts)) return null;
    return { runId, traceIds: traceIds.map(String), fingerprint, verdicts: verdicts.flatMap(verdictOf) };
  } catch {
    return null;
  }
}

function verdictOf(written: unknown): Judgement["verdicts"] {
  if (!Array.isArray(written)) return [];
  const [verdictId, revision]: unknown[] = written;
  return typeof verdictId === "string" && typeof revision === "number" ? [{ verdictId, revision }] : [];
}

/** Encodes the number of a record to which another record refers. */
export function encodeNumber(number: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(number);
  return bytes;
}

export function decodeNumber(bytes: Uint8Array): number {
  return bytes.length < 8 ? -1 : Buffer.from(bytes).readDoubleLE();
}

/** Encodes trace ids, each as 16 bytes. */
export function encodeTraceIds(traceIds: readonly string[]): Uint8Array {
  return Buffer.from(traceIds.join(""), "hex");
}

export function decodeTraceIds(bytes: Uint8Array): string[] {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
  return Array.from({ length: Math.floor(bytes.length / ID_BYTES) }, (_, index) =>
    hex.slice(index * ID_BYTES * 2, (index + 1) * ID_BYTES * 2),
  );
}
