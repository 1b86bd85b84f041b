import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import { priceRemedy } from "../../evaluate/rules/cost-gap.ts";
import type { AgentRun } from "../../model/run.ts";
import type { EvidenceName } from "../../../adapters/producer-type.ts";
import { CompleteRunsTally, type EvidenceCount, EvidenceTally } from "./evidence.ts";
import { evidenceOfField } from "./needs.ts";
import type { SeenProducer, Survey, TakenTraces } from "./survey.ts";
import { type CheckSupport, supportOf } from "./support.ts";

/**
 * Counts evidence by group. Senders choose the names of groups, so the number of groups is limited. Runs of groups beyond the limit are
 * counted together.
 */
class GroupTallies {
  readonly #most: number;
  readonly #groups = new Map<string, GroupTally>();
  /** Runs of all groups beyond the limit. */
  readonly #others = new CompleteRunsTally();

  constructor(most: number) {
    this.#most = most;
  }

  add(key: string, run: AgentRun, { namesAgent, producers }: TakenTraces): void {
    let group = this.#groups.get(key);
    if (group === undefined) {
      if (this.#groups.size >= this.#most) return this.#others.add(run, namesAgent);
      group = { service: run.service, tally: new CompleteRunsTally(), producers: new Set(), runs: 0 };
      this.#groups.set(key, group);
    }
    group.runs += 1;
    group.tally.add(run, namesAgent);
    for (const producer of producers) group.producers.add(producer);
  }

  groups(): readonly GroupTally[] {
    return [...this.#groups.values()];
  }

  /** Returns the evidence of all groups: of the complete runs of each group, or of its incomplete runs if none is complete. */
  all(): EvidenceTally {
    const all = new EvidenceTally();
    for (const tally of [...this.groups().map((group) => group.tally), this.#others])
      all.addAll(tally.counted);
    return all;
  }
}

/** Maximum number of runs that are stored to try the checks of a spec. */
const MOST_RUNS = 50;

/** A setting that makes an instrumentation record missing evidence. */
export interface Advice {
  readonly evidence: readonly EvidenceName[];
  readonly producer: string;
  readonly set: string;
  /** Page of the documentation, as a path from the root of the project. */
  readonly page: string;
}

/** Evidence in the telemetry of one service, and evidence that its instrumentations cannot record. */
export interface ServiceDiagnosis {
  /** Name of the service. Null for runs without a service name. */
  readonly service: string | null;
  readonly runs: number;
  readonly producers: readonly SeenProducer[];
  readonly evidence: readonly EvidenceCount[];
  readonly advice: readonly Advice[];
  readonly limits: Diagnosis["limits"];
}

/** Evidence that another version of the same instrumentation records. */
export interface OtherVersion {
  readonly evidence: EvidenceName;
  readonly version: string;
  readonly have: number;
  readonly of: number;
}

/**
 * Evidence in the runs of one service that were recorded by the same versions of the same instrumentations.
 */
export interface InstrumentationDiagnosis extends ServiceDiagnosis {
  readonly otherVersions: readonly OtherVersion[];
}

export interface SpecSupport {
  readonly spec: string;
  readonly file: string;
  /** Number of runs with which the checks were tried. */
  readonly runs: number;
  readonly checks: readonly (CheckSupport & { readonly advice: readonly Advice[] })[];
}

export interface Diagnosis {
  readonly traces: number;
  readonly spans: number;
  readonly logRecords: number;
  readonly spansCut: number;
  readonly runs: number;
  readonly completeRuns: number;
  readonly toolCalls: number;
  readonly handoffs: number;
  readonly dialects: readonly string[];
  readonly producers: readonly SeenProducer[];
  readonly evidence: readonly EvidenceCount[];
  readonly advice: readonly Advice[];
  /** Evidence that the listed instrumentations (`producers`) cannot record. */
  readonly limits: readonly {
    readonly what: EvidenceName;
    readonly producer: string;
    readonly why: string;
  }[];
  /** Services, the one with the most missing evidence first. */
  readonly services: readonly ServiceDiagnosis[];
  /** Results by service and versions of instrumentations. */
  readonly instrumentations: readonly InstrumentationDiagnosis[];
  readonly specs: readonly SpecSupport[];
}

/** Maximum number of distinct services, and of distinct pairs of a service and its instrumentations. */
const MOST_GROUPS = 100;

/** Collects runs, and diagnoses which evidence their telemetry contains. */
export class Doctor {
  readonly #survey: Survey;
  readonly #samples = { complete: new Array<AgentRun>(), cut: new Array<AgentRun>() };
  readonly #dialects = new Set<string>();
  readonly #services = new GroupTallies(MOST_GROUPS);
  readonly #instrumentations = new GroupTallies(MOST_GROUPS);
  readonly #counts = { runs: 0, completeRuns: 0, toolCalls: 0, handoffs: 0 };

  constructor(survey: Survey) {
    this.#survey = survey;
  }

  add(run: AgentRun): void {
    this.#counts.runs += 1;
    if (run.complete) this.#counts.completeRuns += 1;
    this.#counts.toolCalls += run.tools.length;
    this.#counts.handoffs += run.handoffs.length;
    for (const dialect of run.dialects) this.#dialects.add(dialect);
    const taken = this.#survey.takeTraces(run.traceIds);
    this.#services.add(JSON.stringify(run.service), run, taken);
    this.#instrumentations.add(JSON.stringify([run.service, ...this.#namesOf(taken)]), run, taken);
    const sample = this.#samples[run.complete ? "complete" : "cut"];
    if (sample.length < MOST_RUNS) sample.push(run);
  }

  #namesOf({ producers }: TakenTraces): readonly string[] {
    return this.#survey
      .producers(producers)
      .map(({ scope, version }) => `${scope} ${version}`)
      .toSorted();
  }

  /** @param seen instrumentations of the counted runs. Default: all */
  #found(tally: EvidenceTally, seen?: ReadonlySet<object>) {
    const producers = this.#survey.producers(seen);
    const evidence = tally.counts();
    const names = lackingIn(evidence);
    return {
      producers,
      evidence,
      advice: adviceFor(names, producers, tally),
      limits: limitsOf(names, producers),
    };
  }

  diagnose(specs: readonly CompiledSpec[]): Diagnosis {
    const { traces, spans, logRecords, spansCut } = this.#survey;
    const tally = this.#services.all();
    const found = this.#found(tally);
    const sample = this.#samples.complete.length > 0 ? this.#samples.complete : this.#samples.cut;
    const groupsOf = (tallies: GroupTallies): readonly ServiceDiagnosis[] =>
      tallies
        .groups()
        .map(({ service, runs, tally, producers }) => ({
          service,
          runs,
          ...this.#found(tally.counted, producers),
        }))
        .toSorted((a, b) => lossOf(b.evidence) - lossOf(a.evidence) || b.runs - a.runs);
    const instrumentations = groupsOf(this.#instrumentations);
    return {
      traces,
      spans,
      logRecords,
      spansCut,
      ...this.#counts,
      dialects: [...this.#dialects].sort(),
      ...found,
      services: groupsOf(this.#services),
      instrumentations: instrumentations.map((one) => ({
        ...one,
        otherVersions: otherVersionsOf(one, instrumentations),
      })),
      specs: specs.map((spec) => ({
        spec: spec.name,
        file: spec.file,
        runs: sample.length,
        checks: supportOf(spec, sample, found.evidence).map((support) => ({
          ...support,
          advice: adviceFor(
            support.missing.flatMap((field) => evidenceOfField(field) ?? []),
            found.producers,
            tally,
          ),
        })),
      })),
    };
  }
}

/** Returns the kinds of evidence that at least one run lacks. */
function lackingIn(evidence: readonly EvidenceCount[]): readonly EvidenceName[] {
  return evidence.flatMap(({ name, state }) => (state === "absent" || state === "partial" ? [name] : []));
}

/**
 * Returns the sum of the missing shares of all kinds of evidence except session ids. A kind that is always
 * present adds 0, a kind that is never present adds 1.
 */
function lossOf(evidence: readonly EvidenceCount[]): number {
  return evidence.reduce(
    (all, { name, have, of }) => (name === "session_ids" || of === 0 ? all : all + 1 - have / of),
    0,
  );
}

/**
 * Returns evidence that most runs of a service lack, although another version of its only instrumentation
 * records it nearly always.
 */
function otherVersionsOf(
  { producers, evidence }: ServiceDiagnosis,
  all: readonly ServiceDiagnosis[],
): readonly OtherVersion[] {
  const [own, ...more] = producers;
  if (own === undefined || own.version === "" || more.length > 0) return [];
  const others = all.filter(
    ({ producers: [other, ...rest] }) =>
      rest.length === 0 &&
      other?.scope === own.scope &&
      other.known?.name === own.known?.name &&
      ![own.version, ""].includes(other.version),
  );
  return evidence.flatMap(({ name, have, of }) => {
    if (name === "session_ids" || of === 0 || have / of >= 0.5) return [];
    const found = others.flatMap(({ evidence: counts, producers: [other] }) => {
      const count = counts.find((one) => one.name === name);
      if (count === undefined || other === undefined || count.of === 0) return [];
      return count.have / count.of < 0.9
        ? []
        : [{ evidence: name, version: other.version, have: count.have, of: count.of }];
    });
    return found.toSorted((a, b) => b.of - a.of).slice(0, 1);
  });
}

/**
 * Returns settings of the found instrumentations that record missing evidence, without duplicates. If a cost
 * is unknown only because a price is missing, the setting for prices is returned.
 */
function adviceFor(
  lacking: readonly EvidenceName[],
  producers: readonly SeenProducer[],
  tally: EvidenceTally,
): readonly Advice[] {
  const evidence = tally.counts();
  const captured = isCaptured(evidence);
  const prices = lacking.includes("cost") ? priceAdvice(tally.unpricedModels()) : [];
  const isUsageThere = evidence.some(({ name, state }) => name === "usage" && state === "present");
  const missing = isUsageThere ? lacking.filter((name) => name !== "cost") : lacking;
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
  return [...prices, ...advice.values()];
}

function priceAdvice(models: readonly string[]): readonly Advice[] {
  if (models.length === 0) return [];
  const set = priceRemedy(models);
  return [{ evidence: ["cost"], producer: "the table of prices", set, page: "docs/configuration.md" }];
}

/**
 * Whether the content of messages is captured: every run has its query, and every run without an error has
 * its answer.
 */
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

interface GroupTally {
  readonly service: string | null;
  readonly tally: CompleteRunsTally;
  /** Instrumentations of the group's runs, to be passed to `Survey.producers`. */
  readonly producers: Set<object>;
  runs: number;
}
