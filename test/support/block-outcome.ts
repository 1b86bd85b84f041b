import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import type { Outcome } from "../../src/model/outcome.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { runOf, type RunText } from "./run-of.ts";

/** Outcomes of the path checks for a run; `yaml` has the check blocks of the query. */
export function outcomeOf(yaml: string, run: RunText): readonly Outcome[] {
  const text = `version: 1\nagent: "*"\nqueries:\n  - query: "*"\n${yaml.replace(/^/gm, "    ")}\n`;
  const reader = { read: () => ({ ok: false, reason: "no files here" }) as const };
  const loaded = loadSpec({ file: "spec.yaml", text, realPath: "spec.yaml" }, { checks, reader });
  if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join("\n"));
  const [query] = loaded.spec.queries;
  if (query === undefined) throw new Error("no query");
  const reference = { missing: "not-asked", version: null } as const;
  const { layers } = evaluateQuery(runOf(run), query, { reference, judge: "off" });
  return layers.path.checks.map(({ outcome }) => outcome);
}
