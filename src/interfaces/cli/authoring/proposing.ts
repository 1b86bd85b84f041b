import type { Trace } from "../../../assemble/trace.ts";
import type { Config } from "../../../config/config.ts";
import { tryRun } from "../../../evaluate/strength/strength.ts";
import { withVariables } from "../../../evaluate/rules/variables.ts";
import { capturesOf } from "../../../match/rules/variables.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { Verdict } from "../../../model/verdict.ts";
import type { JudgedRun } from "../../../pipeline/judge-run.ts";
import type { Redactor } from "../../../support/redact/redactor.ts";
import type { UserCheckRefusal } from "../../../judge/user-checks/open-user-checks.ts";
import type { CompiledQuery, CompiledSpec } from "../../../evaluate/query/compiled.ts";
import { type Io, UserError } from "../../../support/process/io.ts";
import { parseSpec } from "../../../config/command-settings.ts";
import { asRecorded } from "./as-recorded.ts";
import type { Candidate, CandidateReason } from "./proposal-candidates.ts";
import { fixtureStem, fixtureText, redactedRun, temporaryDump } from "./fixture.ts";
import { type Draft, draftPromotion } from "./promotion.ts";
import { failingTest } from "./promotion-trial.ts";

/** A proposed test: a query and its fixture, which the user may add to the spec. */
export interface Proposal {
  readonly queryId: string;
  readonly runId: string;
  readonly reason: CandidateReason;
  /** Name of the fixture, without folder and extension. */
  readonly name: string;
  readonly dump: string;
  /** The query as YAML in the file of proposed queries. */
  readonly block: string;
  /** Whether the run fails the query, so that the query has `expected_fail`. */
  readonly isExpectedToFail: boolean;
  /** Whether the query has no expectations yet. */
  readonly isTodo: boolean;
  /** Id of the spec's query with the same text, which the proposed query replaces. Null if the spec has no query with this text. */
  readonly replaces: string | null;
  /** Id of a correct run with the same query text, which passes the proposed query. Null if there is none. */
  readonly goodRunId: string | null;
}

/** A run for which no test is proposed, with the reason. */
export interface Declined {
  readonly runId: string;
  readonly reason: CandidateReason;
  readonly why: string;
}

export interface ProposingOptions {
  readonly spec: CompiledSpec;
  /** Text at the beginning of the file of proposed queries. */
  readonly head: string;
  /** Path of the file of proposed queries. The file is in the spec's folder, so that relative paths in its checks are valid. */
  readonly file: string;
  readonly tracesById: ReadonlyMap<string, Trace>;
  readonly redactor: Redactor | null;
  readonly userCheckRefusal?: UserCheckRefusal | undefined;
  readonly config: Config;
  readonly io: Io;
}

/** Proposes tests one after another. Each test gets an id that neither the spec nor an earlier proposal has. */
export class Proposing {
  readonly proposals: Proposal[] = [];
  readonly declined: Declined[] = [];
  readonly #options: ProposingOptions;
  #known: CompiledSpec;

  constructor(options: ProposingOptions) {
    this.#options = options;
    this.#known = options.spec;
  }

  get text(): string {
    return `${this.#options.head}${this.proposals.map(({ block }) => block).join("\n")}`;
  }

  async add(candidate: Candidate): Promise<void> {
    const { run } = candidate.judged;
    try {
      const why = await this.#propose(candidate);
      if (why !== null) this.declined.push({ runId: run.runId, reason: candidate.reason, why });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.declined.push({ runId: run.runId, reason: candidate.reason, why: error.message });
    }
  }

