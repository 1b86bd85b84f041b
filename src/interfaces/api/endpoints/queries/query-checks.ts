import { z } from "zod";
import { type Layer, layers, outcomes } from "../../../../model/outcome.ts";
import type { CheckJson, VerdictJson } from "../../../../report/json/verdict-schema.ts";
import type { StoredVerdict, VerdictStore } from "../../../../store/archive.ts";
import { endpoint, type Endpoint } from "../../http/endpoint.ts";
import { moment, timesOf } from "../../http/parameters.ts";
import { defined } from "../verdicts.ts";
import { wholeHours } from "./whole-hours.ts";

/** Maximum number of verdicts whose checks are counted for one response. */
const MOST_VERDICTS = 300;

const counts = z.strictObject({
  check: z.string(),
  layer: z.enum(layers),
  source: z.strictObject({ file: z.string(), line: z.int() }).nullable().describe("Position in the spec"),
  outcomes: z
    .record(z.string(), z.int())
    .describe("Number of runs by outcome of the check; for a conversation, the worst outcome of its turns"),
});
type Counts = z.infer<typeof counts>;

export function queryCheckEndpoints(store: VerdictStore, now: () => number): Endpoint[] {
  return [
    endpoint({
      path: "/api/v1/queries/{id}/checks",
      summary: `Outcomes of each check of a query in a window of whole hours, over the newest ${MOST_VERDICTS} runs`,
      query: z.strictObject({
        since: moment.default("24h"),
        until: moment.optional(),
        spec: z.string().optional(),
      }),
      answer: z.strictObject({
        runs: z.int(),
        is_partial: z.boolean().describe("Whether there are more runs than were read"),
        checks: z.array(counts),
      }),
      handle: async ({ path, query: { since, until, spec } }) => {
        const times = wholeHours({ since: now(), until: now(), ...timesOf({ since, until }, now()) });
        const filter = defined({ query: path["id"] ?? "", spec, ...times });
        const found = await store.verdicts(filter, MOST_VERDICTS, null);
        const verdicts = found?.verdicts ?? [];
        return {
          json: { runs: verdicts.length, is_partial: found?.next != null, checks: countsOf(verdicts) },
        };
      },
    }),
  ];
}

/** Returns for each check the number of verdicts by outcome. Checks are identified by their position in the spec, and ordered by layer. */
function countsOf(verdicts: readonly StoredVerdict[]): Counts[] {
  const found = new Map<string, Counts>();
  for (const { json } of verdicts) {
    for (const [key, { layer, check }] of worstChecks(JSON.parse(json) as Partial<VerdictJson>)) {
      // Verdicts that an older version of Tracejury stored do not have the field.
      const { source = null } = check as Partial<CheckJson>;
      const one = found.get(key) ?? {
        check: check.check,
        layer,
        source: source === null ? null : { file: source.file, line: source.line },
        outcomes: {},
      };
      one.outcomes[check.outcome] = (one.outcomes[check.outcome] ?? 0) + 1;
      found.set(key, one);
    }
  }
  return [...found.values()].sort(
    (a, b) =>
      layers.indexOf(a.layer) - layers.indexOf(b.layer) || (a.source?.line ?? 0) - (b.source?.line ?? 0),
  );
}

interface LayeredCheck {
  readonly layer: Layer;
  readonly check: CheckJson;
}

/**
 * Returns the result of each check, by its position in the spec. If a check has one result for each turn of a
 * conversation, the worst is returned.
 */
function worstChecks({ layers: of }: Partial<VerdictJson>): ReadonlyMap<string, LayeredCheck> {
  const worst = new Map<string, LayeredCheck>();
  for (const layer of layers) {
    for (const check of of?.[layer].checks ?? []) {
      const key = JSON.stringify([layer, check.check, check.source?.file, check.source?.line]);
      const known = worst.get(key)?.check.outcome ?? "skip";
      if (outcomes.indexOf(check.outcome) <= outcomes.indexOf(known)) worst.set(key, { layer, check });
    }
  }
  return worst;
}
