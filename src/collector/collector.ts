import { setTimeout as sleep } from "node:timers/promises";
import { Revisions } from "../pipeline/revisions.ts";
import type { MemoryBudget } from "../receive/admission/memory-budget.ts";
import { formatAddress } from "../security/addresses/address.ts";
import { securityDefaults } from "../security/settings.ts";
import { observeMemory } from "../telemetry/metrics/instruments/collector-metrics.ts";
import { acceptingRecords, openConsuming } from "./inputs/kafka-inputs.ts";
import { catchingUp } from "./evaluation/time-slices.ts";
import { Fates } from "./evaluation/trace-lifecycle.ts";
import { Journalling, type JournallingOptions } from "./inputs/journal-accept-log.ts";
import { openAdmin } from "./admin.ts";
import { liveEngine } from "./evaluation/engine.ts";
import type { LiveOptions } from "./settings/options.ts";
import type { Live } from "./inputs/live-port.ts";
import { openReceiver } from "./inputs/open-listeners.ts";
import { LiveRules } from "./evaluation/rules.ts";
import { LiveSecurity } from "./inputs/open-security.ts";
import { type LiveSinks, openSinks } from "./outputs/sinks.ts";
import { openBudget, relieve } from "./memory.ts";
import { roomyHeap } from "../receive/admission/garbage.ts";
import { needsNoRestart } from "./settings/needs-no-restart.ts";
import { RunLine } from "./evaluation/evaluation-pipeline.ts";
import { type RunningParts, stopLive } from "./stopping.ts";
import { Undo } from "./disposable-stack.ts";

const TICK_MS = 100;
/** Judged runs whose verdicts are not in the journal yet. Each retains its telemetry. */
const MOST_UNWRITTEN = 1_000;
/** How often the traces are listed of which runs may still come. */
const LISTED_EVERY_MS = 1_000;

/** Starts everything that `serve` is: journal, receiver, engine, judges, exporters, admin port. */
export async function startLive(options: LiveOptions): Promise<Live> {
  const undo = new Undo();
  try {
    return await open(options, undo);
  } catch (error) {
    await undo.run();
    throw error;
  }
}

async function open(options: LiveOptions, undo: Undo): Promise<Live> {
  const { settings, log } = options;
  const security = new LiveSecurity(settings.security ?? securityDefaults, settings);
  const now = (): number => performance.now();
  const revisions = new Revisions(Math.floor(Math.random() * 2 ** 32));
  const rules = new LiveRules(options, revisions, (call) => sinks.exporter.publishJudgeCall(call));
  const sinks: LiveSinks = await openSinks(options, () => rules.redactor, undo);
  const { results, forwarder } = sinks;
  const { recorder } = sinks.meter;
  const holding = forwarder?.holding ?? null;
  const flush = (): void => results.flush();
  const resting = forwarder?.resting ?? null;
  const { damage } = sinks;
  const keeping = { revisions, recorder, damage, now, flush, holding, resting };
  const journalling = await openJournalling(options, keeping);
  undo.add(() => journalling?.stop());
  const fates = new Fates({ recorder, holding, journalling, now });
  let memory: MemoryBudget | null = null;
  const consuming = await openConsuming(options, {
    revisions,
    recorder,
    now,
    flush,
    accepting: (take) => acceptingRecords(take, () => memory, recorder),
  });
  const kept = { consuming, journalling, fates, sinks };
  const line = new RunLine({ ...options, ...kept, rules, sampling: settings.sampling });
  const engine = liveEngine(options, { ...kept, line, holding });
  memory = settings.memory === undefined ? null : openBudget(settings.memory, engine, log);
  if (memory !== null) observeMemory(recorder, memory);
  await journalling?.start(engine);
  if (forwarder !== null) memory?.watch(() => forwarder.heldBytes);
  if (holding !== null) memory?.watch(() => holding.heldBytes);
  const taking = { engine, journalling, forwarder, memory, results, recorder, security, now };
  const receiver = await openReceiver(options, taking);
  let isStopping = false;
  const parts = { ...kept, rules, line, engine, receiver };
  const admin = await openAdmin(options, { ...parts, security, isStopping: () => isStopping });
  consuming?.start(engine);
  const stopTicking = startTicking({ ...parts, memory, now });
  const running: RunningParts = { ...parts, admin, now, stopTicking };
  return {
    listening: { ...receiver.listening, admin: admin === null ? null : formatAddress(admin.listening) },
    openTraces: () => engine.assembler.openTraces,
    async whenIdle() {
      while (engine.assembler.openTraces + line.queue.open > 0) await sleep(TICK_MS);
    },
    whenJudged: () => line.queue.fewer(0),
    prepare(renewal) {
      needsNoRestart(options, renewal);
      const renewSecurity = security.prepare(renewal.settings.security ?? securityDefaults);
      const renewRules = rules.prepare(renewal);
      return () => {
        renewSecurity();
        if (security.receiveTls !== null) receiver.renewTls(security.receiveTls);
        if (security.adminTls !== null) admin?.renewTls(security.adminTls);
        renewRules();
      };
    },
    noteReload: (outcome) => recorder.count("tracejury.reloads", 1, [outcome]),
    get securityFiles() {
      return security.files;
    },
    stop(timeoutMs) {
      isStopping = true;
      return stopLive(running, timeoutMs);
    },
  };
}

/** What is done several times a second: traces that are due are closed, and memory is looked after. */
function startTicking({
  engine,
  fates,
  sinks,
  journalling,
  memory,
  now,
}: Pick<RunningParts, "engine" | "fates" | "sinks" | "journalling" | "now"> & {
  memory: MemoryBudget | null;
}): () => void {
  const { results, forwarder, exporter } = sinks;
  const isBehind = (): boolean =>
    exporter.isBehind() || (journalling?.ledger.unwritten ?? 0) > MOST_UNWRITTEN;
  const closing = catchingUp(engine, now, isBehind);
  const undoRoom = memory === null ? roomyHeap() : () => undefined;
  let listedMs = -Infinity;
  const timer = setInterval(() => {
    closing.catchUp();
    fates.tick(() => engine.pipeline.awaitedTraceIds(), TICK_MS);
    if (now() - listedMs >= LISTED_EVERY_MS) {
      listedMs = now();
      results.letGo(() => engine.pipeline.openTraceIds());
    }
    if (memory !== null) relieve(memory, engine, now(), forwarder?.holding ?? null, isBehind);
  }, TICK_MS);
  return () => {
    clearInterval(timer);
    closing.stop();
    undoRoom();
  };
}

function openJournalling(
  { settings, log }: LiveOptions,
  parts: Omit<JournallingOptions, "settings" | "verdictFile" | "looseMs" | "log">,
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
