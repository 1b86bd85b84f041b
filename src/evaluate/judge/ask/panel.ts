import type { JsonValue } from "../../../model/json.ts";
import type { JudgeRecord, JudgeVote } from "../../../model/verdict.ts";
import { type Answer, ask, type Asking } from "./ask.ts";
import { needsMoreVotes, type Tally } from "./ensemble.ts";
import type { JudgeErrorType, JudgePort, Unavailable } from "./port.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { Reading } from "../reply/reading.ts";
import type { Scored } from "../reply/scored.ts";
import type { Panel } from "../settings.ts";

export interface Vote<T> {
  readonly model: string;
  readonly answer: Answer<T>;
}

/**
 * Judge models of a panel: `seats` are the models that can be called, `absent` the others. A model that is listed twice has two seats and
 * answers twice, independently.
 */
export interface Bench {
  readonly seats: readonly { readonly model: string; readonly sample: number }[];
  readonly absent: readonly { readonly model: string; readonly why: Unavailable }[];
  /** Number of judges that must reply. */
  readonly quorum: number;
}

/** @param quorum number of judges that must reply, at most all judges. Default: more than half */
export function benchOf(port: JudgePort, models: readonly string[], quorum?: number): Bench {
  const samplesByModel = new Map<string, number>();
  const seats: { model: string; sample: number }[] = [];
  const absent: { model: string; why: Unavailable }[] = [];
  for (const model of models) {
    const why = port.unavailable(model);
    if (why !== null) absent.push({ model, why });
    else {
      const sample = samplesByModel.get(model) ?? 0;
      samplesByModel.set(model, sample + 1);
      seats.push({ model, sample });
    }
  }
  const needed = quorum ?? Math.floor(models.length / 2) + 1;
  return { seats, absent, quorum: Math.min(needed, models.length) };
}

/** Sends one question to all models of a panel, in parallel. */
export async function askAll<T>(
  asking: Asking,
  bench: Bench,
  rubric: string,
  prompt: Prompt,
  reader: (json: JsonValue) => Reading<T>,
): Promise<readonly Vote<T>[]> {
  return Promise.all(
    bench.seats.map(async ({ model, sample }) => {
      return { model, answer: await ask(asking, model, sample, rubric, prompt, reader) };
    }),
  );
}

/**
 * Sends one question to all models of a panel. With the strategy `consensus`, judges that disagree vote again, up to the panel's
 * `maxVotes`.
 * @param scale range of the scores, to normalise them to 0–1 as in `needsMoreVotes`
 */
export async function askPanel(
  asking: Asking,
  bench: Bench,
  panel: Panel,
  rubric: string,
  prompt: Prompt,
  reader: (json: JsonValue) => Reading<Scored>,
  scale: number,
): Promise<readonly Vote<Scored>[]> {
  const votes = [...(await askAll(asking, bench, rubric, prompt, reader))];
  const turns = Math.ceil(panel.maxVotes / Math.max(1, bench.seats.length));
  const spare = Array.from({ length: turns }, (_, turn) => bench.seats.map((it) => ({ ...it, turn }))).flat();
  for (const { model, sample, turn } of spare.slice(votes.length, panel.maxVotes)) {
    if (panel.strategy !== "consensus" || !needsMoreVotes(ballots(votes), scale)) break;
    const answer = await ask(asking, model, sample + turn * bench.seats.length, rubric, prompt, reader);
    votes.push({ model, answer });
  }
  return votes;
}

/** Returns the parsed replies of the judges that answered. */
export function ballots<T>(votes: readonly Vote<T>[]): readonly T[] {
  return votes.flatMap(({ answer }) => (answer.ok ? [answer.value] : []));
}

/**
 * Returns the judge record of a check result. If the panel has two or more votes, the record lists all votes. A judge that could not be
 * called is listed with an error instead of a score.
 */
export function recordOf<T>(
  rubric: string,
  prompt: Prompt,
  bench: Bench,
  votes: readonly Vote<T>[],
  tally: Pick<Tally, "score"> & { readonly label: string | null },
  describe: (value: T) => Pick<JudgeVote, "score" | "label" | "rationale">,
): JudgeRecord {
  const answered = ballots(votes).map(describe);
  const listed = [...votes.map((it) => voteOf(it, describe)), ...bench.absent.map(absentVote)];
  const deciding = answered.find((it) => it.label === tally.label) ?? answered[0];
  return {
    rubric,
    model: [...new Set([...votes.map((it) => it.model), ...bench.absent.map((it) => it.model)])].join(" + "),
    score: answered.length === 0 ? null : tally.score,
    label: answered.length === 0 ? null : tally.label,
    rationale: deciding?.rationale ?? null,
    votes: listed.length > 1 ? listed : [],
    durationMs: Math.max(0, ...votes.map((it) => it.answer.durationMs)),
    cached: votes.length > 0 && votes.every(({ answer }) => answer.ok && answer.cached),
    promptHash: prompt.hash,
  };
}

function voteOf<T>(
  { model, answer }: Vote<T>,
  describe: (value: T) => Pick<JudgeVote, "score" | "label" | "rationale">,
): JudgeVote {
  if (answer.ok) return { model, ...describe(answer.value), error: null };
  return {
    model,
    score: null,
    label: null,
    rationale: null,
    error: `${answer.errorType}: ${answer.message}`,
  };
}

function absentVote({ model, why }: Bench["absent"][number]): JudgeVote {
  return { model, score: null, label: null, rationale: null, error: `not called: ${why.message}` };
}

/** Returns why no judge answered: error type of the first failure, and messages of all failures. */
export function failureOf(votes: readonly Vote<unknown>[]): { errorType: JudgeErrorType; message: string } {
  const failures = votes.flatMap(({ model, answer }) => (answer.ok ? [] : [{ model, ...answer }]));
  const messages = [...new Set(failures.map((it) => `${it.model}: ${it.message}`))].join("; ");
  return { errorType: failures[0]?.errorType ?? "internal", message: messages };
}
