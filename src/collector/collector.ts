import { setTimeout as sleep } from "node:timers/promises";
import { judgeSpan } from "../export/records/judge-span.ts";
import { Revisions } from "../pipeline/revisions.ts";
import type { MemoryBudget } from "../receive/admission/memory-budget.ts";
import { formatAddress } from "../support/security/addresses/address.ts";
import { securityDefaults } from "../support/security/settings.ts";
import { observeMemory } from "../support/telemetry/metrics/instruments/collector-metrics.ts";
import { acceptingRecords, openKafkaAcceptLog } from "./inputs/kafka-inputs.ts";
import { closeInTimeSlices } from "./evaluation/time-slices.ts";
import { observeLifecycle, TraceFollower } from "./evaluation/follow-traces.ts";
import { TraceLifecycle } from "../pipeline/lifecycle/trace-lifecycle.ts";
import { JournalAcceptLog, type JournalAcceptLogOptions } from "./inputs/journal-accept-log.ts";
import { AcceptLogs } from "./inputs/accept-logs.ts";
import { MemoryAcceptLog } from "./inputs/memory-accept-log.ts";
import { openAdmin } from "./admin.ts";
import { collectorEngine } from "./evaluation/engine.ts";
import type { CollectorOptions } from "./settings/options.ts";
import type { Collector } from "./inputs/live-port.ts";
import { acceptRequests, openReceiver } from "./inputs/open-listeners.ts";
import { openModels } from "./inputs/open-models.ts";
import { refuseBusyPorts } from "./inputs/busy-ports.ts";
import { openChangeWatch } from "./evaluation/open-change-watch.ts";
import { EvaluationRules } from "./evaluation/rules.ts";
import { CollectorSecurity } from "./inputs/open-security.ts";
import { type CollectorSinks, openSinks } from "./outputs/sinks.ts";
import { evict, openBudget } from "./memory.ts";
import { needsNoRestart } from "./settings/needs-no-restart.ts";
import { reportFaults } from "./evaluation/report-faults.ts";
import { EvaluationPipeline } from "./evaluation/evaluation-pipeline.ts";
import { limitedLog, type Log } from "../support/telemetry/log/log.ts";
import { type RunningParts, stopCollectorProcess } from "./stopping.ts";
import { DisposableStack } from "./disposable-stack.ts";

const TICK_MS = 100;
/**
 * Above this number of judged runs whose verdicts are not in the journal yet, no further trace is closed. The telemetry of such runs stays
 * in memory.
 */
const MOST_UNWRITTEN = 1_000;
/**
 * Maximum share of the telemetry memory for runs that wait for judge models, or until their verdicts are recorded. Above this share, no
 * trace is closed, because closing a trace would take more memory than it frees.
 */
const HELD_SHARE = 0.5;

/** Starts the collector: journal, receiver, engine, judge models, exporters and admin port. */
export async function startCollectorProcess(options: CollectorOptions): Promise<Collector> {
  const disposables = new DisposableStack();
  try {
    return await open(options, disposables);
  } catch (error) {
    await disposables.run();
    throw error;
  }
}

