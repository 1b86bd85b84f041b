import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { decisionEndpoints } from "../../api/endpoints/decisions.ts";
import { otlpMetricReaders } from "../../export/otlp/metric-reader.ts";
import type { AgentRun } from "../../model/run.ts";
import { splitRun } from "../../model/split-run.ts";
import type { ConversationRules } from "../../pipeline/conversation/conversations.ts";
import { createAskingJudge, type JudgedRun, judgesConversations } from "../../pipeline/judge-run.ts";
import { type Decision, Decisions, type Sampling } from "../../pipeline/decisions.ts";
import { JudgingQueue } from "../../pipeline/judging-queue.ts";
import { sampledJudge } from "../../pipeline/sampled-judge.ts";
import { rootEvents } from "../../export/root-events.ts";
import { hexOf } from "../../assemble/to-trace.ts";
import { acceptAndForward } from "../../forward/forwarder.ts";
import { FairAdmission, tenantBy } from "../../limits/fair-admission.ts";
import type { MemoryBudget } from "../../limits/memory-budget.ts";
import { acceptWithin } from "../../limits/reading-cost.ts";
import { formatAddress } from "../../receive/address.ts";
import { intakeBatches } from "../../receive/intake-batches.ts";
import { createReceiver } from "../../receive/receiver.ts";
import { Revisions } from "../../pipeline/revisions.ts";
import { verdictJson } from "../../render/verdict-json.ts";
import { securityDefaults } from "../../security/settings.ts";
import { nothingRedacted } from "../../redact/redactor.ts";
import {
  observeAssembler,
  observeMemory,
  recordClosedTrace,
  recordItems,
  recordRequest,
} from "../../telemetry/collector-metrics.ts";
import { exportReport } from "../../telemetry/export-report.ts";
import { createMeter } from "../../telemetry/meter.ts";
import { ownResource } from "../../telemetry/resource.ts";
import { recordRun, recordUnjudged, recordVerdict } from "../../telemetry/verdict-metrics.ts";
import { version } from "../../version.ts";
import { today } from "../engine/today.ts";
import { openRedactor, redactJudged } from "../engine/redaction.ts";
import { createEngine } from "../engine/engine.ts";
import { catchingUp } from "./catching-up.ts";
import { startAdmin } from "./admin-port.ts";
import { acceptingRecords, openConsuming } from "./consuming-parts.ts";
import { Fates, holdWithoutJournal } from "./fates.ts";
import { Journalling, type JournallingOptions } from "./journalling.ts";
import type { Live } from "./live-port.ts";
import type { JudgedBy, LiveOptions, LiveSettings } from "./live-options.ts";
import { statusOf, systemOf } from "./live-status.ts";
import { backtesting } from "./backtest-of-store.ts";
import { needsNoRestart } from "./needs-no-restart.ts";
import { LiveSecurity } from "./live-security.ts";
import { openForwarding } from "./forwarding.ts";
import { openOutputs } from "./outputs.ts";
import { openResults } from "./results.ts";
import { largestBody, openBudget, relieve } from "./memory.ts";
import { waitForJudges } from "./wait-for-judges.ts";

const TICK_MS = 100;
/** Runs that may wait for judges; what comes on top is judged without them, and says so. */
const MOST_WAITING = 2_000;

/** Runs of conversations that are open; their telemetry is held. */
const MOST_CONVERSED = 10_000;

function conversationRules({ conversationIdleMs, patience }: LiveSettings): ConversationRules {
  return {
    idleMs: conversationIdleMs ?? patience.idleMs,
    keptMs: patience.lateWindowMs,
    mostRuns: MOST_CONVERSED,
  };
}

/** Decisions about runs that can be looked at. */
const DECISIONS_KEPT = 10_000;
const everyRun: Sampling = { rate: 1, agents: new Map(), queries: new Map(), always: [] };

