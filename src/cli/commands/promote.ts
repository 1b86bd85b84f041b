import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { appendQuery } from "../../authoring/append-query.ts";
import { otlpJsonOf } from "../../authoring/otlp-json.ts";
import { proposeQuery, type ProposedQuery, queryText } from "../../authoring/spec-text.ts";
import type { Trace } from "../../assemble/trace.ts";
import { redactJson, type RedactionRule, redactionRules, redactText } from "../../baseline/redact.ts";
import { normaliseText } from "../../match/normalise.ts";
import type { JsonObject, JsonValue } from "../../model/json.ts";
import { layers } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import { createJudgeRun, type JudgedRun } from "../../pipeline/judge-run.ts";
import { printable } from "../../render/printable.ts";
import type { CompiledSpec } from "../../spec/compiled.ts";
import { assignIds } from "../../spec/ids.ts";
import { version } from "../../version.ts";
import { replay } from "../engine/replay.ts";
import { today } from "../engine/today.ts";
import { ExitCode, UserError } from "../exit-code.ts";
import { type Io, write } from "../io.ts";
import { type ConfigFlags, loadSettings, loadSpecs, readSpec } from "../settings.ts";
import { attributesNeeded } from "../../match/where.ts";
import { telemetryOf } from "../authoring/served-telemetry.ts";

export interface PromoteOptions extends ConfigFlags {
  readonly spec: string;
  /** Id of a run or of a trace: which of the dump's runs is meant. */
  readonly run?: string;
  readonly to?: string;
  readonly redact: "none" | "secrets" | "all";
  readonly dryRun?: boolean;
  readonly format: "console" | "json";
}

/** What will be made of a run. */
interface Promotion {
  readonly run: AgentRun;
  readonly verdict: Verdict | undefined;
  /** The spec's query that is about this very question already; null when one is to be added. */
  readonly covered: string | null;
  readonly id: string;
  readonly proposed: ProposedQuery | null;
}

/**
 * Makes a test of a run that went wrong: its telemetry, redacted, as a dump beside the spec, and a query for it at the end of the spec,
 * unless one is there. Takes a dump, or the id of a trace or run that a running `serve` has kept.
 */
export async function promote(what: readonly string[], options: PromoteOptions, io: Io): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const [spec] = await loadSpecs([options.spec], io);
  if (spec === undefined) throw new UserError(`${options.spec} names no spec`);
  const fetched = await telemetryOf(what, config.admin);
  try {
    const traces = new Map<string, Trace>();
    const judged: JudgedRun[] = [];
    const judge = createJudgeRun({ specs: [spec], unasked: { judge: "off" }, engine: version, today });
    await replay(fetched.dumps, {
      config: { ...config, attributes: [...config.attributes, ...attributesNeeded([spec])] },
      stdin: io.stdin,
      onTrace: (trace) => traces.set(trace.traceId, trace),
      onRun: (run) => judged.push(judge(run)),
    });
    const chosen = await choose(judged, options.run ?? fetched.id, io);
    const promotion = promotionOf(chosen, spec, options.redact);
    const fixture = join(
      options.to ?? join(dirname(spec.file), "fixtures"),
      `${promotion.id}-${chosen.run.traceId.slice(0, 8)}.jsonl`,
    );
    const lines = chosen.run.traceIds.flatMap((id) => {
      const trace = traces.get(id);
      return trace === undefined
        ? []
        : otlpJsonOf(trace, edited(options.redact)).map((one) => JSON.stringify(one));
    });
    const appended =
      options.dryRun === true ? false : place(fixture, `${lines.join("\n")}\n`, spec, promotion);
    await tell(promotion, fixture, appended, spec, options, io);
    return ExitCode.passed;
  } finally {
    fetched.remove();
  }
}

/** The named run; else the first that failed; else the first that no query is about. */
async function choose(judged: readonly JudgedRun[], id: string | undefined, io: Io): Promise<JudgedRun> {
  const sorted = [...judged].sort(
    (a, b) => a.run.startUnixMs - b.run.startUnixMs || (a.run.runId < b.run.runId ? -1 : 1),
  );
  if (id !== undefined) {
    const named = sorted.find(({ run }) => run.runId === id || run.traceIds.includes(id.toLowerCase()));
    if (named !== undefined) return named;
    throw new UserError(`there is no run ${id} in the input`, "tracejury inspect lists the runs of a dump");
  }
  const failed = sorted.filter(({ verdicts }) => verdicts.some(({ outcome }) => outcome === "fail"));
  const open = failed.length > 0 ? failed : sorted.filter(({ verdicts }) => verdicts.length === 0);
  const [first, ...others] = open;
  if (first === undefined) {
    throw new UserError(
      sorted.length === 0
        ? "there is no agent run in the input"
        : "every run in the input is covered and none fails",
      "name the run to promote with --run ID",
    );
  }
  for (const { run } of others.slice(0, 10)) {
    await write(
      io.stderr,
      `not promoted: ${run.runId} ${printable(run.query ?? "(query unknown)", 90)} (name it with --run)\n`,
    );
  }
  return first;
}

