import { key } from "../../model/telemetry/attribute-key.ts";
import { type Batch, logAt } from "../../otlp/rows/batch.ts";
import { LogColumn } from "../../otlp/rows/columns.ts";
import { scopeNames } from "../../otlp/rows/scope-names.ts";
import { viewLog } from "../../otlp/rows/log-view.ts";
import { viewResource } from "../../otlp/rows/span-view.ts";

const SERVICE = key("service.name");
/** What a record that names no trace may name instead, widest last. */
const SESSIONS = [
  "session.id",
  "gen_ai.conversation.id",
  "conversation.id",
  "session_id",
  "conversation_id",
  "thread_id",
].map((name) => key(name));
const PROMPTS = ["prompt.id", "prompt_id"].map((name) => key(name));
/** Records of an agent's work: prompts, requests to a model and their responses, and calls of tools. */
const agentRecord =
  /^gen_ai\.|(?:^|[._])(?:user_?prompt|prompt|api_(?:request|response|error)(?:_body)?|assistant_response|model_(?:request|response)|sse_event|tool_(?:call|result|use|decision))$/i;
const LONGEST_NAME = 80;
const LONGEST_ID = 256;
const MOST_SERVICES = 1000;
const MOST_GENERATIONS = 16;

/**
 * Log records that name no trace but a session: some agents write nothing else. Those of one session and service are read as one trace, whose
 * id is derived from both. In a service that sends spans the spans are the trace, and the records only add to them.
 */
export class SessionRecords {
  /** Services that spans came from. */
  readonly #services = new Set<string>();
  readonly #isForgotten: (a: number, b: number, c: number, d: number) => boolean;

  /** @param isForgotten whether the trace with these words of an id was released: what comes of its session begins another */
  constructor(isForgotten: (a: number, b: number, c: number, d: number) => boolean) {
    this.#isForgotten = isForgotten;
  }

  /** Notes where the spans of a request come from. */
  sawSpans(batch: Batch): void {
    if (this.#services.size >= MOST_SERVICES) return;
    for (const scope of scopeNames(batch).keys()) this.#services.add(serviceOf(batch, scope));
  }

  /** Whether spans came from the service, so that its records are no trace of their own. */
  hasSpans(service: string): boolean {
    return this.#services.has(service);
  }

  /**
   * Gives a record that names a session, and no trace, the id of the session's trace, in its row.
   * @returns the record's service; undefined for a record of anything else
   */
  identify(batch: Batch, row: number): string | undefined {
    const at = logAt(batch, row) + LogColumn.traceId;
    const { rows } = batch;
    if (((rows[at] ?? 0) | (rows[at + 1] ?? 0) | (rows[at + 2] ?? 0) | (rows[at + 3] ?? 0)) !== 0)
      return undefined;
    const record = viewLog(batch, row);
    if (record.size === 0) return undefined;
    const name =
      record.eventName || (typeof record.body === "string" ? record.body.slice(0, LONGEST_NAME) : "");
    if (!agentRecord.test(name)) return undefined;
    let session: string | undefined;
    for (const one of SESSIONS) session ??= record.text(one);
    for (const one of PROMPTS) session ??= record.text(one);
    if (session === undefined || session === "" || session.length > LONGEST_ID) return undefined;
    const service = serviceOf(batch, rows[logAt(batch, row) + LogColumn.scope] ?? 0);
    for (let generation = 0; generation < MOST_GENERATIONS; generation++) {
      const text = `${generation}\u0000${service}\u0000${session}`;
      const [a, b, c, d] = [hash(text, 1), hash(text, 2), hash(text, 3), hash(text, 4) | 1] as const;
      if (generation < MOST_GENERATIONS - 1 && this.#isForgotten(a, b, c, d)) continue;
      rows[at] = a;
      rows[at + 1] = b;
      rows[at + 2] = c;
      rows[at + 3] = d;
      return service;
    }
    return undefined;
  }
}

function serviceOf(batch: Batch, scope: number): string {
  return viewResource(batch, scope).text(SERVICE) ?? "";
}

/** FNV-1a over the text's code units, finished by MurmurHash3's mixing. */
function hash(text: string, seed: number): number {
  let value = Math.imul(seed, 0x9e3779b1) ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}
