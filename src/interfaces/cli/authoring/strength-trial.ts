import { groupBy } from "../../../support/structures/group-by.ts";
import { strengthen, type Strengthened } from "../../../authoring/agreement/strengthen.ts";
import type { CompiledQuery, CompiledSpec } from "../../../evaluate/query/compiled.ts";
import { withVariables } from "../../../evaluate/rules/variables.ts";
import type { Mutation } from "../../../evaluate/strength/mutant.ts";
import { tryRun } from "../../../evaluate/strength/strength.ts";
import { type QueryStrength, tally, type TriedRun } from "../../../evaluate/strength/tally.ts";
import { capturesOf } from "../../../match/rules/variables.ts";
import type { SpecQuery } from "../../../match/selection.ts";
import type { AgentRun } from "../../../model/run.ts";
import { createJudgeRun } from "../../../pipeline/judge-run.ts";
import { reliabilityLimits } from "../../../report/render/report/gated-groups.ts";
import { counted } from "../../../report/render/terminal/printable.ts";
import { parseSpec } from "../../../config/command-settings.ts";
import { version } from "../../../support/process/version.ts";

export interface TrialOptions {
  readonly seed: number;
  readonly most: number;
}

/** Mutates good runs, and records which of these faults the checks of the specs detect. */
export class StrengthTrial {
  readonly #selected: readonly SpecQuery[];
  readonly #options: TrialOptions;
  readonly #judge: ReturnType<typeof createJudgeRun>;
  readonly #tried: TriedRun[] = [];
  readonly #runsByQuery = new Map<CompiledQuery, AgentRun[]>();

  constructor(specs: readonly CompiledSpec[], selected: readonly SpecQuery[], options: TrialOptions) {
    this.#selected = selected;
    this.#options = options;
    this.#judge = createJudgeRun({
      specs,
      selected: new Set(selected.map(({ query }) => query)),
      judgeSkipPolicy: { judge: "off" },
      engine: version,
    });
  }

  add(run: AgentRun): void {
    const { verdicts, matched } = this.#judge(run);
    for (const [at, { spec, queryId }] of verdicts.entries()) {
      const query = matched[at];
      if (query === undefined) continue;
      const filled = withVariables(query, capturesOf(query, run.query));
      const reference = { missing: "not-asked", version: null } as const;
      this.#tried.push({ spec, queryId, trials: tryRun(run, filled, { ...this.#options, reference }) });
      this.#runsByQuery.set(query, [...(this.#runsByQuery.get(query) ?? []), run]);
    }
  }

  queries(): readonly QueryStrength[] {
    return tally(
      this.#selected.map(({ spec, query: { id, reliability } }) => ({
        spec: spec.name,
        queryId: id,
        reliability: reliability === undefined ? undefined : reliabilityLimits(reliability),
      })),
      this.#tried,
    );
  }

  /** Returns the spec's text with additional checks that detect more faults. Adds a check only if all good runs pass it. */
  strengthened(spec: CompiledSpec, text: string): Strengthened {
    let found: Strengthened = { text, added: [] };
    for (const [at, query] of spec.queries.entries()) {
      const runs = this.#runsByQuery.get(query);
      if (runs === undefined) continue;
      const { text: changed, added } = strengthen({
        text: found.text,
        compile: (one) => queriesOf(spec.file, one),
        at,
        runs,
        ...this.#options,
      });
      found = { text: changed, added: [...found.added, ...added] };
    }
    return found;
  }
}

function queriesOf(file: string, text: string): readonly CompiledQuery[] | null {
  const loaded = parseSpec({ file, text });
  return loaded.ok ? loaded.spec.queries : null;
}

const faultNames: Readonly<Record<Mutation, string>> = {
  drop: "an omitted tool call",
  repeat: "a repeated tool call",
  swap: "a changed order of tools",
  forge: "a changed tool result",
  handoff: "a changed hand-off",
  tokens: "five times the tokens",
  answer: "a changed answer",
  number: "a changed number in the answer",
  unit: "a changed sign or unit in the answer",
  name: "a changed name in the answer",
  invention: "an invented number in the answer",
};

/** Returns a summary, such as "detects 94 of 100 faults; not detected: a changed tool result (6)". */
export function strengthSummary(queries: readonly QueryStrength[]): string {
  const detected = queries.reduce((sum, { killed }) => sum + killed, 0);
  const survivors = queries.flatMap((query) => query.survivors.filter(({ fate }) => fate === "survived"));
  const faults = detected + survivors.length;
  if (faults === 0) return "no good run to try the checks with";
  const timesByName = [...groupBy(survivors, ({ mutation }) => faultNames[mutation])];
  const names = timesByName.map(([name, { length }]) => `${name} (${length})`);
  return `detects ${detected} of ${counted(faults, "fault")}${names.length === 0 ? "" : `; not detected: ${names.join(", ")}`}`;
}
