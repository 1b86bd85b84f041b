import { type Batch, logAt } from "../../otlp/rows/batch.ts";
import { LogColumn } from "../../otlp/rows/columns.ts";
import { NewestEntries } from "../../support/structures/newest-entries.ts";
import { viewLog } from "../../otlp/rows/log-view.ts";
import { type BatchSources, hash } from "./batch-sources.ts";
import { sessionKey, sessionOfRecord, subjectOfRecord } from "./session-id.ts";

/** Matches the names of log records about an agent's work: prompts, model requests and responses, tool calls. */
const agentRecord =
  /^gen_ai\.|(?:^|[._])(?:user_?prompt|prompt|api_(?:request|response|error)(?:_body)?|assistant_response|model_(?:request|response)|sse_event|tool_(?:call|result|use|decision))$/i;
const LONGEST_NAME = 80;
/** Maximum number of remembered services. Above this number, the service that has not sent spans for the longest time is forgotten. */
const MOST_SERVICES = 20_000;
/** Maximum number of sessions for which the number of their forgotten traces is remembered. */
const MOST_SESSIONS = 20_000;

interface RecordSession {
  readonly service: string;
  /** Session, and id of the call or tool, that the record names, as one text; undefined if it does not name both. */
  readonly subject: string | undefined;
}

interface SessionTrace {
  /** Number of earlier traces of the session. */
  readonly generation: number;
  readonly id: TraceWords;
}

/** The records of a batch that form traces of their sessions. */
interface BatchSessions {
  /** Service and session of each session, as one text, in the order of the sessions' first records. */
  readonly sessions: readonly string[];
  /** The trace of each session; undefined until it is needed for the first time. */
  readonly traces: (SessionTrace | undefined)[];
  /** The records by their rows, each with the index of its session. */
  readonly records: ReadonlyMap<number, RecordSession & { readonly index: number }>;
}

/**
 * Groups log records about an agent's work that have a session id and no trace id. Some agents write only such log records.
 *
 * The records of one session and service form a trace, whose id is derived from both. After this trace was forgotten, further records of
 * the session form the next trace. The next trace's id is also derived from the number of earlier traces (the generation).
 *
 * If the service also sends spans, the records add to these spans. The trace of the records is then a run only if the session has no spans,
 * or if its spans form no run.
 */
export class SessionRecords {
  /** Services that have sent spans. */
  readonly #services = new NewestEntries<string, true>(MOST_SERVICES);
  readonly #isForgotten: (a: number, b: number, c: number, d: number) => boolean;
  readonly #sources: BatchSources;
  readonly #byBatch = new WeakMap<Batch, BatchSessions>();
  /** Generation of each session's last trace. A session without an entry has only its first trace (generation 0). */
  readonly #generations = new NewestEntries<string, number>(MOST_SESSIONS);

  /**
   * @param isForgotten whether the spans of the trace with this id were released; if so, further records of the session form a new trace
   */
  constructor(sources: BatchSources, isForgotten: (a: number, b: number, c: number, d: number) => boolean) {
    this.#sources = sources;
    this.#isForgotten = isForgotten;
  }

  /** Remembers the services of a request that contains spans. */
  sawSpans(batch: Batch): void {
    for (const scope of this.#sources.scopesOf(batch).keys())
      this.#services.set(this.#sources.serviceOf(batch, scope), true);
  }

  /** Whether the service has sent spans. */
  hasSpans(service: string): boolean {
    return this.#services.has(service);
  }

  /**
   * Returns, for each session of the batch, the generation of the trace that the session's records form. The order is that of the sessions'
   * first records.
   */
  generationsOf(batch: Batch): readonly number[] {
    const { sessions } = this.#of(batch);
    return sessions.map((_, index) => this.#traceOf(batch, index).generation);
  }

  /** Returns the id of the trace to which the next record of the session will belong. */
  traceIdOf(service: string, session: string): TraceWords {
    const key = sessionKey(service, session);
    return this.#unforgotten(key, this.#lastOf(key)).id;
  }

  /** Returns the ids of the traces that `generationsOf` returned for the batch. */
  idsOf(batch: Batch, generations: readonly number[]): readonly TraceWords[] {
    return this.#of(batch).sessions.map((session, index) => traceOf(session, generations[index] ?? 0).id);
  }

  /** Restores the generations (indices of traces) of the batch's sessions that `generationsOf` returned in an earlier process. */
  restore(batch: Batch, generations: readonly number[]): void {
    const { sessions, traces } = this.#of(batch);
    for (const [index, session] of sessions.entries()) {
      const generation = generations[index] ?? 0;
      traces[index] = traceOf(session, generation);
      this.#remember(session, generation);
    }
  }

  /**
   * Writes the id of the session's trace into a record. Does nothing unless the record is about an agent's work, has a session id, and has
   * no trace id.
   * @returns service of the record, and the call or tool that it names; undefined if nothing was written
   */
  identify(batch: Batch, row: number): RecordSession | undefined {
    const record = this.#of(batch).records.get(row);
    if (record === undefined) return undefined;
    const at = logAt(batch, row) + LogColumn.traceId;
    for (const [nth, word] of this.#traceOf(batch, record.index).id.entries()) batch.rows[at + nth] = word;
    return record;
  }

  /** Returns the trace of a session. If this trace was forgotten since the last call, returns the session's next trace from now on. */
  #traceOf(batch: Batch, index: number): SessionTrace {
    const { sessions, traces } = this.#of(batch);
    const session = sessions[index] ?? "";
    const known = traces[index] ?? this.#lastOf(session);
    const trace = this.#unforgotten(session, known);
    traces[index] = trace;
    if (trace !== known) this.#remember(session, trace.generation);
    return trace;
  }

  #lastOf(session: string): SessionTrace {
    return traceOf(session, this.#generations.get(session) ?? 0);
  }

  #unforgotten(session: string, first: SessionTrace): SessionTrace {
    let trace = first;
    while (this.#isForgotten(...trace.id)) trace = traceOf(session, trace.generation + 1);
    return trace;
  }

  #remember(session: string, generation: number): void {
    if (generation > (this.#generations.get(session) ?? 0)) this.#generations.set(session, generation);
  }

  #of(batch: Batch): BatchSessions {
    let known = this.#byBatch.get(batch);
    if (known === undefined) this.#byBatch.set(batch, (known = this.#sessionsIn(batch)));
    return known;
  }

  #sessionsIn(batch: Batch): BatchSessions {
    const indexes = new Map<string, number>();
    const records = new Map<number, RecordSession & { readonly index: number }>();
    for (let row = 0; row < batch.logCount; row++) {
      const found = this.#sessionAt(batch, row);
      if (found === undefined) continue;
      const { session, ...record } = found;
      const index = indexes.get(session) ?? indexes.size;
      indexes.set(session, index);
      records.set(row, { ...record, index });
    }
    return { sessions: [...indexes.keys()], traces: [], records };
  }

  #sessionAt(batch: Batch, row: number): (RecordSession & { readonly session: string }) | undefined {
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
    return session === undefined
      ? undefined
      : { session, service, subject: subjectOfRecord(record, service) };
  }
}

type TraceWords = readonly [number, number, number, number];

function traceOf(session: string, generation: number): SessionTrace {
  const text = `${generation}\u0000${session}`;
  return { generation, id: [hash(text, 1), hash(text, 2), hash(text, 3), hash(text, 4) | 1] };
}
