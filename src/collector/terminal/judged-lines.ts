import type { JudgedRun } from "../../pipeline/judge-run.ts";
import { printable } from "../../report/render/terminal/printable.ts";
import type { Theme } from "../../report/render/terminal/theme.ts";
import { verdictLine } from "../../report/render/terminal/verdict-line.ts";

/** What became of a run, for somebody who watches the terminal; empty for a run outside the sample. */
export function judgedLines(judged: JudgedRun, theme: Theme): string {
  const { run, verdicts, unmatched, ambiguous, isSampledOut } = judged;
  if (isSampledOut === true) return "";
  const query = run.query === null ? "a run without a query" : JSON.stringify(printable(run.query, 300));
  const lines = verdicts.map((verdict) => verdictLine(verdict, theme));
  for (const { spec, candidates } of ambiguous) {
    lines.push(`? ${spec}: ${query} fits ${candidates.join(", ")}: not judged`);
  }
  if (lines.length === 0) {
    const [nearest] = unmatched;
    const why =
      nearest === undefined ? "" : `; the nearest, ${nearest.spec}: ${printable(nearest.reason, 300)}`;
    lines.push(
      theme.dim(`· ${query} (agent ${printable(run.agent ?? "unknown", 100)}): no spec claims it${why}`),
    );
  }
  return lines.map((line) => `${line}\n`).join("");
}
