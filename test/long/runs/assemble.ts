import {
  defaultTraceTimeouts,
  unlimitedTraceTimeouts,
  type TraceTimeouts,
} from "../../../src/assemble/timeouts/trace-timeouts.ts";
import { createEngine, type EngineOptions } from "../../../src/replay/engine.ts";
import type { AgentRun } from "../../../src/model/run.ts";
import { decodeRequest } from "../../../src/receive/body/decode-request.ts";
import type { Body } from "./records.ts";

/** The runs in the bodies as replay assembles them, sorted by start. */
export function replayedRuns(
  bodies: readonly Body[],
  adapters?: EngineOptions["adapters"],
  dialects?: EngineOptions["dialects"],
): AgentRun[] {
  const runs: AgentRun[] = [];
  const { accept, pipeline } = openEngine(unlimitedTraceTimeouts, Infinity, 0, (run) => runs.push(run), {
    adapters,
    dialects,
  });
  for (const body of bodies) accept(body, 0);
  pipeline.drain("eof", 0);
  return runs.sort(byStart);
}

/** A body and the time of its arrival. */
export interface Arrival {
  readonly body: Body;
  readonly atMs: number;
}

const TICK_MS = 1_000;
/** Longer than the collector's waits for a trace, for late spans and for the rest of a run together. */
const SILENCE_MS = 600_000;

/** The runs that the collector finally has: the latest revision of each, sorted by start. */
export function liveRuns(arrivals: readonly Arrival[]): AgentRun[] {
  const runs = new Map<string, AgentRun>();
  const keep = (run: AgentRun): void => void runs.set(run.runId, run);
  const { accept, pipeline } = openEngine(defaultTraceTimeouts, 15_000, 12_345, keep);
  const inTurn = [...arrivals].sort((a, b) => a.atMs - b.atMs);
  let next = 0;
  const endMs = (inTurn.at(-1)?.atMs ?? 0) + SILENCE_MS;
  for (let nowMs = 0; nowMs <= endMs; nowMs += TICK_MS) {
    for (let one = inTurn[next]; one !== undefined && one.atMs <= nowMs; one = inTurn[++next])
      accept(one.body, nowMs);
    pipeline.tick(nowMs);
  }
  return [...runs.values()].sort(byStart);
}

function openEngine(
  timeouts: TraceTimeouts,
  quietMs: number,
  seed: number,
  onRun: (run: AgentRun) => void,
  reading?: Pick<EngineOptions, "adapters" | "dialects">,
) {
  const { pipeline } = createEngine({
    timeouts,
    quietMs,
    attributes: [],
    prices: {},
    seed,
    onRun,
    ...reading,
  });
  const accept = ({ bytes, signal, encoding }: Body, nowMs: number): void => {
    const decoded = decodeRequest(bytes, signal, encoding);
    if (!decoded.ok) throw new Error(`a recording cannot be decoded: ${decoded.message}`);
    if (decoded.batch !== null) pipeline.accept(decoded.batch, nowMs);
  };
  return { accept, pipeline };
}

function byStart(a: AgentRun, b: AgentRun): number {
  return a.startUnixMs - b.startUnixMs || (a.runId < b.runId ? -1 : 1);
}
