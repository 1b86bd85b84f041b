import {
  answersWith,
  costsLessThan,
  handsOffTo,
  type RunCheck,
  usesExactlyTools,
  usesFewerTokensThan,
  usesTools,
} from "../run-checks.ts";
import { attributesNeeded } from "../../../match/rules/where.ts";
import type { AgentRun } from "../../../model/run.ts";
import { runJson } from "../../../report/json/run-json.ts";
import { UserError } from "../../../support/process/io.ts";
import { notAsRecorded } from "./open-test-models.ts";
import type { TestModels } from "./test-models.ts";
import type { CallSequence } from "./call-sequence.ts";
import type { QueryJudge } from "./judge-query.ts";
import type { RequestOf, SessionRequest } from "./requests.ts";
import { withFields } from "../../../replay/agent/known-query.ts";

/** Fields of a run whose values the session sets, in place of the values from the telemetry. */
type RunFields = Partial<Pick<AgentRun, "answer" | "missing" | "source" | "playback">>;

/**
 * Reads runs from files of request bodies. `attributes` are attribute names to copy into runs, in addition to
 * those that the configuration names.
 */
export type ReadRuns = (
  files: readonly string[],
  attributes?: ReadonlySet<string>,
) => Promise<readonly AgentRun[]>;

export interface SessionParts {
  readonly calls: CallSequence;
  readonly judge: QueryJudge;
  /** Model server for the agents. Null if the agents call their providers directly. */
  readonly models: TestModels | null;
  readonly readRuns: ReadRuns;
  /** Whether the files with the telemetry still exist after the session. Only then may reports name them. */
  readonly keepsFiles: boolean;
}

/** Answers the requests of one test runner, one after another. */
export class Session {
  readonly #options: SessionParts;
  /**
   * Names of the files that contain a run, by run id. The runs themselves are not stored, because a run retains its telemetry in memory.
   */
  readonly #filesByRunId = new Map<string, readonly string[]>();
  readonly #fieldsByRunId = new Map<string, RunFields>();

  constructor(options: SessionParts) {
    this.#options = options;
  }

  /**
   * Answers one request.
   * @throws UserError for errors that the author of the tests can fix
   */
  async answer(request: SessionRequest): Promise<object> {
    switch (request.method) {
      case "queries":
        return { queries: (await Promise.all(request.specs.map((spec) => this.#queries(spec)))).flat() };
      case "begin":
        this.#options.calls.begin();
        this.#options.models?.restart();
        return {};
      case "finish":
        return this.#finish(request);
      case "judge":
        return this.#evaluate(request);
      case "check":
        return resultOf(runCheck(await this.#run(request.run), request.check));
    }
  }

  async #queries(spec: string): Promise<object[]> {
    const { selected } = await this.#options.judge.prepared(spec);
    return selected.map(({ spec: { name, file }, query }) => ({
      spec: name,
      file,
      line: query.source.line,
      query_id: query.id,
      query: query.text,
      // Only one text can be sent to an agent: a wildcard query has none, and a conversation has several.
      can_be_asked: query.text !== "*" && query.scope !== "conversation",
    }));
  }

  async #finish({ wait_ms: waitMs, answer }: RequestOf<"finish">): Promise<object> {
    const { calls, models, keepsFiles } = this.#options;
    const received = await calls.finish(waitMs);
    if (received.runs.length === 0) await models?.keepCalls();
    const { runs, files, requests, spans, silence } =
      received.runs.length === 0 && models !== null ? await calls.finish(0) : received;
    const problems: string[] = [];
    for (const run of runs) {
      this.#filesByRunId.set(run.runId, files);
      const playback = models?.playbackOf(run) ?? null;
      const problem = notAsRecorded(playback);
      if (problem !== null) problems.push(problem);
      // The given answer is used only if there is one run: with several, it is unknown which run gave the answer.
      const isAnswer = answer !== undefined && runs.length === 1 && run.answer === null;
      this.#fieldsByRunId.set(run.runId, {
        ...(isAnswer ? { answer, missing: run.missing.filter(({ what }) => what !== "answer") } : {}),
        ...(keepsFiles ? {} : { source: undefined }),
        ...(playback === null ? {} : { playback }),
      });
    }
    const not_recorded = problems.length === 0 ? null : problems.join("\n");
    return { not_recorded, runs: runs.map((run) => runJson(this.#adjusted(run))), requests, spans, silence };
  }

  #adjusted(run: AgentRun): AgentRun {
    return withFields(run, this.#fieldsByRunId.get(run.runId) ?? {});
  }

  async #evaluate({ runs: ids, spec, query }: RequestOf<"judge">): Promise<object> {
    const { specs } = await this.#options.judge.prepared(spec);
    const attributes = attributesNeeded(specs);
    const runs = await Promise.all(ids.map((id) => this.#run(id, attributes)));
    return this.#options.judge.judge(runs, spec, query);
  }

  async #run(id: string, attributes?: ReadonlySet<string>): Promise<AgentRun> {
    const files = this.#filesByRunId.get(id);
    if (files === undefined) throw new UserError(`no call of this session made a run ${id}`);
    const run = (await this.#options.readRuns(files, attributes)).find(({ runId }) => runId === id);
    if (run !== undefined) return this.#adjusted(run);
    throw new UserError(`the telemetry of run ${id} was deleted or changed after it was received`);
  }
}

function runCheck(run: AgentRun, check: RequestOf<"check">["check"]): RunCheck {
  switch (check.name) {
    case "uses_tools":
      return usesTools(run, check.expected);
    case "uses_exactly_tools":
      return usesExactlyTools(run, check.expected);
    case "hands_off_to":
      return handsOffTo(run, check.expected);
    case "answers_with":
      return answersWith(run, check.expected);
    case "costs_less_than":
      return costsLessThan(run, check.expected);
    case "uses_fewer_tokens_than":
      return usesFewerTokensThan(run, check.expected);
  }
}

function resultOf({ pass, message }: RunCheck): object {
  return { pass, message };
}
