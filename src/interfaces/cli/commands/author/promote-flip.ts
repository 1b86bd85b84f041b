import { readFileSync, writeFileSync } from "node:fs";
import { editQuery, writtenIndex } from "../../../../authoring/query-text/edit-query.ts";
import type { Config } from "../../../../config/config.ts";
import type { JudgeMode } from "../../../../judge/settings.ts";
import type { Verdict } from "../../../../model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "../../../../evaluate/query/compiled.ts";
import { judgeDumps } from "../../../../replay/judging/preparing.ts";
import { writeInvalid } from "../../../../replay/replay.ts";
import { ExitCode, type Io, UserError, write } from "../../../../support/process/io.ts";
import { parseSpec } from "../../../../config/command-settings.ts";

export interface FlipOptions {
  readonly judge?: JudgeMode;
  readonly dryRun?: boolean;
  readonly format: "console" | "json";
}

/** A query with `expected_fail`. `kept` is the reason why `expected_fail` is not removed; null if it is removed. */
interface Flipped {
  readonly query: CompiledQuery;
  readonly kept: string | null;
}

/**
 * Removes `expected_fail` from queries of a spec. `names` are query ids and dumps. Without ids, all queries are considered. If dumps are
 * given, `expected_fail` is removed from a query only if all its runs in the dumps pass. Returns exit code 2 if no query is changed. If a
 * part of the dumps is unreadable, no query is changed.
 */
export async function flip(
  names: readonly string[],
  spec: CompiledSpec,
  config: Config,
  options: FlipOptions,
  io: Io,
): Promise<ExitCode> {
  const ids = new Set(spec.queries.map(({ id }) => id));
  const named = new Set(names.filter((name) => ids.has(name)));
  const dumps = names.filter((name) => !ids.has(name));
  if (names.length === 0) {
    throw new UserError(
      "--flip needs the id of a query, or a dump whose runs pass now",
      `queries with expected_fail: ${spec.queries.flatMap((one) => (one.expectedFail ? [one.id] : [])).join(", ") || "none"}`,
    );
  }
  const wanted = spec.queries.filter(({ id }) => named.size === 0 || named.has(id));
  const verdicts = dumps.length === 0 ? null : await verdictsOf(dumps, spec, config, options, io);
  const flipped = wanted.flatMap((query): Flipped[] => {
    if (query.expectedFail !== undefined) return [{ query, kept: verdicts && stillNeeded(query, verdicts) }];
    return named.has(query.id) ? [{ query, kept: "the query has no `expected_fail`" }] : [];
  });
  const removed = flipped.filter(({ kept }) => kept === null).map(({ query }) => query);
  if (removed.length > 0) rewrite(spec, removed, config, options);
  await report(flipped, spec, options, io);
  return removed.length === 0 ? ExitCode.undecided : ExitCode.passed;
}

async function verdictsOf(
  dumps: readonly string[],
  spec: CompiledSpec,
  config: Config,
  { judge }: FlipOptions,
  io: Io,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  const { invalid } = await judgeDumps({
    dumps,
    config,
    specs: [spec],
    mode: judge,
    onJudged: (judged) => verdicts.push(...judged.verdicts),
    io,
  });
  await writeInvalid(io, invalid, "warning: ");
  // Nothing is changed, because an unreadable line may be a run that still fails.
  if (invalid.length > 0)
    throw new UserError(
      "a part of the input is unreadable, so nothing was changed",
      "remove the unreadable lines, which are listed above, from the input",
    );
  return verdicts;
}

/** Returns the reason to keep `expected_fail`; null if every run of the query passes. */
function stillNeeded({ id }: CompiledQuery, verdicts: readonly Verdict[]): string | null {
  const own = verdicts.filter(({ queryId }) => queryId === id);
  if (own.length === 0) return "the input has no run of the query";
  // If a query has `expected_fail`, the outcome of a run that passes its checks is `fail`.
  const other = own.find(({ outcome }) => outcome !== "fail");
  if (other === undefined) return null;
  return other.outcome === "warn"
    ? `run ${other.run.runId} still fails`
    : `run ${other.run.runId} is ${other.outcome}`;
}

function rewrite(
  spec: CompiledSpec,
  queries: readonly CompiledQuery[],
  config: Config,
  { dryRun }: FlipOptions,
): void {
  let text = readFileSync(spec.file, "utf8");
  for (const query of queries) {
    const at = writtenIndex(text, spec.queries, query);
    const edited = at === null ? null : editQuery(text, at, [{ path: ["expected_fail"], value: undefined }]);
    if (edited === null) throw notRemovable(query, spec);
    text = edited;
  }
  const loaded = parseSpec({ file: spec.file, text }, config);
  const left = loaded.ok
    ? queries.find(({ id }) => loaded.spec.queries.find((one) => one.id === id)?.expectedFail !== undefined)
    : queries[0];
  if (left !== undefined) throw notRemovable(left, spec);
  if (dryRun !== true) writeFileSync(spec.file, text);
}

function notRemovable({ id, expectedFail }: CompiledQuery, spec: CompiledSpec): UserError {
  const place = expectedFail === undefined ? spec.file : `${expectedFail.file}:${expectedFail.line}`;
  return new UserError(
    `query ${id} cannot be changed in ${spec.file}`,
    `remove expected_fail by hand: ${place}`,
  );
}

async function report(
  flipped: readonly Flipped[],
  spec: CompiledSpec,
  { format, dryRun }: FlipOptions,
  io: Io,
): Promise<void> {
  const isDry = dryRun === true;
  if (format === "json") {
    const queries = flipped.map(({ query, kept }) => ({
      query_id: query.id,
      flipped: kept === null && !isDry,
      reason: kept,
    }));
    await write(io.stdout, `${JSON.stringify({ format_version: 1, spec: spec.file, queries })}\n`);
    return;
  }
  if (flipped.length === 0) await write(io.stderr, `${spec.file} has no query with expected_fail\n`);
  for (const { query, kept } of flipped) {
    await write(
      io.stdout,
      kept === null
        ? `${isDry ? "would remove" : "removed"} expected_fail from query ${query.id} in ${spec.file}\n`
        : `kept ${query.id}: ${kept}\n`,
    );
  }
}