/** Starts everything that `serve` is: journal, receiver, engine, judges, exporters, admin port. */
export async function startLive(options: LiveOptions): Promise<Live> {
  const { settings, log } = options;
  const security = new LiveSecurity(settings.security ?? securityDefaults, settings);
  const now = (): number => performance.now();
  const resource = ownResource(version, randomUUID());
  const meter = createMeter({ version, resource, otelcolNames: settings.otelcolNames });
  const { recorder } = meter;
  const events = exportReport(recorder, log);
  let redactor = openRedactor(settings.redact ?? nothingRedacted);
  const results = await openResults({
    settings: settings.store,
    redactor: () => redactor,
    log,
    events,
    recorder,
    queues: settings.outputQueues,
    queueBytes: settings.export.queueBytes,
  });
  const listeners = ownListeners(settings);
  meter.attach(otlpMetricReaders({ settings: settings.export, version, listeners, events }));
  const exporter = await openOutputs(
    settings.outputQueues,
    {
      settings: settings.export,
      allowedNetworks: settings.security?.allowedNetworks ?? [],
      version,
      resource,
      listeners,
      render: verdictJson,
      lateWindowMs: settings.patience.lateWindowMs,
      events,
    },
    log,
  ).catch(async (error: unknown) => {
    await results.close();
    throw error;
  });
  const revisions = new Revisions();
  const judgeBy = ({ specs, unasked, userChecks, reference, judging, judgeCalls }: JudgedBy) => {
    if (judgeCalls !== undefined) judgeCalls.tell = (call) => exporter.publishJudgeCall(call);
    return createAskingJudge(
      {
        specs,
        unasked,
        userChecks,
        engine: version,
        revisions,
        today,
        ...(reference === undefined ? {} : { reference }),
      },
      judging?.asking,
    );
  };
  let by: JudgedBy = options;
  let judge = judgeBy(by);
  const forwarder = await openForwarding(settings.forward, {
    listeners,
    recorder,
    log,
    eventsOf: (verdicts) => rootEvents(verdicts, settings.export.content),
  }).catch(async (error: unknown) => {
    await exporter.close(0);
    throw error;
  });
  const holding = forwarder?.holding ?? null;
  const journalling = await openJournalling(options, {
    revisions,
    recorder,
    now,
    flush: () => results.flush(),
    holding,
  }).catch(async (error: unknown) => {
    await forwarder?.close(0);
    await exporter.close(0);
    throw error;
  });
  const fates = new Fates({ recorder, holding, journalling, now });
  const state = { stopping: false, abandoned: false };
  let memory: MemoryBudget | null = null;
  const consuming = await openConsuming(options, {
    revisions,
    recorder,
    now,
    flush: () => results.flush(),
    accepting: (take) => acceptingRecords(take, () => memory, recorder),
  });
  const onJudged = (asJudged: JudgedRun): void => {
    if (state.abandoned) return; // its judges were cut off; it waits in the journal
    const may = consuming?.may(asJudged.run, () => onJudged(asJudged));
    if (may === "never") fates.judged(asJudged.run, []);
    if (may === "never" || may === "later") return;
    const keeper = consuming?.owns(asJudged.run) === true ? consuming : journalling;
    const judged = redactJudged(asJudged, redactor);
    const first = judged.verdicts.every(({ revision }) => revision === 1);
    if (first && judged.run.turns === undefined) recordRun(recorder, judged.run);
    const kept = results.onJudged(judged, asJudged.run);
    for (const verdict of judged.verdicts) {
      recordVerdict(recorder, verdict);
      if (keeper === null) exporter.publish(verdict, { done: () => fates.exported(verdict) });
    }
    keeper?.publish(asJudged.run, judged.verdicts, (verdict, how) => {
      const done = (): void => {
        fates.exported(verdict);
        // The journal keeps the run until the store has it, too.
        if (kept === null) how.done();
        else void kept.then(how.done);
      };
      exporter.publish(verdict, { ...how, done });
    });
    fates.judged(asJudged.run, judged.verdicts);
    for (const one of [...judged.unmatched, ...judged.ambiguous]) recordUnjudged(recorder, one);
    options.onJudged?.(judged);
  };
  const onError = (run: AgentRun, error: unknown): void => {
    log.error({ err: error, run_id: run.runId }, "a run could not be judged");
    journalling?.ledger.end(run);
    consuming?.end(run);
    fates.judged(run, []);
  };
  const decisions = new Decisions(DECISIONS_KEPT);
  const onDecision = (decision: Decision): void => {
    decisions.add(decision);
    fates.records.decided(decision);
    recorder.count("tracejury.decisions", 1, [decision.decision, decision.why]);
  };
  const queue = new JudgingQueue({
    judge: sampledJudge((run) => judge(run), settings.sampling ?? everyRun, onDecision),
    onJudged,
    onError,
    mostWaiting: MOST_WAITING,
  });
  const onRun = (found: AgentRun): void => {
    const run = results.isSplit(found.traceIds) ? splitRun(found) : found;
    if (consuming !== null && consuming.may(run, () => onRun(run)) !== "now") return;
    try {
      results.onRun(run);
    } catch (error) {
      onError(run, error);
    }
    const keeper = consuming?.owns(run) === true ? consuming : journalling;
    if (keeper !== null && !keeper.begin(run)) return fates.judgedBefore(run);
    fates.begin(run);
    queue.submit(run);
  };
  const engine = createEngine({
    patience: settings.patience,
    quietMs: settings.patience.rootOpenMs,
    attributes: settings.attributes,
    prices: settings.prices,
    seed: Math.floor(Math.random() * 2 ** 32),
    conversations: judgesConversations(options.specs) ? conversationRules(settings) : undefined,
    onRun,
    onClosedTrace: (reason) => recordClosedTrace(recorder, reason),
    onTrace: (trace) => {
      if (consuming?.closed(trace) !== true) journalling?.ledger.closed(trace);
      fates.closed(trace);
      results.onTrace?.(trace);
      if (consuming === null) results.onHeld([trace.traceId]); // also those that the journal had
    },
    onGoneTrace: (trace) => {
      if (consuming?.gone(trace) !== true) journalling?.ledger.gone(trace);
      holding?.gone(hexOf(trace.id));
    },
  });
  observeAssembler(recorder, engine.assembler);
  memory = settings.memory === undefined ? null : openBudget(settings.memory, engine, log);
  if (memory !== null) observeMemory(recorder, memory);
  await journalling?.start(engine);
  if (forwarder !== null) memory?.watch(() => forwarder.heldBytes);
  if (holding !== null) memory?.watch(() => holding.heldBytes);
  const take = intakeBatches(
    (batch, request) => {
      if (journalling !== null) return results.noted(batch, journalling.take(batch, request));
      if (holding !== null) holdWithoutJournal(holding, batch, request, now());
      engine.pipeline.accept(batch, now());
      return results.noted(batch, undefined);
    },
    ({ transport, signal }, accepted, refused) => recordItems(recorder, transport, signal, accepted, refused),
  );
  const passing =
    forwarder === null
      ? take
      : acceptAndForward(forwarder, take, () => recorder.count("tracejury.forward.loops", 1, []));
  const accept = memory === null ? passing : acceptWithin(memory, passing);
  const giveUp = async (error: unknown): Promise<never> => {
    await exporter.close(0);
    await forwarder?.close(0);
    await journalling?.stop();
    await results.close();
    throw error;
  };
  const receiver = await createReceiver({
    http: settings.http,
    grpc: settings.grpc,
    maxBody: memory === null ? settings.maxBody : largestBody(settings.maxBody, memory, log),
    log,
    authorize: (authorization) => security.guard.admit(authorization, "ingest"),
    crossOrigin: security.allowsAnyOrigin ? { allows: (origin) => security.allowsOrigin(origin) } : null,
    tls: security.receiveTls,
    accept,
    ...(memory === null
      ? {}
      : { admission: new FairAdmission(memory, now, tenantBy(settings.tenantHeader ?? null)) }),
    events: {
      request: (transport, signal, outcome, wireBytes) =>
        recordRequest(recorder, transport, signal, outcome, wireBytes),
      connectionCut: (reason) => recorder.count("tracejury.receiver.connections_cut", 1, [reason]),
    },
  }).catch(giveUp);
  const admin = await startAdmin(settings.admin, receiver, {
    guard: security.guard,
    allowedHosts: () => security.allowedHosts,
    tls: security.adminTls,
    store: results.store,
    archive: (clock) => [
      ...(results.endpoints?.(clock) ?? []),
      ...decisionEndpoints(decisions, fates.records, engine.assembler),
      ...backtesting(results.archive, () => by.specs, settings, clock),
    ],
    page: options.page,
    system: systemOf(() => by.specs, options.shownConfig, results.archive),
    metricsHandler: () => meter.prometheus(),
    ready: () => {
      const trouble = journalling?.trouble ?? null;
      const reasons = [
        ...(state.stopping ? ["shutting down"] : []),
        ...(trouble === null ? [] : [`journal: ${trouble}`]),
        ...(consuming === null || consuming.trouble === null ? [] : [`kafka: ${consuming.trouble}`]),
      ];
      return { ready: reasons.length === 0, reasons };
    },
    status: async () => ({
      ...statusOf(engine, by.specs),
      store: await results.status(),
      reload: options.reloading?.last() ?? null,
    }),
    reload: options.reloading?.now,
    onError: (error) => log.error({ err: error }, "a request of the admin port failed"),
  }).catch(giveUp);
  consuming?.start(engine);
  const catchUp = catchingUp(engine, now);
  const timer = setInterval(() => {
    catchUp();
    fates.tick(() => engine.pipeline.awaitedTraceIds(), TICK_MS);
    results.letGo(() => engine.pipeline.openTraceIds());
    if (memory !== null) relieve(memory, engine, now(), holding);
  }, TICK_MS);
  return {
    listening: { ...receiver.listening, admin: admin === null ? null : formatAddress(admin.listening) },
    openTraces: () => engine.assembler.openTraces,
    async whenIdle() {
      while (engine.assembler.openTraces + queue.open > 0) await sleep(TICK_MS);
    },
    whenJudged: () => queue.fewer(0),
    prepare(renewal) {
      needsNoRestart(options, renewal);
      const renewSecurity = security.prepare(renewal.settings.security ?? securityDefaults);
      const nextRedactor = openRedactor(renewal.settings.redact ?? nothingRedacted);
      const nextJudge = judgeBy(renewal.by);
      return () => {
        renewSecurity();
        if (security.receiveTls !== null) receiver.renewTls(security.receiveTls);
        if (security.adminTls !== null) admin?.renewTls(security.adminTls);
        by = renewal.by;
        judge = nextJudge;
        redactor = nextRedactor;
      };
    },
    noteReload: (outcome) => recorder.count("tracejury.reloads", 1, [outcome]),
    get securityFiles() {
      return security.files;
    },
    async stop(timeoutMs) {
      state.stopping = true;
      const deadline = now() + timeoutMs;
      await receiver.close(timeoutMs / 4);
      clearInterval(timer);
      consuming?.letGo();
      if (journalling === null) engine.pipeline.drain("shutdown", now());
      await waitForJudges(queue, (deadline - now()) / 2, () => {
        state.abandoned = journalling !== null || consuming !== null;
        by.judging?.abort();
      });
      await Promise.all([journalling?.settled(), consuming?.settled()]);
      fates.tick(() => engine.pipeline.awaitedTraceIds(), 0);
      await holding?.close(journalling === null);
      const rest = Math.max(0, deadline - now()) / 2;
      await Promise.all([exporter.close(rest), forwarder?.close(rest), results.drain(rest)]);
      await consuming?.stop();
      await journalling?.stop();
      await meter.shutdown(Math.max(0, deadline - now()) / 2);
      await admin?.close();
      await results.close();
    },
  };
}

function openJournalling(
  { settings, log }: LiveOptions,
  parts: Pick<JournallingOptions, "revisions" | "recorder" | "now" | "flush" | "holding">,
): Promise<Journalling | null> {
  const { journal = null, patience } = settings;
  if (journal === null) return Promise.resolve(null);
  return Journalling.open({
    ...parts,
    log,
    settings: journal,
    verdictFile: settings.export.file,
    looseMs: patience.idleMs + patience.rootCapMs,
  });
}

function ownListeners({ http, grpc, admin }: LiveSettings): readonly string[] {
  return [http, grpc, admin].filter((address) => address !== "off" && !address.endsWith(":0"));
}
