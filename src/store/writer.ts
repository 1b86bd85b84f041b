import type { TraceBytes } from "../assemble/trace-bytes.ts";
import { worst } from "../model/outcome.ts";
import { foldName } from "../evaluate/fold-name.ts";
import type { Database, Statement } from "./database.ts";
import { Rollups } from "./rollups.ts";
import type { JudgedRecord, RunRecord, UnjudgedRecord, VerdictRecord } from "./stored.ts";

/** Longest text of a verdict that can be searched, in characters. */
const SEARCHABLE = 1000;

/** Puts records into the tables; to be called inside a transaction. */
export class Writer {
  readonly #run: Statement;
  readonly #runTrace: Statement;
  readonly #dropTelemetry: Statement;
  readonly #telemetry: Statement;
  readonly #earlier: Statement;
  readonly #supersede: Statement;
  readonly #verdict: Statement;
  readonly #unjudged: Statement;
  readonly #judged: Statement;
  readonly #rollups: Rollups;

  constructor(database: Database) {
    this.#run = database.prepare(`
      INSERT INTO runs (run_id, agent, agent_folded, service, conversation_id, query, query_folded, outcome, complete,
        start_ms, duration_ms, total_tokens, cost_usd, models, seen_ms, json)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (run_id) DO UPDATE SET agent = excluded.agent, agent_folded = excluded.agent_folded,
        service = excluded.service, conversation_id = excluded.conversation_id, query = excluded.query,
        query_folded = excluded.query_folded,
        outcome = excluded.outcome, complete = excluded.complete, start_ms = excluded.start_ms,
        duration_ms = excluded.duration_ms, total_tokens = excluded.total_tokens, cost_usd = excluded.cost_usd,
        models = excluded.models, seen_ms = excluded.seen_ms, json = excluded.json`);
    this.#runTrace = database.prepare("INSERT OR IGNORE INTO run_traces (trace_id, run_id) VALUES (?, ?)");
    this.#dropTelemetry = database.prepare("DELETE FROM telemetry WHERE trace_id = ?");
    this.#telemetry = database.prepare(
      "INSERT INTO telemetry (trace_id, part, signal, encoding, bytes) VALUES (?, ?, ?, ?, ?)",
    );
    this.#earlier = database.prepare(`
      SELECT revision, judged_ms, outcome, duration_ms, cost_usd, tokens, agent, spec, query_id
      FROM verdicts WHERE verdict_id = ? AND latest = 1`);
    this.#supersede = database.prepare("UPDATE verdicts SET latest = 0 WHERE verdict_id = ? AND latest = 1");
    this.#verdict = database.prepare(`
      INSERT INTO verdicts (verdict_id, revision, latest, run_id, spec, query_id, agent, agent_folded, outcome,
        judged_ms, trace_ids, duration_ms, cost_usd, tokens, text, json)
      VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#unjudged = database.prepare(`
      INSERT INTO unjudged (run_id, spec, reason, candidates, agent, query, judged_ms) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (run_id, spec) DO UPDATE SET reason = excluded.reason, candidates = excluded.candidates`);
    this.#judged = database.prepare("DELETE FROM unjudged WHERE run_id = ? AND spec = ?");
    this.#rollups = new Rollups(database);
  }

  write(record: JudgedRecord): void {
    const { run, verdicts, unjudged, telemetry, judgedUnixMs } = record;
    const outcome = verdicts.length === 0 ? null : worst(verdicts.map((verdict) => verdict.outcome));
    this.#writeRun(run, outcome, judgedUnixMs);
    for (const [traceId, parts] of telemetry ?? []) this.#writeTelemetry(traceId, parts);
    for (const verdict of verdicts) this.#writeVerdict(verdict, run, judgedUnixMs);
    for (const one of unjudged) this.#writeUnjudged(one, run, judgedUnixMs);
  }

  #writeRun(run: RunRecord, outcome: string | null, seenMs: number): void {
    this.#run.run(
      run.runId,
      run.agent,
      folded(run.agent),
      run.service,
      run.conversationId,
      run.query,
      inSmallLetters(run.query),
      outcome,
      run.complete ? 1 : 0,
      run.startUnixMs,
      run.durationMs,
      run.totalTokens,
      run.costUsd,
      JSON.stringify(run.models),
      seenMs,
      run.json,
    );
    for (const traceId of run.traceIds) this.#runTrace.run(traceId, run.runId);
  }

  #writeTelemetry(traceId: string, parts: readonly TraceBytes[]): void {
    this.#dropTelemetry.run(traceId);
    for (const [index, { signal, encoding, bytes }] of parts.entries()) {
      this.#telemetry.run(traceId, index, signal, encoding, bytes);
    }
  }

  /** A verdict that is there already, or is older than the one that is there, changes nothing. */
  #writeVerdict(verdict: VerdictRecord, run: RunRecord, judgedMs: number): void {
    const { verdictId, revision, spec, queryId, outcome, json } = verdict;
    const earlier = this.#earlier.get(verdictId);
    if (earlier !== undefined && Number(earlier["revision"]) >= revision) return;
    if (earlier !== undefined) this.#supersede.run(verdictId);
    const what = [verdictId, revision, run.runId, spec, queryId, run.agent, folded(run.agent), outcome];
    const measures = [run.durationMs, run.costUsd, run.totalTokens];
    const text = `${run.query ?? ""}\n${run.answer ?? ""}`.slice(0, SEARCHABLE).toLowerCase();
    this.#verdict.run(...what, judgedMs, JSON.stringify(run.traceIds), ...measures, text, json);
    this.#judged.run(run.runId, spec);
    if (earlier !== undefined) this.#rollups.remove(earlier);
    const hourOf = earlier === undefined ? judgedMs : Number(earlier["judged_ms"]);
    this.#rollups.add({ ...run, spec, queryId, outcome, judgedMs: hourOf });
  }

  #writeUnjudged({ spec, reason, candidates }: UnjudgedRecord, run: RunRecord, judgedMs: number): void {
    const query = run.query?.slice(0, SEARCHABLE) ?? null;
    this.#unjudged.run(run.runId, spec, reason, JSON.stringify(candidates), run.agent, query, judgedMs);
  }
}

/** Null where SQLite's lower() gives the same. */
function inSmallLetters(text: string | null): string | null {
  return text !== null && /[^\0-\x7f]/.test(text) ? text.toLowerCase() : null;
}

function folded(agent: string | null): string | null {
  return agent === null ? null : foldName(agent);
}
