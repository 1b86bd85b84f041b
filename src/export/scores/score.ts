import type { Verdict } from "../../model/verdict.ts";
import type { AttributeValue } from "../records/attribute.ts";
import type { ScoresDestination } from "../settings.ts";
import { evaluationResults } from "../records/verdict-records.ts";

/** One result about a run, in a form that all score backends support. */
export interface Score {
  /** Id, from the verdict's id and the score's name. The id is the same in each attempt and each revision. */
  readonly id: string;
  /** Name of the result, as in the OTLP attribute `gen_ai.evaluation.name`. */
  readonly name: string;
  readonly about: "verdict" | "layer" | "check";
  /** Outcome: `pass`, `warn`, `fail`, `skip`, `incomplete` or `error`. */
  readonly label: string;
  /** Value of the score; null if there is none, for example because the result is undecided. */
  readonly value: number | null;
  readonly explanation: string;
  /** The judge model that decided the check; null for a check without a judge. */
  readonly judge: string | null;
  readonly errorType: string | null;
  readonly traceId: string;
  /** Id of the span that gets the score: the run's root span, or the evidence of the check. */
  readonly spanId: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface ScoredVerdict {
  readonly verdictId: string;
  readonly revision: number;
  readonly spec: string;
  /** Service of the judged run; null if the telemetry has no service name. */
  readonly service: string | null;
  readonly traceId: string;
  readonly rootSpanId: string;
  readonly judgedUnixMs: number;
  /** End of the run. The end is the same in all revisions of the verdict. */
  readonly endUnixMs: number;
  /** URL of the run on Tracejury's web page; null if the page's address is not configured. */
  readonly link: string | null;
  readonly scores: readonly Score[];
}

export interface ScoringOptions extends Pick<ScoresDestination, "names" | "on"> {
  readonly content: boolean;
  /** URL of Tracejury's web page; null if it is not configured. */
  readonly link: string | null;
}

/** Returns the verdict with the scores that `options.names` selects, possibly none. */
export function scoredVerdict(verdict: Verdict, options: ScoringOptions, nowUnixMs: number): ScoredVerdict {
  const { run, verdictId, revision } = verdict;
  const wanted = options.names.map(namePattern);
  const link = options.link === null ? null : `${options.link.replace(/\/+$/, "")}/runs/${run.runId}`;
  const { common, results } = evaluationResults(verdict, options.content);
  const shared = textsOf(common, /^(tracejury\.(verdict|spec|query|run|revision)|gen_ai\.agent\.)/);
  const counts = new Map<string, number>();
  const scores = results.flatMap(({ span, outcome, attributes }): Score[] => {
    const text = (name: string): string | null => textOf(attributes.get(name));
    const name = text("gen_ai.evaluation.name") ?? "";
    const check = text("tracejury.check.name");
    if (!wanted.some((pattern) => pattern.test(name) || (check !== null && pattern.test(check)))) return [];
    const about = check !== null ? "check" : text("tracejury.layer") === null ? "verdict" : "layer";
    // A skipped layer or check sends no score with the first revision of the verdict. With a later revision, a skipped result is sent,
    // because it must replace the score of an earlier revision.
    if (outcome === "skip" && about !== "verdict" && revision === 1) return [];
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const value = attributes.get("gen_ai.evaluation.score.value");
    return [
      {
        id: count === 1 ? `${verdictId}-${name}` : `${verdictId}-${name}-${count}`,
        name,
        about,
        label: outcome,
        value: typeof value === "number" ? value : null,
        explanation: text("gen_ai.evaluation.explanation") ?? "",
        judge: text("tracejury.evaluator.model"),
        errorType: text("error.type"),
        traceId: options.on === "check" ? span.traceId : run.traceId,
        spanId: options.on === "check" ? span.spanId : run.rootSpanId,
        metadata: {
          ...shared,
          ...textsOf(attributes, /^tracejury\./),
          "tracejury.outcome": outcome,
          ...(link === null ? {} : { "tracejury.link": link }),
        },
      },
    ];
  });
  return {
    verdictId,
    revision,
    spec: verdict.spec,
    service: run.service,
    traceId: run.traceId,
    rootSpanId: run.rootSpanId,
    judgedUnixMs: nowUnixMs,
    endUnixMs: Math.floor(run.startUnixMs + (run.durationMs ?? 0)),
    link,
    scores,
  };
}

/**
 * Returns a score name that is unique on its span: the name contains the spec, and a number if a check occurs several times. Some score
 * backends distinguish the scores of a span only by name.
 */
export function uniqueNameOf({ verdictId, spec }: ScoredVerdict, { id }: Score): string {
  return `${id.slice(verdictId.length + 1)} ${spec}`;
}

/** Converts a name into a regular expression; `*` matches any characters. */
function namePattern(written: string): RegExp {
  const parts = written.split("*").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`);
}

function textsOf(
  attributes: ReadonlyMap<string, AttributeValue>,
  names: RegExp,
): Readonly<Record<string, string>> {
  const texts = [...attributes].map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(texts.filter(([name]) => names.test(name)));
}

function textOf(value: AttributeValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}
