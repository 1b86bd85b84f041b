import type { Config } from "../../../config/config.ts";
import type { CompiledQuery, CompiledSpec } from "../../../evaluate/query/compiled.ts";
import { contentRemedy } from "../../../evaluate/rules/content-capture.ts";
import { createMatcher, type MatchResult } from "../../../match/matcher.ts";
import { normaliseText } from "../../../match/rules/normalise.ts";
import type { SpecQuery } from "../../../match/selection.ts";
import type { JsonValue } from "../../../model/json.ts";
import type { AgentRun } from "../../../model/run.ts";
import { findCassettes, readCassette } from "../../../model-server/cassettes/read-cassette.ts";
import { exchangesOf } from "../../../runs/results/exchanges.ts";
import { type Io, UserError, write } from "../../../support/process/io.ts";
import { printable } from "../../../report/render/terminal/printable.ts";
import { append } from "../../../support/structures/group-by.ts";
import { messageOf } from "../../../support/structures/error-message.ts";
import { isConversation } from "../call.ts";
import type { Recording } from "./recording.ts";
import { writeInvalid, runsIn } from "../../replay.ts";

/** A recorded run that cannot be played back. */
export interface Unplayable {
  readonly runId: string;
  readonly query: string | null;
  readonly reasons: readonly string[];
  readonly remedy: string;
}

export interface Recordings {
  /** Recordings by query, in the order of the dumps. */
  readonly byQuery: ReadonlyMap<CompiledQuery, readonly Recording[]>;
  readonly all: readonly Recording[];
  /** All recordings by their normalised query text, to find the recording of a conversation's turn. */
  readonly byText: ReadonlyMap<string, readonly Recording[]>;
  readonly unplayable: readonly Unplayable[];
  /** Recorded runs that match no query of the specs, each as its query text or else its agent's name. */
  readonly unmatched: ReadonlySet<string>;
}

export interface RecordingsOptions {
  readonly paths: readonly string[];
  readonly config: Config;
  readonly attributes: readonly string[];
  readonly specs: readonly CompiledSpec[];
  readonly selected: readonly SpecQuery[];
  readonly io: Io;
}

/**
 * Reads dumps and cassettes, and finds the query of each recorded run.
 * @throws UserError if a cassette or a dump cannot be read
 */
export async function loadRecordings(options: RecordingsOptions): Promise<Recordings> {
  const { specs, selected } = options;
  const matcher = createMatcher(specs);
  const wanted = new Set(selected.map(({ query }) => query));
  const byQuery = new Map<CompiledQuery, Recording[]>();
  const byText = new Map<string, Recording[]>();
  const unplayable: Unplayable[] = [];
  const unmatched = new Set<string>();
  // Before the test, the text of a turn can be unknown, because it depends on an earlier answer. So a recording that matches no query may
  // still answer a turn.
  const hasTurns = selected.some(({ query }) => isConversation(query));
  const add = (recording: Recording, queries: readonly CompiledQuery[]): void => {
    append(byText, normaliseText(recording.query), recording);
    for (const query of queries) append(byQuery, query, recording);
  };
  const queriesOf = (run: Parameters<typeof matcher.match>[0]): CompiledQuery[] =>
    specs.flatMap((spec) => {
      const found = matcher.match(run, spec);
      if (found.kind === "unmatched") unmatched.add(unmatchedText(found, run.query));
      return found.kind === "matched" && wanted.has(found.query) ? [found.query] : [];
    });
  const { runs, cassettes } = await readAll(options);
  // A folder may contain both a dump and a cassette of the same run. If so, only the cassette is used.
  const packed = new Set(cassettes.map(({ recording }) => recording.id));
  for (const run of runs) {
    if (packed.has(run.runId)) continue;
    const queries = queriesOf(run);
    if (queries.length === 0 && !hasTurns && specs.length > 0) continue;
    const recorded = recordingOf(run);
    if ("reasons" in recorded) unplayable.push(recorded);
    else add(recorded, queries);
  }
  for (const { recording, run } of cassettes) add(recording, queriesOf(run));
  return { byQuery, byText, all: [...byText.values()].flat(), unplayable, unmatched };
}

function unmatchedText(
  { cause, reason }: Extract<MatchResult, { kind: "unmatched" }>,
  query: string | null,
): string {
  if (cause === "other-agent") return reason;
  return query === null ? "a run without a query text" : JSON.stringify(query);
}

interface ReadAll {
  readonly runs: readonly AgentRun[];
  readonly cassettes: readonly { readonly recording: Recording; readonly run: CassetteRun }[];
}

type CassetteRun = Pick<AgentRun, "agent" | "service" | "query" | "attributes" | "turns">;

async function readAll({ paths, config, attributes, io }: RecordingsOptions): Promise<ReadAll> {
  const { cassettes, others } = await findCassettes(paths);
  const { stdin, env } = io;
  const { runs, invalid } =
    others.length === 0
      ? { runs: [], invalid: [] }
      : await runsIn(others, { config: { ...config, attributes }, stdin, env });
  await writeInvalid(io, invalid, "--models: ");
  return {
    runs,
    cassettes: cassettes.map((file) => {
      try {
        const { run, agent, service, tokens, costUsd, redacted } = readCassette(file);
        const matched = { agent, service, query: run.query, attributes: new Map<string, JsonValue>() };
        return {
          recording: { ...run, agent, service, tokens, costUsd, redacted, cassette: file },
          run: matched,
        };
      } catch (error) {
        throw new UserError(
          `--models: ${file}: ${messageOf(error)}`,
          "write the cassette again with tracejury models pack",
        );
      }
    }),
  };
}

/** Prints for each run that cannot be played back why it cannot, and what to do. */
export async function sayUnplayable({ unplayable }: Recordings, io: Io): Promise<void> {
  for (const { runId, query, reasons, remedy } of unplayable) {
    const name = query === null ? runId : `${printable(query)} (${runId})`;
    await write(
      io.stderr,
      `cannot be played back: ${name}: ${reasons.map((reason) => printable(reason, 300)).join("; ")}\n    → ${remedy}\n`,
    );
  }
}

/** Returns the run as a recording, or why the run cannot be played back. */
export function recordingOf(run: AgentRun): Recording | Unplayable {
  const exchanges = exchangesOf(run);
  const { runId, query } = run;
  const gaps = [...new Set(exchanges.flatMap((exchange) => exchange.gaps))];
  const reasons = [
    ...(query === null ? ["the query of the run is not recorded"] : []),
    ...(exchanges.length === 0 ? ["the run has no recorded model call"] : gaps),
    ...run.missing.filter(({ what }) => what === "llm_calls").map(({ why }) => why),
  ];
  if (reasons.length > 0 || query === null) return { runId, query, reasons, remedy: remedyOf(run, reasons) };
  const { totalTokens: tokens, costUsd } = run;
  const { agent, service } = run;
  return { id: runId, query, agent, service, exchanges, tokens, costUsd, redacted: "none", cassette: null };
}

const cutRemedy =
  "Raise the limit on the length of attributes: OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT, OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT, and that of the exporter or gateway.";

function remedyOf(run: AgentRun, reasons: readonly string[]): string {
  if (reasons.some((reason) => reason.includes("cut off"))) return cutRemedy;
  if (reasons.includes("the run has no recorded model call"))
    return "Instrument the model client, or record the run with tracejury record.";
  return contentRemedy(run.query === null ? "query" : "messages", run);
}
