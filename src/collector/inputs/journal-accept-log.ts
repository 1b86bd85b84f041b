import type { TraceEntry } from "../../assemble/trace-entry.ts";
import type { RequestLog } from "./accept-log.ts";
import { batchTraceIds, traceIdAt } from "../../journal/records/batch-traces.ts";
import { JournalFull, JournalUnwritable } from "../../journal/disk/errors.ts";
import type { FinishedIn, Journal, Position } from "../../journal/journal.ts";
import { DeliveryLedger, type VerdictNote } from "../../journal/delivery-ledger.ts";
import { Resumption } from "../../journal/resumption.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import { hexOf, wordsOf } from "../../otlp/bytes/text.ts";
import type { Batch } from "../../otlp/rows/batch.ts";
import { traceOfRun } from "../../pipeline/lifecycle/run-ids.ts";
import type { TraceLifecycle } from "../../pipeline/lifecycle/trace-lifecycle.ts";
import type { Revisions } from "../../pipeline/revisions.ts";
import { decodeRequest } from "../../receive/body/decode-request.ts";
import type { ReceivedRequest, Refusal } from "../../receive/ports.ts";
import {
  observeJournal,
  recordNotKept,
  recordRecovered,
} from "../../support/telemetry/metrics/instruments/collector-metrics.ts";
import type { DamageReport } from "../../support/telemetry/reports/damage-report.ts";
import type { Log } from "../../support/telemetry/log/log.ts";
import type { Recorder } from "../../support/telemetry/metrics/recorder.ts";
import type { HeldAbout, TailForwarder } from "../../export/forward/tail/tail-forwarder.ts";
import type { JournalBackedQueue } from "../../export/forward/queue/journal-backed-queue.ts";
import type { Forwarded, RequestMeta, SentMeta } from "../../journal/records/record-kinds.ts";
import type { Engine } from "../../replay/engine.ts";
import { traceFault } from "../../pipeline/faults/faulty-run.ts";
import { reportFaults } from "../evaluation/report-faults.ts";
import { beginRecorded, takeRecorded } from "./recorded-input.ts";
import { alreadyWritten, type JournalSettings, journalIn } from "./open-journal.ts";
import { messageOf } from "../../support/structures/error-message.ts";

export interface JournalAcceptLogOptions {
  readonly settings: JournalSettings;
  /** Path of the verdict file; null if there is none. */
  readonly verdictFile: string | null;
  /** Maximum milliseconds that log records without a trace id wait for the span that they belong to. */
  readonly uncorrelatedMs: number;
  readonly revisions: Revisions;
  readonly lifecycle: TraceLifecycle;
  /** Makes the store write its buffered records. */
  readonly flush: () => void;
  readonly recorder: Recorder;
  readonly damage: DamageReport;
  readonly log: Log;
  readonly now: () => number;
  /** Tail-based forwarding; absent if it is not configured. */
  readonly tailForwarder?: TailForwarder | null;
  /** Lets forward queues use the journal's copy of a request. If absent, each forward queue stores its own copy. */
  readonly journalBacked?: JournalBackedQueue | null;
}

/** Milliseconds for which the journal counts as failing after a failed write. */
const UNWELL_MS = 5_000;
const RETRY_AFTER_S = 1;
/**
 * For the sessions in a request, the metadata records which trace each session forms. The length of metadata is limited, so for a request
 * with more sessions than this, no session is recorded.
 */
const MOST_SESSIONS = 1_000;

/**
 * Accept log that survives a crash. Each request is written to the journal before it is answered, and is read again at the next start if
 * one of its traces is unfinished.
 */
export class JournalAcceptLog implements RequestLog {
  readonly isDurable = true;
  readonly #ledger: DeliveryLedger<Position>;
  readonly #journal: Journal;
  readonly #options: JournalAcceptLogOptions;
  #engine: Engine | undefined;
  #failedAtMs = -Infinity;
  #failure = "";

