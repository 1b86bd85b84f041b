import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { globSync } from "tinyglobby";

/** The telemetry of one recorded run, and its true query, answer and tool calls. */
export interface Recording {
  readonly name: string;
  /** OTLP/JSON, one request per line, each with its line feed. */
  readonly lines: string;
  readonly traceId: string;
  readonly query: string;
  readonly answer: string;
  readonly tools: readonly Call[];
}

export interface Call {
  readonly name: string;
  readonly arguments: unknown;
}

interface Truth {
  readonly source?: string;
  readonly runs: readonly {
    readonly query: string | null;
    readonly answer: string | null;
    readonly tools: readonly Call[];
  }[];
}

/**
 * The recordings in a folder and its subfolders: `NAME.jsonl` beside `NAME.expected.json`. Only recordings with one trace and one run with
 * a query and an answer are used. Recordings whose run differs from the first one with the same query are left out, and so are recordings
 * that were written from documentation.
 * @throws Error if there are none
 */
export function recordingsIn(folder: string): readonly Recording[] {
  const first = new Map<string, Recording>();
  const all: Recording[] = [];
  for (const file of globSync("**/*.expected.json", { cwd: folder }).sort()) {
    const recording = read(folder, file.slice(0, -".expected.json".length));
    if (recording === null) continue;
    const same = first.get(recording.query) ?? recording;
    first.set(recording.query, same);
    if (didTheSame(recording, same)) all.push(recording);
  }
  if (all.length === 0)
    throw new Error(`${folder} holds no NAME.jsonl with NAME.expected.json of one trace and one run`);
  return all;
}

function read(folder: string, name: string): Recording | null {
  const truth = JSON.parse(readFileSync(join(folder, `${name}.expected.json`), "utf8")) as Truth;
  const [run, ...more] = truth.runs;
  if (run === undefined || more.length > 0 || truth.source?.startsWith("documented") === true) return null;
  const { query, answer } = run;
  const tools = run.tools.map((call) => ({ name: call.name, arguments: call.arguments }));
  const text = readFileSync(join(folder, `${name}.jsonl`), "utf8");
  const [traceId, ...others] = new Set(
    Array.from(text.matchAll(/"traceId":"([0-9a-f]{32})"/g), ([, id]) => id),
  );
  if (query === null || answer === null || traceId === undefined || others.length > 0) return null;
  return { name: name.replace("/fixtures/", "/"), lines: `${text.trim()}\n`, traceId, query, answer, tools };
}

function didTheSame(one: Recording, other: Recording): boolean {
  const did = ({ answer, tools }: Recording) => JSON.stringify([answer, tools]);
  return did(one) === did(other);
}

/** The first recording of each query, from which the expectations are made. */
export function firstOfEach(recordings: readonly Recording[]): readonly Recording[] {
  const first = new Map<string, Recording>();
  for (const recording of recordings) if (!first.has(recording.query)) first.set(recording.query, recording);
  return [...first.values()];
}

/** The trace and the parent span of a copy. */
export interface Place {
  readonly traceId: string;
  readonly parentId: string;
}

/**
 * A copy of a recording with other ids of spans, calls and responses and later times; in a new trace, or under a given parent.
 * @param copy number of the copy
 */
export function again({ lines, traceId }: Recording, copy: number, place?: Place): string {
  const idOf = (id: string): string =>
    createHash("md5").update(`${copy}/${id}`).digest("hex").slice(0, id.length);
  const trace = place?.traceId ?? idOf(traceId);
  const seconds = BigInt(copy) * 1_000_000_000n;
  const renewed = lines
    .replaceAll(
      /"(spanId|parentSpanId)":"([0-9a-f]{16})"/g,
      (_, key: string, id: string) => `"${key}":"${idOf(id)}"`,
    )
    .replaceAll(
      /"(\w*UnixNano)":"([1-9]\d+)"/g,
      (_, key: string, at: string) => `"${key}":"${BigInt(at) + seconds}"`,
    )
    .replaceAll(/\b(chatcmpl-|resp_|msg_|call_|toolu_)[\w-]{6,}/g, (id) => `${id}${copy}`)
    .replaceAll(/\b[0-9a-f]{8}-(?=[0-9a-f]{4}-[0-9a-f]{4}-)/g, `${copy.toString(16).padStart(8, "0")}-`)
    .replaceAll(traceId, trace);
  return place === undefined ? renewed : underParent(renewed, place.parentId);
}

interface Spans {
  readonly resourceSpans?: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly { parentSpanId?: string; flags?: number }[] }[];
  }[];
}

/** Span flags: the span's context tells whether its parent is remote, and the parent is remote. */
const REMOTE_PARENT = 0x300;

function underParent(lines: string, parentId: string): string {
  return lines
    .trim()
    .split("\n")
    .map((line) => {
      const request = JSON.parse(line) as Spans;
      for (const { scopeSpans } of request.resourceSpans ?? []) {
        for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
          if ((span.parentSpanId ?? "") !== "") continue;
          span.parentSpanId = parentId;
          span.flags = (span.flags ?? 1) | REMOTE_PARENT;
        }
      }
      return `${JSON.stringify(request)}\n`;
    })
    .join("");
}

/** A dump with `runs` copies of the recordings in turn; without `runs`, each recording once, unchanged. */
export function dumpOf(recordings: readonly Recording[], runs?: number): string {
  if (runs === undefined) return recordings.map(({ lines }) => lines).join("");
  const copies = Array.from({ length: runs }, (_, copy) => {
    const recording = recordings[copy % recordings.length];
    return recording === undefined ? "" : again(recording, copy);
  });
  return copies.join("");
}
