import { layers } from "../../../model/outcome.ts";
import type { Verdict } from "../../../model/verdict.ts";
import { printable } from "./printable.ts";
import type { Theme } from "./theme.ts";

/** One verdict in a few short lines, for people who watch a running collector. */
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