  /** Proposes a test for a candidate. Resolves to null, or to the reason why no test is proposed. */
  async #propose({ judged, reason, good }: Candidate): Promise<string | null> {
    const { spec, tracesById, redactor, userCheckRefusal, config, io } = this.#options;
    const traces = judged.run.traceIds.flatMap((id) => tracesById.get(id) ?? []);
    const text = fixtureText(traces, redactor);
    const dump = temporaryDump(text);
    try {
      const recorded = asNewQuery(await asRecorded(dump.file, judged, spec, config, io));
      // A run that matches no query may be correct, so no expectations are derived from its differences from a good run.
      const like = reason === "unmatched" || good === undefined ? undefined : redactedRun(good, redactor);
      const drafted = draftPromotion({ spec: this.#known, specText: "", judged: recorded, like, given: {} });
      const before = this.text;
      const draft: Draft = {
        ...drafted,
        specText: (extras) => `${before}\n${drafted.block(extras) ?? ""}`,
      };
      const trial = {
        dump: dump.file,
        runId: judged.run.runId,
        spec: { ...spec, file: this.#options.file },
        like,
        config,
        mode: "off",
        userCheckRefusal,
        io,
      } as const;
      const { extras } = await failingTest(draft, trial);
      const marked = { ...extras, isExpectedToFail: !extras.isTodo };
      const compiled = this.#compiled(draft.specText({ ...extras, isExpectedToFail: false }), draft.id);
      const covering = queryWithSameText(judged);
      if (covering?.fails === true && !detectsMoreFaults(compiled, covering.query, good))
        return `query ${covering.query.id} already fails this run, and the proposed test would detect no more faults than this query`;
      const replaces = covering?.query.id ?? null;
      this.proposals.push({
        queryId: draft.id,
        runId: judged.run.runId,
        reason,
        name: fixtureStem(draft, judged.run.traceId),
        dump: text,
        block: `${remarkOn(replaces)}${draft.block(marked) ?? ""}`,
        isExpectedToFail: marked.isExpectedToFail,
        isTodo: extras.isTodo,
        replaces,
        goodRunId: like?.runId ?? null,
      });
      this.#known = { ...this.#known, queries: [...this.#known.queries, compiled] };
      return null;
    } finally {
      dump.remove();
    }
  }

  #compiled(text: string, id: string): CompiledQuery {
    const loaded = parseSpec({ file: this.#options.file, text }, this.#options.config);
    const query = loaded.ok ? loaded.spec.queries.find((one) => one.id === id) : undefined;
    if (query === undefined) throw new UserError(`the proposed query ${id} is not valid`);
    return query;
  }
}

/**
 * Returns the run as if its queries matched it by a pattern. So a new query is drafted, with the expectations of the matched query. The
 * matched query itself is not changed, because proposals are in a separate file.
 */
function asNewQuery(judged: JudgedRun): JudgedRun {
  const verdicts = judged.verdicts.map((verdict) => ({
    ...verdict,
    match: { how: "pattern", score: 1 } as const,
  }));
  return { ...judged, verdicts };
}

interface Covering {
  readonly query: CompiledQuery;
  readonly fails: boolean;
}

/**
 * Returns the query of the spec whose text is exactly the run's query text, and whether the run fails this query. Null if the spec has no
 * query with this text.
 */
function queryWithSameText({ verdicts, matched }: JudgedRun): Covering | null {
  const isExact = ({ match: { how } }: Verdict): boolean =>
    how === "id" || how === "exact" || how === "normalised";
  const failing = verdicts.findIndex((verdict) => verdict.outcome === "fail" && isExact(verdict));
  const query = matched[failing >= 0 ? failing : verdicts.findIndex(isExact)];
  return query === undefined ? null : { query, fails: failing >= 0 };
}

/**
 * Returns a YAML comment that names the replaced query. The comment tells the user to remove the replaced query: otherwise each run with
 * this text would match two queries.
 */
function remarkOn(replaces: string | null): string {
  return replaces === null
    ? ""
    : `  # Replaces query ${replaces}, which has the same text: remove that query when this one is merged\n`;
}

const trying = { seed: 42, most: 3, reference: { missing: "not-asked", version: null } } as const;

/** Whether the proposed query detects more injected faults than the spec's query. */
function detectsMoreFaults(
  proposed: CompiledQuery,
  known: CompiledQuery,
  good: AgentRun | undefined,
): boolean {
  return good !== undefined && killedBy(proposed, good) > killedBy(known, good);
}

function killedBy(query: CompiledQuery, good: AgentRun): number {
  const trials = tryRun(good, withVariables(query, capturesOf(query, good.query)), trying) ?? [];
  return trials.filter(({ fate }) => fate === "killed").length;
}
