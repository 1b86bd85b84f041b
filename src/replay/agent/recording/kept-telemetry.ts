import { truncateSync } from "node:fs";
import { Readable } from "node:stream";
import type { Trace } from "../../../assemble/trace.ts";
import { otlpJsonOf } from "../../../authoring/otlp-json.ts";
import type { Config } from "../../../config/config.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { SpanView } from "../../../model/telemetry/span-view.ts";
import type { JsonObject } from "../../../model/json.ts";
import type { KnownSecrets } from "../../../model-server/record/known-secrets.ts";
import type { CallReader } from "../../../model-server/record/call-reader.ts";
import type { AgentSpan } from "../../../model-server/record/place-calls.ts";
import { makePrivateFile } from "../../../support/process/private-files.ts";
import { replay } from "../../replay.ts";
import type { CallReceiver } from "../call-receiver.ts";
import { CallFile, type LinePosition } from "./call-file.ts";
import type { KeptCalls } from "./kept-calls.ts";

/** Calls the callbacks with each trace and each run in the files of a receiver. */
async function eachTrace(
  files: readonly string[],
  config: Config,
  onTrace: (trace: Trace) => void,
  onRun: (run: AgentRun) => void = () => undefined,
): Promise<void> {
  if (files.length === 0) return;
  await replay(files, { config, stdin: Readable.from([]), onRun, onTrace });
}

export interface CallTelemetry {
  readonly calls: KeptCalls;
  readonly callId: string;
  readonly receiver: CallReceiver;
  readonly config: Config;
  /** Secrets to remove from the added model calls. */
  readonly secrets?: KnownSecrets;
  /** Whether to add model calls only if the agent's own telemetry has none. */
  readonly isSubstitute?: boolean;
}

/** Adds the completed model calls of a process to the telemetry that the process sent. */
export async function keepModelCalls(telemetry: CallTelemetry): Promise<void> {
  const { calls, callId, receiver, config, secrets, isSubstitute = false } = telemetry;
  if (calls.countOf(callId) === 0) return;
  const { spans, hasOwnCalls } = await sentBy(receiver, config);
  calls.place(callId, spans);
  receiver.keepModelCalls(
    callId,
    isSubstitute && hasOwnCalls ? null : cleanLines(calls.linesOf(callId), secrets),
  );
}

function* cleanLines(lines: Iterable<string>, secrets: KnownSecrets | undefined): Generator<string> {
  for (const line of lines) yield secrets?.removeFrom(line) ?? line;
}

/**
 * Makes the completed model calls of a process, which are already in the dump, children of the spans that the process sent (see
 * `KeptCalls.place`).
 */
export async function placeModelCalls({ calls, callId, receiver, config }: CallTelemetry): Promise<void> {
  if (calls.countOf(callId) === 0) return;
  const { spans } = await sentBy(receiver, config);
  calls.place(callId, spans);
}

interface Sent {
  readonly spans: readonly AgentSpan[];
  /** Whether the agent's own telemetry contains model calls. */
  readonly hasOwnCalls: boolean;
}

/** Parsed telemetry of each receiver, with the number of parsed files. */
const read = new WeakMap<CallReceiver, { readonly files: number; readonly sent: Promise<Sent> }>();

/** Returns the telemetry that an agent has already sent. Parses the files again only if files were added. */
function sentBy(receiver: CallReceiver, config: Config): Promise<Sent> {
  const files = receiver.sent.length;
  const known = read.get(receiver);
  if (known?.files === files) return known.sent;
  const sent = readSent(receiver.sent, config);
  read.set(receiver, { files, sent });
  return sent;
}

async function readSent(files: readonly string[], config: Config): Promise<Sent> {
  const spans: AgentSpan[] = [];
  let hasOwnCalls = false;
  await eachTrace(
    files,
    config,
    (trace) => {
      for (const span of trace.spans) spans.push(agentSpan(span));
    },
    ({ llm }) => {
      hasOwnCalls ||= llm.length > 0;
    },
  );
  return { spans, hasOwnCalls };
}

function agentSpan(span: SpanView): AgentSpan {
  const { traceId, spanId, startUnixMs, endUnixMs } = span;
  return {
    traceId,
    spanId,
    parentSpanId: span.parentSpanId ?? null,
    startUnixMs,
    endUnixMs,
    texts: function* () {
      for (let place = 0; place < span.size; place++) {
        const value = span.valueAt(place);
        yield typeof value === "string" ? value : JSON.stringify(value ?? null);
      }
    },
  };
}

interface WrittenLine {
  readonly position: LinePosition;
  /** Number of known secrets when the line was written; secrets that became known later are removed afterwards. */
  readonly secrets: number;
}

/** A dump of OTLP/JSON lines to which the telemetry of agent calls is appended, without secrets. */
export class RecordedDump {
  readonly #file: CallFile;
  readonly #reader: CallReader;
  readonly #lines: WrittenLine[] = [];

  /** @param keepsContent true to append to the existing content of the file, false to replace it */
  constructor(path: string, reader: CallReader, keepsContent = false) {
    makePrivateFile(path);
    if (!keepsContent) truncateSync(path);
    this.#file = CallFile.at(path);
    this.#reader = reader;
  }

  async add(files: readonly string[], config: Config, secrets: KnownSecrets): Promise<void> {
    const requests: JsonObject[] = [];
    await eachTrace(files, config, (trace) => void requests.push(...otlpJsonOf(trace)));
    for (const request of requests) {
      const text = await this.#reader.redact(request);
      if (text === null) continue;
      this.#lines.push({ position: this.#file.append(secrets.removeFrom(text)), secrets: secrets.added });
    }
  }

  /** Removes secrets that became known after their line was written. */
  removeLate(secrets: KnownSecrets): void {
    for (const { position, secrets: known } of this.#lines)
      if (secrets.added > known) this.#file.change(position, (line) => secrets.maskIn(line));
  }

  close(): void {
    this.#reader.close();
    this.#file.close();
  }
}
