import type { OpenTrace } from "../../assemble/open-trace.ts";
import type { Trace } from "../../assemble/trace.ts";
import type { RequestLog } from "./accept-log.ts";
import { hexOf } from "../../otlp/bytes/text.ts";
import { batchTraceIds, traceIdAt } from "../../journal/records/batch-traces.ts";
import { JournalFull, JournalUnwritable } from "../../journal/disk/errors.ts";
import type { FinishedIn, Journal, Position } from "../../journal/journal.ts";
import { DeliveryLedger, type Sending } from "../../journal/delivery-ledger.ts";
import { Resumption } from "../../journal/resumption.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Batch } from "../../otlp/rows/batch.ts";
import type { Revisions } from "../../pipeline/revisions.ts";
import { decodeRequest } from "../../receive/body/decode-request.ts";
import type { ReceivedRequest, Refusal } from "../../receive/ports.ts";
import {
  observeJournal,
  recordNotKept,
  recordRecovered,
} from "../../telemetry/metrics/instruments/collector-metrics.ts";
import type { DamageReport } from "../../telemetry/reports/damage-report.ts";
import type { Log } from "../../telemetry/log/log.ts";
import type { Recorder } from "../../telemetry/metrics/recorder.ts";
import type { HeldAbout, TailForwarder } from "../../export/forward/tail/tail-forwarder.ts";
import type { JournalBackedQueue } from "../../export/forward/queue/journal-backed-queue.ts";
import type { Forwarded, RequestMeta, SentMeta } from "../../journal/records/record-kinds.ts";
import type { Engine } from "../../replay/engine.ts";
import { alreadyWritten, type JournalSettings, journalIn } from "./open-journal.ts";

export interface JournalAcceptLogOptions {
  readonly settings: JournalSettings;
  /** The file of verdicts, if there is one. */
  readonly verdictFile: string | null;
  /** How long log records that name no trace wait for their span. */
  readonly uncorrelatedMs: number;
  readonly revisions: Revisions;
  /** Writes what the store still gathers. */
  readonly flush: () => void;
  readonly recorder: Recorder;
  readonly damage: DamageReport;
  readonly log: Log;
  readonly now: () => number;
  /** What holds telemetry back until it is judged; nothing does when absent. */
  readonly tailForwarder?: TailForwarder | null;
  /** What lets backends' queues rest on the journal; each has its own copies when absent. */
  readonly journalBacked?: JournalBackedQueue | null;
}

const SWEEP_MS = 1_000;
/** How long a failure to write counts as the state of things. */
const UNWELL_MS = 5_000;
const RETRY_AFTER_S = 1;

/** What makes `serve` survive a crash: requests are written down before they are answered, and taken up again at the start. */
export class JournalAcceptLog implements RequestLog {
  readonly isDurable = true;
  readonly #ledger: DeliveryLedger<Position>;
  readonly #journal: Journal;
  readonly #options: JournalAcceptLogOptions;
  #engine: Engine | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failedAtMs = -Infinity;
  #failure = "";

  private constructor(
    journal: Journal,
    ledger: (onError: (error: unknown) => void) => DeliveryLedger<Position>,
    options: JournalAcceptLogOptions,
  ) {
    this.#journal = journal;
    this.#options = options;
    this.#ledger = ledger((error) => this.#failed(error));
    observeJournal(options.recorder, journal);
  }

  /** Null when there is to be none after all. Rejects with `JournalOpenError`. */
  static async open(options: JournalAcceptLogOptions): Promise<JournalAcceptLog | null> {
    const journal = await journalIn(options.settings, options.log, options.damage);
    if (journal === null) return null;
    const inFile = await alreadyWritten(journal, options.verdictFile);
    const { uncorrelatedMs, flush } = options;
    const resumption = new Resumption(journal.past.judgements, inFile);
    const resume = resumption.resume.bind(resumption);
    const ledger = (onError: (error: unknown) => void): DeliveryLedger<Position> =>
      new DeliveryLedger({ journal, resume, uncorrelatedMs, flush, onError });
    return new JournalAcceptLog(journal, ledger, options);
  }

  get troubles(): readonly string[] {
    return this.#options.now() - this.#failedAtMs < UNWELL_MS ? [`journal: ${this.#failure}`] : [];
  }

  get unwritten(): number {
    return this.#ledger.unwritten;
  }