  private constructor(journal: Journal, inFile: ReadonlySet<string>, options: JournalAcceptLogOptions) {
    const { lifecycle, uncorrelatedMs, flush } = options;
    const resumption = new Resumption(journal.past.judgements, inFile);
    this.#journal = journal;
    this.#options = options;
    this.#ledger = new DeliveryLedger({
      journal,
      resume: resumption.resume.bind(resumption),
      isUnfinished: (id) => lifecycle.has(id) || this.#engine?.assembler.has(id) === true,
      uncorrelatedMs,
      flush,
      onError: (error) => this.#failed(error),
    });
    observeJournal(options.recorder, journal);
  }

  /**
   * Opens the journal. Resolves to null if the process runs without a journal. Rejects with `JournalOpenError` if the journal cannot be
   * opened.
   */
  static async open(options: JournalAcceptLogOptions): Promise<JournalAcceptLog | null> {
    const journal = await journalIn(options.settings, options.log, options.damage);
    if (journal === null) return null;
    return new JournalAcceptLog(journal, await alreadyWritten(journal, options.verdictFile), options);
  }

  get troubles(): readonly string[] {
    return this.#options.now() - this.#failedAtMs < UNWELL_MS ? [`journal: ${this.#failure}`] : [];
  }

  /** Passes telemetry of an earlier process to the pipeline. */
  async start(engine: Engine): Promise<void> {
    this.#engine = engine;
    const { log, now, recorder, tailForwarder } = this.#options;
    const onFault = reportFaults(log, recorder);
    const unconfigured = new Set<string>();
    let sentOn = 0;
    tailForwarder?.resume(this.#journal.past.forwarded);
    const { finished, requests, judgements } = this.#journal.past;
    const traceIds = new Set<string>();
    let spans = 0;
    let logRecords = 0;
    for await (const { body, meta, position, queues } of this.#journal.recover()) {
      if (queues.length > 0) sentOn++;
      try {
        for (const queue of this.#resume(meta, body, queues, position)) unconfigured.add(queue);
        const batch = batchOf(body, meta);
        if (batch === null) {
          this.#journal.release(position);
          continue;
        }
        engine.assembler.restoreSessionTraces(batch, meta.sessionTraces ?? []);
        this.#hold(batch, position, meta, finished);
        takeRecorded(this.#ledger, engine, batch, position, now(), (rows, at) =>
          finished.has(traceIdAt(rows, at)) ? "finished" : undefined,
        );
        spans += batch.spanCount;
        logRecords += batch.logCount;
        for (const id of batchTraceIds(batch)) if (!finished.has(id)) traceIds.add(id);
      } catch (error) {
        // Releases a request that caused an error while it was restored. If the request stayed, it would cause the error at each start.
        this.#journal.release(position);
        onFault(traceFault("resume", error, { traceId: `request ${position.number} of the journal` }));
      }
    }
    engine.assembler.forgetFinished(Array.from(finished, wordsOf));
    if (unconfigured.size > 0)
      log.warn(
        { destinations: [...unconfigured] },
        "requests in the journal are dropped, because their forward backends are no longer configured",
      );
    this.#ledger.recovered(this.#journal.past);
    const { lifecycle } = this.#options;
    lifecycle.resumed(judgements.flatMap(({ runId }) => (traceIds.has(traceOfRun(runId)) ? runId : [])));
    recordRecovered(recorder, spans, logRecords);
    if (sentOn > 0)
      log.info(
        { requests: sentOn },
        "requests that the previous process had not forwarded were read from the journal, and are forwarded now",
      );
    if (traceIds.size > 0) {
      log.info(
        { requests, spans, traces: traceIds.size, judged: judgements.length },
        "unfinished traces of the previous process were read from the journal, and wait for further spans",
      );
    }
  }

  async append(batch: Batch, request: ReceivedRequest): Promise<Refusal | null> {
    const engine = this.#engine;
    if (engine === undefined) return refusal("the collector has not started yet; send the request again");
    const { signal, encoding } = request;
    const { journalBacked = null, settings } = this.#options;
    const queues = journalBacked?.queuesFor(batch.body, request, settings.budget) ?? [];
    const sent = this.#sentMeta(request, queues);
    const sessionTraces = batch.logCount === 0 ? [] : engine.assembler.sessionTraces(batch);
    const hasLater = sessionTraces.length <= MOST_SESSIONS && sessionTraces.some((trace) => trace > 0);
    try {
      const meta = {
        signal,
        encoding,
        receivedUnixMs: Date.now(),
        ...(sent === undefined ? {} : { sent }),
        ...(hasLater ? { sessionTraces } : {}),
      };
      const position = await this.#journal.append(batch.body, meta);
      this.#take(engine, batch, position, meta, request);
      return null;
    } catch (error) {
      if (!(error instanceof JournalFull || error instanceof JournalUnwritable)) throw error;
      this.#failed(error);
      recordNotKept(this.#options.recorder, error instanceof JournalFull ? "full" : "unwritable");
      return refusal(error.message);
    }
  }

  /** Passes a stored request to forwarding and the pipeline. If this fails, the sender gets an error, and the journal drops the request. */
  #take(engine: Engine, batch: Batch, position: Position, meta: RequestMeta, request: ReceivedRequest): void {
    const queues = meta.sent?.queues ?? [];
    const shared = this.#journal.share(position);
    try {
      if (queues.length > 0) this.#options.journalBacked?.begin(request, queues, shared);
      this.#hold(batch, position, meta, undefined, request);
      takeRecorded(this.#ledger, engine, batch, position, this.#options.now());
    } catch (error) {
      for (const queue of queues) shared.sentOn(queue);
      this.#journal.release(position);
      throw error;
    }
  }

  owns(): boolean {
    return true;
  }

  mayPublish(): "now" {
    return "now";
  }

  begin(run: AgentRun): boolean {
    const { lifecycle, revisions } = this.#options;
    return beginRecorded(this.#ledger, lifecycle, revisions, run);
  }

  noteVerdict(run: AgentRun, verdicts: readonly Verdict[], ending: AbortSignal): Promise<VerdictNote> {
    return this.#ledger.noteVerdict(run, verdicts, ending);
  }

  noteForwarded(forwarded: Forwarded): Promise<void> {
    return this.#ledger.forwarded(forwarded);
  }

  released(trace: TraceEntry): void {
    this.#ledger.released(trace);
  }

  abandoned(trace: TraceEntry): Promise<void> {
    return this.#ledger.abandoned(trace);
  }

  retains(traceId: string): boolean {
    return this.#ledger.retains(traceId);
  }

  finish(traceIds: readonly string[]): Promise<boolean> {
    const { lifecycle, now } = this.#options;
    const finishedIn: FinishedIn = (body, meta) => {
      const batch = batchOf(body, meta);
      if (batch === null) return [];
      const { assembler } = this.#engine ?? {};
      const ofSessions = assembler?.sessionTraceIds(batch, meta.sessionTraces ?? []).map(hexOf) ?? [];
      return [...batchTraceIds(batch), ...ofSessions].filter(
        (id) => assembler?.has(id) !== true && !lifecycle.has(id),
      );
    };
    return this.#ledger.finish(traceIds, now(), finishedIn);
  }

  relinquish(): void {
    // Unfinished traces stay in the journal for the next process.
  }

  async stop(): Promise<void> {
    const { openTraces = 0 } = this.#engine?.assembler ?? {};
    if (openTraces > 0)
      this.#options.log.info(
        { traces: openTraces },
        "unfinished traces stay in the journal, and continue at the next start",
      );
    await this.#journal.close();
  }

  /**
   * Returns the metadata that, with the body, is needed to forward the request after a restart; undefined if the request is not forwarded
   * from the journal.
   */
  #sentMeta({ sent }: ReceivedRequest, queues: readonly string[]): SentMeta | undefined {
    const { tailForwarder = null, journalBacked = null } = this.#options;
    if (tailForwarder === null && queues.length === 0) return undefined;
    const headers: Record<string, string> = {};
    for (const name of [...(tailForwarder?.headerNames ?? []), ...(journalBacked?.headerNames ?? [])]) {
      const value = sent?.header(name);
      if (value !== undefined) headers[name] = value;
    }
    return { isCompressed: (sent?.coding ?? null) !== null, headers, queues };
  }

  /**
   * Queues a request that was read from the journal for its backends again. Returns the keys of its backends that are no longer configured.
   */
  #resume(
    meta: RequestMeta,
    body: Uint8Array,
    queues: readonly string[],
    position: Position,
  ): readonly string[] {
    if (queues.length === 0) return queues;
    const request = this.#journal.share(position);
    const { journalBacked = null } = this.#options;
    if (journalBacked !== null) return journalBacked.resume(meta, body, queues, request);
    for (const queue of queues) request.sentOn(queue);
    return queues;
  }

  /** @param finished ids of the traces that need no further processing */
  #hold(
    batch: Batch,
    { number }: Position,
    { signal, encoding, receivedUnixMs, sent }: RequestMeta,
    finished: ReadonlySet<string> | undefined,
    request?: ReceivedRequest,
  ): void {
    const { tailForwarder, now } = this.#options;
    if (tailForwarder === undefined || tailForwarder === null) return;
    const about = { signal, encoding, number, ...aboutSent(sent) };
    const ageMs = request === undefined ? Math.max(0, Date.now() - receivedUnixMs) : 0;
    tailForwarder.add(batch, about, now() - ageMs, { request, finished });
  }

  #failed(error: unknown): void {
    const isNews = this.troubles.length === 0;
    this.#failedAtMs = this.#options.now();
    this.#failure = messageOf(error);
    if (isNews)
      this.#options.log.error(
        { err: error },
        "the journal cannot be written, so requests are refused and senders must retry: check the free disk space and the permissions of data_dir",
      );
  }
}

function batchOf(
  body: Uint8Array,
  { signal, encoding }: Pick<ReceivedRequest, "signal" | "encoding">,
): Batch | null {
  const decoded = decodeRequest(body, signal, encoding);
  return decoded.ok ? decoded.batch : null;
}

function aboutSent(sent: SentMeta | undefined): Pick<HeldAbout, "isCompressed" | "header"> {
  return { isCompressed: sent?.isCompressed ?? false, header: (name) => sent?.headers[name] };
}

function refusal(message: string): Refusal {
  return {
    kind: "unavailable",
    retryAfterS: RETRY_AFTER_S,
    message: `the request was not stored: ${message}`,
  };
}