function promotionOf(
  { run, verdicts }: JudgedRun,
  spec: CompiledSpec,
  redact: PromoteOptions["redact"],
): Promotion {
  const [verdict] = verdicts;
  const text = redactText(run.query ?? "", rulesOf(redact)).trim();
  const same = spec.queries.find(
    (query) => query.text !== "*" && normaliseText(query.text) === normaliseText(text),
  );
  if (same !== undefined) return { run, verdict, covered: same.id, id: same.id, proposed: null };
  if (text === "") {
    throw new UserError("the telemetry does not tell what was asked, so no query can be made of the run");
  }
  const taken = spec.queries.map(({ id }) => ({ id, text: "" }));
  const id = assignIds([...taken, { id: undefined, text }]).at(-1) ?? "promoted";
  const failing = verdict === undefined ? {} : failingChecks(verdict);
  const seen = proposeQuery({ text, runs: [run] }, id).query;
  const query: JsonObject = {
    id,
    query: text,
    tags: ["promoted"],
    ...(Object.keys(failing).length > 0 ? failing : withoutHead(seen)),
  };
  const remark = `Promoted from run ${run.runId}${verdict === undefined ? "" : `, which ended as ${verdict.outcome} (query ${verdict.queryId})`}`;
  return { run, verdict, covered: null, id, proposed: { query, remarks: [remark] } };
}

/** The checks that did not hold, as the spec wrote them. */
function failingChecks({ layers: results }: Verdict): JsonObject {
  const blocks = layers.flatMap((layer) => {
    const own = results[layer].checks.filter(
      ({ outcome, judge }) => (outcome === "fail" || outcome === "warn") && judge === null,
    );
    const plain = own.filter(({ check }) => !check.includes("."));
    return plain.length === 0
      ? []
      : [[layer, Object.fromEntries(plain.map(({ check, limit }) => [check, limit]))] as const];
  });
  return Object.fromEntries(blocks);
}

function withoutHead(query: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(query).filter(([key]) => key !== "id" && key !== "query"));
}

function rulesOf(redact: PromoteOptions["redact"]): readonly RedactionRule[] {
  return redact === "none" ? [] : redact === "secrets" ? ["secrets"] : redactionRules;
}

function edited(redact: PromoteOptions["redact"]): (value: JsonValue) => JsonValue {
  const rules = rulesOf(redact);
  return (value) => redactJson(value, rules);
}

/** Whether the spec got a query. It is left as it was when it would not be valid with it. */
function place(fixture: string, lines: string, spec: CompiledSpec, { proposed }: Promotion): boolean {
  mkdirSync(dirname(fixture), { recursive: true });
  writeFileSync(fixture, lines);
  if (proposed === null) return false;
  const before = readFileSync(spec.file, "utf8");
  const after = appendQuery(before, (indent) => queryText(proposed, indent));
  if (after === null) return false;
  writeFileSync(spec.file, after);
  if (readSpec(spec.file).ok) return true;
  writeFileSync(spec.file, before);
  return false;
}

async function tell(
  { run, covered, id, proposed }: Promotion,
  fixture: string,
  appended: boolean,
  spec: CompiledSpec,
  { format, dryRun }: PromoteOptions,
  io: Io,
): Promise<void> {
  const block = proposed === null ? null : queryText(proposed, 2);
  if (format === "json") {
    const json = {
      format_version: 1,
      run_id: run.runId,
      query_id: id,
      fixture: dryRun === true ? null : fixture,
      spec: spec.file,
      appended,
      block,
    };
    await write(io.stdout, `${JSON.stringify(json)}\n`);
    return;
  }
  if (dryRun !== true) await write(io.stdout, `wrote ${fixture}\n`);
  if (covered !== null) await write(io.stdout, `${spec.file} has a query for it already: ${covered}\n`);
  else if (appended) await write(io.stdout, `added query ${id} to ${spec.file}\n`);
  else
    await write(
      io.stdout,
      `${dryRun === true ? "" : `${spec.file} could not be added to; `}a query for it:\n\n${block ?? ""}`,
    );
  if (dryRun !== true)
    await write(io.stdout, `\nTry it: tracejury test ${fixture} --spec ${spec.file} --query ${id}\n`);
}