  /** Puts what an earlier process left into the pipeline again, and begins to keep the journal in step with it. */
  async start(engine: Engine): Promise<void> {
    this.#engine = engine;
    const { log, recorder, tailForwarder } = this.#options;
    const restless = new Set<string>();
    let sentOn = 0;
    tailForwarder?.resume(this.#journal.past.forwarded);
    const { finished, requests, judgements } = this.#journal.past;
    const traceIds = new Set<string>();
    let spans = 0;
    for await (const { body, meta, position, queues } of this.#journal.recover()) {
      if (queues.length > 0) sentOn++;
      for (const queue of this.#resume(meta, body, queues, position)) restless.add(queue);
      const batch = batchOf(body, meta);
      if (batch === null) {
        this.#journal.release(position);
        continue;
      }
      spans += batch.spanCount;
      for (const id of batchTraceIds(batch)) if (!finished.has(id)) traceIds.add(id);
      this.#hold(batch, position, meta, finished);
      this.#take(engine, batch, position, (rows, at) => finished.has(traceIdAt(rows, at)));
    }
    if (restless.size > 0)
      log.warn({ destinations: [...restless] }, "requests waited for backends that are not there any more");
    this.#ledger.recovered(traceIds, this.#journal.past);
    recordRecovered(recorder, spans);
    if (sentOn > 0)
      log.info({ requests: sentOn }, "requests that an earlier run left in the journal are forwarded");
    if (traceIds.size > 0) {
      log.info(
        { requests, spans, traces: traceIds.size, judged: judgements.length },
        "unfinished traces are taken up again",
      );
    }
    this.#timer = setInterval(() => void this.#sweep(), SWEEP_MS).unref();
  }

  async append(batch: Batch, request: ReceivedRequest): Promise<Refusal | null> {
    const engine = this.#engine;
    if (engine === undefined) return refusal("not started yet");
    const { signal, encoding } = request;
    const { journalBacked = null, settings } = this.#options;
    const queues = journalBacked?.queuesFor(batch.body, request, settings.budget) ?? [];
    const sent = this.#sentMeta(request, queues);
    try {
      const meta = { signal, encoding, receivedUnixMs: Date.now(), ...(sent === undefined ? {} : { sent }) };
      const position = await this.#journal.append(batch.body, meta);
      if (queues.length > 0) journalBacked?.begin(request, queues, this.#journal.share(position));
      this.#hold(batch, position, meta, undefined, request);
      this.#take(engine, batch, position);
      return null;
    } catch (error) {
      if (!(error instanceof JournalFull || error instanceof JournalUnwritable)) throw error;
      this.#failed(error);
      recordNotKept(this.#options.recorder, error instanceof JournalFull ? "full" : "unwritable");
      return refusal(error.message);
    }
  }

  owns(): boolean {
    return true;
  }

  closed(trace: Trace): boolean {
    this.#ledger.closed(trace);
    return true;
  }

  forgotten(trace: OpenTrace): boolean {
    this.#ledger.forgotten(trace);
    return true;
  }

  mayPublish(): "now" {
    return "now";
  }

  begin(run: AgentRun): boolean {
    const resumed = this.#ledger.begin(run);
    for (const [verdictId, revision] of resumed?.given ?? [])
      this.#options.revisions.resume(verdictId, revision);
    return resumed?.isSettled !== true;
  }

  publish(
    run: AgentRun,
    verdicts: readonly Verdict[],
    send: (verdict: Verdict, sending: Sending) => void,
  ): void {
    this.#ledger.publish(run, verdicts, send);
  }

  end(run: AgentRun): void {
    this.#ledger.end(run);
  }

  recordForwarded(forwarded: Forwarded): Promise<void> {
    return this.#ledger.forwarded(forwarded);
  }

  relinquish(): void {
    // what is open is in the journal
  }

  settled(): Promise<void> {
    return this.#ledger.settled();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#ledger.close();
    this.#engine?.assembler.forgetClosed();
    await this.#sweep(false);
    const { openTraces = 0 } = this.#engine?.assembler ?? {};
    if (openTraces > 0)
      this.#options.log.info({ traces: openTraces }, "unfinished traces wait in the journal");
    await this.#journal.close();
  }

  /** What is to be kept of a request besides its body, so that it can be sent on after a restart; nothing if it need not be. */
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

  /** Gives queues that are to have sent the request on, and are not there. */
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

  /** @param finished traces that are done with */
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

  #take(
    engine: Engine,
    batch: Batch,
    position: Position,
    isOver?: (rows: Int32Array, at: number) => boolean,
  ): void {
    const { counts } = engine.assembler;
    const uncorrelated = counts.uncorrelatedLogs;
    const now = this.#options.now();
    const traces = engine.pipeline.accept(batch, now, isOver);
    const hasUncorrelated = counts.uncorrelatedLogs > uncorrelated;
    this.#ledger.took(
      batch,
      position,
      traces,
      hasUncorrelated ? { mayJoin: () => engine.assembler.mayJoin(batch) } : null,
      now,
    );
  }

  /** @param mayGoOn whether what was judged may still get more spans */
  async #sweep(mayGoOn = true): Promise<void> {
    const engine = this.#engine;
    if (engine === undefined) return;
    let held: Set<string> | undefined;
    const finishedIn: FinishedIn = (body, meta) => {
      const batch = batchOf(body, meta);
      if (batch === null) return [];
      const live = (held ??= new Set(Array.from(engine.assembler.heldIds(), hexOf)));
      return [...batchTraceIds(batch)].filter((id) => !live.has(id) && !this.#ledger.keeps(id));
    };
    const openTraceIds = (): Set<string> => {
      const open = engine.pipeline.openTraceIds(mayGoOn);
      for (const id of this.#options.tailForwarder?.openTraceIds() ?? []) open.add(id);
      return open;
    };
    await this.#ledger.sweep(this.#options.now(), openTraceIds, finishedIn);
  }

  #failed(error: unknown): void {
    const isNews = this.troubles.length === 0;
    this.#failedAtMs = this.#options.now();
    this.#failure = error instanceof Error ? error.message : String(error);
    if (isNews) this.#options.log.error({ err: error }, "the journal cannot be written");
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
  return { kind: "unavailable", retryAfterS: RETRY_AFTER_S, message: `not kept: ${message}` };
}
