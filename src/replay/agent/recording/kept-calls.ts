import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../../model/json.ts";
import {
  callSpan,
  LONGEST_CALL,
  type RecordedCall,
  spansRequest,
  textLengthOf,
  withoutContents,
} from "../../../model-server/record/call-span.ts";
import type { KnownSecrets } from "../../../model-server/record/known-secrets.ts";
import type { OmittedContents } from "../../../model-server/record/omitted-contents.ts";
import type { CallOrigin } from "../../../model-server/record/trace-parent.ts";
import { type AgentSpan, placeCalls, type UnplacedCall } from "../../../model-server/record/place-calls.ts";
import { CallFile, type LinePosition } from "./call-file.ts";

const MOST_CHARACTERS = 256 * 2 ** 20;

interface KeptCall {
  readonly unplaced: UnplacedCall;
  readonly position: LinePosition;
  /** Number of known secrets when the call was written; secrets that became known later are removed afterwards. */
  readonly secrets: number;
}

interface AgentProcess {
  /** Trace id of all model calls of the process. */
  readonly traceId: string;
  readonly resource: Readonly<Record<string, string>>;
  readonly calls: KeptCall[];
}

export interface KeptCallsOptions {
  readonly file: CallFile;
  /**
   * Returns the text to write for the OTLP/JSON request of a call; null if this needs too much memory. Default: the JSON of the request.
   */
  readonly textOf?: (request: JsonObject) => Promise<string | null>;
  readonly secrets?: KnownSecrets;
  /**
   * Maximum number of JSON characters for all stored calls together. A call that would exceed it is stored without messages. For a single
   * call, the maximum is `longestCall`.
   */
  readonly mostCharacters?: number;
  readonly longestCall?: number;
}

/**
 * Model calls of agent processes. Each model call is written to a file when it ends. The call's trace and parent span are determined later,
 * from the agent's own spans.
 */
export class KeptCalls {
  readonly #processes = new Map<string, AgentProcess>();
  readonly #options: KeptCallsOptions;
  #characters = 0;
  readonly #omitted = new Map<OmittedContents, number>();

  constructor(options: KeptCallsOptions = { file: CallFile.temporary() }) {
    this.#options = options;
  }

  /** Number of calls that were stored without messages, by reason. */
  get omitted(): ReadonlyMap<OmittedContents, number> {
    return this.#omitted;
  }

  /**
   * Registers a process. All model calls of the process are in one new trace.
   * @param resource resource attributes of the process
   */
  begin(callId: string, resource: Readonly<Record<string, string>>): void {
    this.#processes.set(callId, { traceId: randomBytes(16).toString("hex"), resource, calls: [] });
  }

  /** Returns how many model calls of an agent process have ended and are written. */
  countOf(callId: string): number {
    return this.#processes.get(callId)?.calls.length ?? 0;
  }

  /**
   * Writes a call. Returns false, without writing, if the process of the call is not registered.
   * @throws if the write fails
   */
  async add(call: RecordedCall, { callId, parent }: CallOrigin): Promise<boolean> {
    const process = callId === null ? undefined : this.#processes.get(callId);
    if (process === undefined) return false;
    const unplaced: UnplacedCall = {
      spanId: randomBytes(8).toString("hex"),
      responseId: call.answer?.id ?? null,
      parent,
      traceId: process.traceId,
      hasFailed: call.error !== null,
      startUnixMs: call.startUnixMs,
      endUnixMs: call.endUnixMs,
    };
    const { file, secrets } = this.#options;
    const place = placeCalls([unplaced], []).get(unplaced) ?? {
      traceId: process.traceId,
      spanId: unplaced.spanId,
      parentSpanId: null,
    };
    const requestOf = (one: RecordedCall): JsonObject =>
      spansRequest([callSpan(one, place)], process.resource);
    const known = secrets?.added ?? 0;
    const position = file.add(await this.#boundedText(call, requestOf), place);
    process.calls.push({ unplaced, position, secrets: known });
    return true;
  }

  async #boundedText(call: RecordedCall, requestOf: (call: RecordedCall) => JsonObject): Promise<string> {
    const { mostCharacters = MOST_CHARACTERS, longestCall = LONGEST_CALL } = this.#options;
    if (call.omitted !== undefined) this.#count(call.omitted);
    // First compares the length of the texts with the limit, because creating the JSON and removing secrets takes far longer than adding up
    // lengths.
    const isLong = textLengthOf(call) > longestCall;
    const request = requestOf(isLong ? withoutContents(call, "messages_too_long") : call);
    const { length } = JSON.stringify(request);
    const isFull = this.#characters + length > mostCharacters;
    let reason: OmittedContents | null =
      isLong || length > longestCall ? "messages_too_long" : isFull ? "recording_full" : null;
    if (reason === null) {
      this.#characters += length;
      const text = await this.#textOf(request);
      if (text !== null) return text;
      reason = "no_memory";
    }
    if (call.omitted === undefined) this.#count(reason);
    return (await this.#textOf(requestOf(withoutContents(call, call.omitted ?? reason)))) ?? "";
  }

  async #textOf(request: JsonObject): Promise<string | null> {
    const { textOf } = this.#options;
    return textOf === undefined ? JSON.stringify(request) : textOf(request);
  }

  #count(reason: OmittedContents): void {
    this.#omitted.set(reason, (this.#omitted.get(reason) ?? 0) + 1);
  }

  /**
   * Makes the spans of a process's model calls children of the agent's own spans (see `placeCalls`). Removes secrets that were not known
   * when the calls were written.
   */
  place(callId: string, agentSpans: readonly AgentSpan[]): void {
    const calls = this.#processes.get(callId)?.calls ?? [];
    const { file, secrets } = this.#options;
    const places = placeCalls(
      calls.map(({ unplaced }) => unplaced),
      agentSpans,
    );
    for (const { unplaced, position, secrets: known } of calls) {
      const place = places.get(unplaced);
      if (place !== undefined && agentSpans.length > 0) file.place(position, place);
      if (secrets !== undefined && secrets.added > known)
        file.change(position, (line) => secrets.maskIn(line));
    }
  }

  /** Yields the calls of a process as OTLP/JSON requests. Reads the calls from the file one by one. */
  *linesOf(callId: string): Generator<string> {
    for (const { position } of this.#processes.get(callId)?.calls ?? [])
      yield this.#options.file.read(position);
  }

  close(): void {
    this.#options.file.close();
  }
}