async function open(options: CollectorOptions, disposables: DisposableStack): Promise<Collector> {
  const { settings, log, now = () => performance.now() } = options;
  const { http, grpc, admin: adminAddress, models: modelSettings } = settings;
  await refuseBusyPorts({
    "receive.http": http,
    "receive.grpc": grpc,
    admin: adminAddress,
    ...(modelSettings == null ? {} : { "receivers.models": modelSettings.address }),
  });
  const security = new CollectorSecurity(settings.security ?? securityDefaults, settings);
  const revisions = new Revisions(Math.floor(Math.random() * 2 ** 32));
  const rules = new EvaluationRules(options, revisions, (call) => {
    sinks.exporter.publishJudgeCall(call);
    sinks.traces?.judgeCall(judgeSpan(call));
  });
  const sinks: CollectorSinks = await openSinks(options, () => rules.redactor, disposables);
  const { results, forwarder } = sinks;
  const { recorder } = sinks.meter;
  const tailForwarder = forwarder?.tailForwarder ?? null;
  const flush = (): void => results.flush();
  const journalBacked = forwarder?.journalBacked ?? null;
  const { damage } = sinks;
  const lifecycle = new TraceLifecycle();
  const keeping = { revisions, lifecycle, recorder, damage, now, flush, tailForwarder, journalBacked };
  const requestLog =
    (await openJournalAcceptLog(options, keeping)) ?? new MemoryAcceptLog(tailForwarder, now);
  disposables.add(() => requestLog.stop());
  let memory: MemoryBudget | null = null;
  const kafkaLog = await openKafkaAcceptLog(options, {
    revisions,
    lifecycle,
    recorder,
    now,
    flush,
    traces: sinks.traces,
    accepting: (take) => acceptingRecords(take, () => memory, recorder),
  });
  const acceptLogs = new AcceptLogs(requestLog, kafkaLog);
  const onFault = reportFaults(log, recorder);
  observeLifecycle(lifecycle, acceptLogs, tailForwarder, recorder, onFault);
  const kept = { acceptLogs, lifecycle, sinks, tailForwarder };
  const pipeline = new EvaluationPipeline({
    ...options,
    ...kept,
    rules,
    mostHeldBytes: () => mostHeldBytes(memory),
    onFault,
  });
  const engine = collectorEngine(options, { ...kept, pipeline, onFault });
  memory = settings.memory === undefined ? null : openBudget(settings.memory, engine, log);
  memory?.watch(() => pipeline.held.bytes);
  if (memory !== null) observeMemory(recorder, memory);
  await requestLog.start(engine);
  if (forwarder !== null) memory?.watch(() => forwarder.heldBytes);
  if (tailForwarder !== null) memory?.watch(() => tailForwarder.heldBytes);
  const taking = { acceptLogs, forwarder, memory, results, recorder, security, now };
  const accept = acceptRequests(taking);
  const receiver = await openReceiver(options, accept, taking);
  disposables.add(() => receiver.close(0));
  const models = await openModels(options, accept, taking);
  disposables.add(() => models?.close(0));
  let isStopping = false;
  const follower = new TraceFollower({ ...kept, engine, results, now });
  const parts = { ...kept, rules, pipeline, engine, receiver, models, follower };
  const admin = await openAdmin(options, { ...parts, security, isStopping: () => isStopping });
  kafkaLog?.start(engine);
  const stopTicking = startTicking({ ...parts, memory, now, log });
  const changeWatch = openChangeWatch(options, sinks);
  const running: RunningParts = { ...parts, admin, now, stopTicking, changeWatch };
  return {
    listening: {
      ...receiver.listening,
      admin: admin === null ? null : formatAddress(admin.listening),
      ...(models === null ? {} : { models: models.listening }),
    },
    openTraces: () => engine.assembler.openTraces,
    firstSteps: () => ({
      runs: pipeline.decisions.total,
      specs: rules.by.specs.length,
      withoutAgent: lifecycle.history.spansWithoutAgent(),
    }),
    async whenIdle() {
      const isBusy = (): boolean =>
        !isStopping && (engine.assembler.openTraces + pipeline.queue.open > 0 || engine.pipeline.hasAwaited);
      while (isBusy()) await sleep(TICK_MS);
    },
    whenJudged: () => pipeline.queue.fewer(0),
    prepare(configReload) {
      needsNoRestart(options, configReload);
      const renewSecurity = security.prepare(configReload.settings.security ?? securityDefaults);
      const renewNetworks = sinks.exporter.prepareNetworks(
        configReload.settings.security?.allowedNetworks ?? [],
      );
      const renewRules = rules.prepare(configReload);
      return () => {
        renewSecurity();
        renewNetworks();
        if (security.receiveTls !== null) {
          receiver.renewTls(security.receiveTls);
          models?.renewTls(security.receiveTls);
        }
        if (security.adminTls !== null) admin?.renewTls(security.adminTls);
        renewRules();
        engine.readBy(configReload.settings.dialects ?? []);
      };
    },
    noteReload: (outcome) => recorder.count("tracejury.reloads", 1, [outcome]),
    get securityFiles() {
      return security.files;
    },
    stop(timeoutMs) {
      isStopping = true;
      return stopCollectorProcess(running, timeoutMs);
    },
  };
}

/** Starts a timer that closes due traces and frees memory, several times a second. Returns a function that stops the timer. */
function startTicking({
  engine,
  pipeline,
  follower,
  sinks,
  memory,
  now,
  log,
}: Pick<RunningParts, "engine" | "pipeline" | "follower" | "sinks" | "now"> & {
  memory: MemoryBudget | null;
  log: Log;
}): () => void {
  const { forwarder, exporter } = sinks;
  const isBehind = (): boolean => {
    const { unwritten } = pipeline.delivery;
    const isFull = unwritten > 0 && pipeline.held.bytes > mostHeldBytes(memory);
    return isFull || unwritten > MOST_UNWRITTEN || exporter.isBehind();
  };
  const limited = limitedLog(log);
  const onError = (error: unknown): void =>
    void limited.error(
      { err: error },
      "traces could not be closed or memory could not be freed; retrying. If this message repeats, report the error",
    );
  const safely = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      onError(error);
    }
  };
  const closing = closeInTimeSlices(engine, now, isBehind, onError);
  const timer = setInterval(() => {
    closing.catchUp();
    safely(() => follower.tick(TICK_MS));
    if (memory !== null)
      safely(() => evict(memory, engine, now(), forwarder?.tailForwarder ?? null, isBehind));
  }, TICK_MS);
  return () => {
    clearInterval(timer);
    closing.stop();
  };
}

function mostHeldBytes(memory: MemoryBudget | null): number {
  return memory === null ? Infinity : memory.hard * HELD_SHARE;
}

function openJournalAcceptLog(
  { settings, log }: CollectorOptions,
  parts: Omit<JournalAcceptLogOptions, "settings" | "verdictFile" | "uncorrelatedMs" | "log">,
): Promise<JournalAcceptLog | null> {
  const { journal = null, timeouts } = settings;
  if (journal === null) return Promise.resolve(null);
  return JournalAcceptLog.open({
    ...parts,
    log,
    settings: journal,
    verdictFile: settings.export.file,
    uncorrelatedMs: timeouts.idleMs + timeouts.rootCapMs,
  });
}
