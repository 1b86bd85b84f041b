import { type CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { AgentRun } from "../../model/run.ts";
import { type EvidenceCount, type EvidenceName, EvidenceTally } from "./evidence.ts";
import { evidenceOfField } from "./needs.ts";
import type { SeenProducer, Survey } from "./survey.ts";
import { type CheckSupport, supportOf } from "./support.ts";

/** Runs that are kept to ask the spec's checks about. */
const MOST_RUNS = 50;

/** A setting that would bring missing evidence, and of which instrumentation. */
export interface Advice {
  readonly evidence: readonly EvidenceName[];
  readonly producer: string;
  readonly set: string;
  /** Page of the documentation, from the project's root. */
  readonly page: string;
}

export interface SpecSupport {
  readonly spec: string;
  readonly file: string;
  /** Runs that were asked about. */
  readonly runs: number;
  readonly checks: readonly (CheckSupport & { readonly advice: readonly Advice[] })[];
}

export interface Diagnosis {
  readonly traces: number;
  readonly spans: number;
  readonly logRecords: number;
  readonly cutSpans: number;
  readonly runs: number;
  readonly completeRuns: number;
  readonly toolCalls: number;
  readonly handoffs: number;
  readonly dialects: readonly string[];
  readonly producers: readonly SeenProducer[];
  readonly evidence: readonly EvidenceCount[];
  readonly advice: readonly Advice[];
  /** What these instrumentations never show. */
  readonly limits: readonly {
    readonly what: EvidenceName;
    readonly producer: string;
    readonly why: string;
  }[];
  readonly specs: readonly SpecSupport[];
}

/** Takes in runs one by one and says at the end what their telemetry can carry. */
export class Doctor {
  readonly #survey: Survey;
  readonly #tally = new EvidenceTally();
  readonly #sample: AgentRun[] = [];
  readonly #dialects = new Set<string>();
  #runs = 0;
  #complete = 0;
  #tools = 0;
  #handoffs = 0;

  constructor(survey: Survey) {
    this.#survey = survey;
  }

  add(run: AgentRun): void {
    this.#runs += 1;
    if (run.complete) this.#complete += 1;
    this.#tools += run.tools.length;
    this.#handoffs += run.handoffs.length;
    for (const dialect of run.dialects) this.#dialects.add(dialect);
    this.#tally.add(run, this.#survey.takeNamed(run.traceIds));
    if (this.#sample.length < MOST_RUNS) this.#sample.push(run);
  }

  diagnose(specs: readonly CompiledSpec[]): Diagnosis {
    const producers = this.#survey.producers();
    const evidence = this.#tally.counts();
    const lacking = evidence.filter(({ state }) => state === "absent" || state === "partial");
    const names = lacking.map(({ name }) => name);
    return {
      traces: this.#survey.traces,
      spans: this.#survey.spans,
      logRecords: this.#survey.logRecords,
      cutSpans: this.#survey.cutSpans,
      runs: this.#runs,
      completeRuns: this.#complete,
      toolCalls: this.#tools,
      handoffs: this.#handoffs,
      dialects: [...this.#dialects].sort(),
      producers,
      evidence,
      advice: adviceFor(names, producers, isCaptured(evidence)),
      limits: limitsOf(names, producers),
      specs: specs.map((spec) => ({
        spec: spec.name,
        file: spec.file,
        runs: this.#sample.length,
        checks: supportOf(spec, this.#sample, evidence).map((support) => ({
          ...support,
          advice: adviceFor(
            support.missing.flatMap((field) => evidenceOfField(field) ?? []),
            producers,
            isCaptured(evidence),
          ),
        })),
      })),
    };
  }
}

/** The switches of the instrumentations that were seen, each once, for what is missing. */
function adviceFor(
  missing: readonly EvidenceName[],
  producers: readonly SeenProducer[],
  captured: boolean,
): readonly Advice[] {
  const advice = new Map<string, Advice>();
  for (const { known } of producers) {
    for (const { gives, set } of known?.switches ?? []) {
      const evidence = gives.filter((name) => missing.includes(name));
      if (known === undefined || evidence.length === 0) continue;
      if (captured && isCaptureSwitch(gives)) continue;
      const id = `${known.name}\u0000${set}`;
      if (!advice.has(id)) advice.set(id, { evidence, producer: known.name, set, page: pageOf(known.page) });
    }
  }
  return [...advice.values()];
}

/** Content capture is on: every run has its query and, unless it failed, its answer. */
function isCaptured(evidence: readonly EvidenceCount[]): boolean {
  const states = new Map(evidence.map(({ name, state }) => [name, state]));
  const answer = states.get("answer");
  return states.get("query") === "present" && (answer === "present" || answer === "not_seen");
}

function isCaptureSwitch(gives: readonly EvidenceName[]): boolean {
  return gives.includes("query") && gives.includes("answer");
}

export function pageOf(page: string): string {
  return `docs/agents/${page}`;
}

function limitsOf(missing: readonly EvidenceName[], producers: readonly SeenProducer[]): Diagnosis["limits"] {
  const limits = new Map<string, Diagnosis["limits"][number]>();
  for (const { known } of producers) {
    for (const { what, why } of known?.cannot ?? []) {
      if (known === undefined || !missing.includes(what)) continue;
      limits.set(`${known.name}\u0000${what}`, { what, producer: known.name, why });
    }
  }
  return [...limits.values()];
}
