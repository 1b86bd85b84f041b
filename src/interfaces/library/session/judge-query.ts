import type { AgentRun } from "../../../model/run.ts";
import { reportPieces } from "../../../report/render/formats/formats.ts";
import { type TestResult, testResult } from "../../../report/render/json/result.ts";
import { plainTheme } from "../../../report/render/terminal/printable.ts";
import type { ResultJson } from "../../../report/json/verdict-schema.ts";
import { withQueryId } from "../../../replay/agent/known-query.ts";
import { capturedIo } from "../../../support/process/captured-io.ts";
import {
  judgeInto,
  openFound,
  prepare,
  type TestSetup,
  findingsOf,
} from "../../../replay/judging/preparing.ts";
import { replayOnly } from "../../../replay/replay-only.ts";
import type { TestOptions } from "../../../replay/test.ts";
import { type Io, UserError } from "../../../support/process/io.ts";
import { sourceOf } from "../../../replay/judging/agent-calls.ts";

export interface JudgedQuery {
  /** Result in the format of `test --format json`. */
  readonly result: ResultJson;
  /** Report of `test` for the terminal, without colours. */
  readonly report: string;
  /** The text that `test` prints on stderr, such as errors of judges. Empty if there is nothing to report. */
  readonly warnings: string;
}

/** Judges runs by one query of a spec file, as `test` does. Each spec is read only once. */
export class QueryJudge {
  readonly #options: TestOptions;
  readonly #io: Io;
  readonly #prepared = new Map<string, Promise<TestSetup>>();

  constructor(options: Omit<TestOptions, keyof typeof replayOnly | "spec" | "query" | "format">, io: Io) {
    this.#options = { ...options, ...replayOnly, spec: [], query: [], format: "console" };
    this.#io = io;
  }

  /**
   * Reads a spec file and the configuration.
   * @throws UserError with all problems of both files
   */
  prepared(spec: string): Promise<TestSetup> {
    const known = this.#prepared.get(spec);
    if (known !== undefined) return known;
    const reading = this.#read(spec);
    this.#prepared.set(spec, reading);
    return reading;
  }

  async #read(spec: string): Promise<TestSetup> {
    const { io, stderr } = capturedIo(this.#io.env, this.#io.cwd);
    try {
      return await prepare({ ...this.#options, spec: [spec] }, null, io);
    } catch (error) {
      if (error instanceof UserError) throw new UserError(`${stderr()}${error.message}`, error.hint);
      throw error;
    }
  }

  /**
   * Judges runs by the query with this id, even if the query does not match a run, because the caller knows that it sent this query.
   * `reliability` is ignored, because it needs many runs.
   * @throws UserError if the spec has no such query
   */
  async judge(runs: readonly AgentRun[], spec: string, queryId: string): Promise<JudgedQuery> {
    const all = await this.prepared(spec);
    const selected = all.selected.filter(({ query }) => query.id === queryId);
    if (selected.length === 0) {
      const ids = all.selected.map(({ query }) => query.id).join(", ");
      throw new UserError(`${spec} has no query ${queryId}`, `name one of ${ids}`);
    }
    const prepared: TestSetup = { ...all, selected, gated: [] };
    const { io, stderr } = capturedIo(this.#io.env, this.#io.cwd);
    const found = openFound(prepared, this.#options);
    try {
      const marked = runs.map((run) => withQueryId(run, queryId));
      const { invalid } = await judgeInto(found, prepared, this.#options, { source: sourceOf(marked), io });
      const result = testResult(findingsOf(found, prepared, invalid), prepared.rules);
      return { result: jsonOf(result), report: textOf(result), warnings: stderr() };
    } finally {
      found.close();
    }
  }
}

function jsonOf(result: TestResult): ResultJson {
  return JSON.parse([...reportPieces(result, "json", plainTheme)].join("")) as ResultJson;
}

function textOf(result: TestResult): string {
  return [...reportPieces(result, "console", plainTheme, { detail: "full" })].join("");
}
