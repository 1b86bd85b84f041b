import type { JudgedRun } from "../../pipeline/judge-run.ts";
import { printable, type Theme } from "../../report/render/terminal/printable.ts";
import { layers } from "../../model/outcome.ts";
import type { Verdict } from "../../model/verdict.ts";

/** Returns the terminal lines about a judged run; empty if sampling excluded the run. */
export function judgedLines(judged: JudgedRun, theme: Theme): string {
  const { run, verdicts, unmatched, ambiguous, isSampledOut } = judged;
  if (isSampledOut === true) return "";
  const query = run.query === null ? "a run without a query" : JSON.stringify(printable(run.query, 300));
  const lines = verdicts.map((verdict) => verdictLine(verdict, theme));
  for (const { spec, candidates } of ambiguous) {
    lines.push(`? ${spec}: ${query} matches several queries (${candidates.join(", ")}): not judged`);
  }
  if (lines.length === 0) {
    const [nearest] = unmatched;
    const why =
      nearest?.isOfOtherAgent === true
        ? "no spec has this agent in `agent`"
        : nearest === undefined
          ? "no query of any spec matches"
          : `spec ${nearest.spec}: ${printable(nearest.reason, 300)}`;
    lines.push(theme.dim(`· ${query} (agent ${printable(run.agent ?? "unknown", 100)}): ${why}`));
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns a verdict as a few short lines for the terminal. */
export function verdictLine(verdict: Verdict, theme: Theme): string {
  const { run, outcome } = verdict;
  const paint = outcome === "pass" ? theme.good : outcome === "fail" ? theme.bad : theme.unsure;
  const head = `${paint(outcome.padEnd(10))} ${printable(run.agent ?? "unknown agent", 100)}: ${JSON.stringify(printable(run.query ?? "", 300))}`;
  const where = theme.dim(
    ` (${verdict.spec} › ${verdict.queryId}${verdict.revision > 1 ? `, revision ${verdict.revision}` : ""})`,
  );
  const failed =
    run.error === null ? [] : [`             ${theme.bad("error")}       ${printable(run.error, 600)}`];
  const lines = layers
    .map((layer) => ({ layer, result: verdict.layers[layer] }))
    .filter(({ result }) => result.outcome !== "skip")
    .map(
      ({ layer, result }) =>
        `             ${layer.padEnd(11)} ${result.outcome.padEnd(10)} ${printable(result.reason, 600)}`,
    );
  return [head + where, ...failed, ...lines].join("\n");
}
