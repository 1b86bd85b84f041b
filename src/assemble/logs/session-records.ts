import { type Batch, logAt } from "../../otlp/rows/batch.ts";
import { LogColumn } from "../../otlp/rows/columns.ts";
import { NewestEntries } from "../../support/structures/newest-entries.ts";
import { viewLog } from "../../otlp/rows/log-view.ts";
import { type BatchSources, hash } from "./batch-sources.ts";
import { sessionKey, sessionOfRecord, subjectOfRecord } from "./session-id.ts";

/** Matches names of records about an agent's work: prompts, model requests and responses, tool calls. */
const agentRecord =
  /^gen_ai\.|(?:^|[._])(?:user_?prompt|prompt|api_(?:request|response|error)(?:_body)?|assistant_response|model_(?:request|response)|sse_event|tool_(?:call|result|use|decision))$/i;
const LONGEST_NAME = 80;
/** Maximum number of remembered services. Above this number, the service that has not sent spans for longest is forgotten. */
const MOST_SERVICES = 20_000;
const MOST_GENERATIONS = 16;

interface RecordSession {
  readonly service: string;
  /** Session, and id of the call or tool, that the record names. */
  readonly subject: string | undefined;
}

/**
 * Groups log records that have a session id and no trace id; some agents write only log records of this kind. The records of one session
 * and service form a trace, whose id is derived from both. If the service also sends spans, the records add to the spans, and their trace
 * is a run only if the session's spans have none.
 */
export class SessionRecords {
  /** Services that have sent spans. */
  readonly #services = new NewestEntries<string, true>(MOST_SERVICES);
  readonly #isForgotten: (a: number, b: number, c: number, d: number) => boolean;
  readonly #sources: BatchSources;
  /** Batch for which `#idBySession` caches trace ids by service and session. */
  #batch: Batch | undefined;
  readonly #idBySession = new Map<string, TraceWords | null>();

  /**
   * @param isForgotten whether the spans of the trace with this id were released; further records of the
   * session then form a new trace
   */
  constructor(sources: BatchSources, isForgotten: (a: number, b: number, c: number, d: number) => boolean) {
    this.#sources = sources;
    this.#isForgotten = isForgotten;
  }

  /** Remembers the services of a request with spans. */
  sawSpans(batch: Batch): void {
    for (const scope of this.#sources.scopesOf(batch).keys())
      this.#services.set(this.#sources.serviceOf(batch, scope), true);
  }

  /** Whether the service sends spans. */
  hasSpans(service: string): boolean {
    return this.#services.has(service);
  }

  /**
   * If a record has a session id and no trace id, writes the id of the session's trace into it.
   * @returns service of the record, and the call or tool that it names; undefined if nothing was written
   */
  identify(batch: Batch, row: number): RecordSession | undefined {
    const at = logAt(batch, row) + LogColumn.traceId;
    const { rows } = batch;
    if (((rows[at] ?? 0) | (rows[at + 1] ?? 0) | (rows[at + 2] ?? 0) | (rows[at + 3] ?? 0)) !== 0)
      return undefined;
    const record = viewLog(batch, row);
    if (record.size === 0) return undefined;
    const name =
      record.eventName || (typeof record.body === "string" ? record.body.slice(0, LONGEST_NAME) : "");
    if (!agentRecord.test(name)) return undefined;
    const service = this.#sources.serviceOf(batch, rows[logAt(batch, row) + LogColumn.scope] ?? 0);
    const session = sessionOfRecord(record, service);
    if (session === undefined) return undefined;
    if (this.#batch !== batch) {
      this.#batch = batch;
      this.#idBySession.clear();
    }
    const id = this.#idOf(session);
    if (id === null) return undefined;
    for (const [nth, word] of id.entries()) rows[at + nth] = word;
    return { service, subject: subjectOfRecord(record, service) };
  }

  /** Returns the id of the trace that the next record of the session joins; null if too many traces of the session were released. */
  traceIdOf(service: string, session: string): TraceWords | null {
    return this.#unusedId(sessionKey(service, session));
  }

  #idOf(session: string): TraceWords | null {
    const known = this.#idBySession.get(session);
    if (known !== undefined) return known;
    const id = this.#unusedId(session);
    this.#idBySession.set(session, id);
    return id;
  }

  #unusedId(session: string): TraceWords | null {
    for (let generation = 0; generation < MOST_GENERATIONS; generation++) {
      const text = `${generation}\u0000${session}`;
      const id = [hash(text, 1), hash(text, 2), hash(text, 3), hash(text, 4) | 1] as const;
      if (!this.#isForgotten(...id)) return id;
    }
    return null;
  }
}

type TraceWords = readonly [number, number, number, number];
