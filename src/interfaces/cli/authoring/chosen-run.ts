import { byStart } from "../../../model/by-start.ts";
import type { Trace } from "../../../assemble/trace.ts";
import type { Config } from "../../../config/config.ts";
import { normaliseText } from "../../../match/rules/normalise.ts";
import type { AgentRun } from "../../../model/run.ts";
import { createJudgeRun, type JudgedRun } from "../../../pipeline/judge-run.ts";
import { printable } from "../../../report/render/terminal/printable.ts";
import type { CompiledSpec } from "../../../evaluate/query/compiled.ts";
import { version } from "../../../support/process/version.ts";
import { replay, writeInvalid, configFor } from "../../../replay/replay.ts";
import { today } from "../../../replay/judging/today.ts";
import { type Io, UserError, write } from "../../../support/process/io.ts";
import { adminUrl, telemetryOf } from "./served-telemetry.ts";

/** Recorded runs that were judged without judge models, and their traces. */
export interface RecordedRuns {
  readonly judged: readonly JudgedRun[];
  readonly tracesById: ReadonlyMap<string, Trace>;
  /** Whether a part of the dumps is unreadable. */
  readonly isUnreadable: boolean;
}

/** Replays dumps against a spec, without judge models. Prints a warning for each unreadable line. */
export async function recordedRuns(
  dumps: readonly string[],
  spec: CompiledSpec,
  config: Config,
  io: Io,
): Promise<RecordedRuns> {
  const tracesById = new Map<string, Trace>();
  const judged: JudgedRun[] = [];
  const judge = createJudgeRun({ specs: [spec], judgeSkipPolicy: { judge: "off" }, engine: version, today });
  const { invalid } = await replay(dumps, {
    config: configFor(config, [spec]),
    stdin: io.stdin,
    env: io.env,
    onTrace: (trace) => tracesById.set(trace.traceId, trace),
    onRun: (run) => judged.push(judge(run)),
  });
  judged.sort((a, b) => byStart(a.run, b.run));
  await writeInvalid(io, invalid, "warning: ");
  return { judged, tracesById, isUnreadable: invalid.length > 0 };
}

/**
 * Returns the run with the given id. Without an id, the run is chosen in this order: the first failed run, the first that ended in an
 * error, the first with a warning, the first that matches no query, the only run.
 * @throws UserError if no run has the id, or if no id is given and all of several runs passed
 */
export async function chooseRun(
  judged: readonly JudgedRun[],
  id: string | undefined,
  io: Io,
): Promise<JudgedRun> {
  if (id !== undefined) {
    const named = runNamed(judged, ({ run }) => run, id);
    if (named !== undefined) return named;
    throw new UserError(`there is no run ${id} in the input`, "tracejury inspect lists the runs of a dump");
  }
  const ranked = [
    judged.filter(({ verdicts }) => verdicts.some(({ outcome }) => outcome === "fail")),
    judged.filter(({ run }) => run.status === "error"),
    judged.filter(({ verdicts }) => verdicts.some(({ outcome }) => outcome === "warn")),
    judged.filter(({ verdicts }) => verdicts.length === 0),
    judged.length === 1 ? judged : [],
  ];
  const [first, ...others] = ranked.find((runs) => runs.length > 0) ?? [];
  if (first === undefined) {
    throw new UserError(
      judged.length === 0
        ? "there is no agent run in the input"
        : "no run was selected: each run in the input matches a query, and none fails or warns",
      "name the run to promote with --run ID",
    );
  }
  for (const { run } of others.slice(0, 10)) {
    await write(
      io.stderr,
      `not promoted: ${run.runId} ${printable(run.query ?? "(query unknown)", 90)} (name it with --run)\n`,
    );
  }
  return first;
}

/** Matches the beginning of an id, such as `4bf92f3577b3…`, which is how reports print ids. */
const SHORT_ID = /^[0-9a-f]{6,}(?:-[0-9a-f]*)?…?$/;

/**
 * Returns the run whose run id or trace id is `id` or begins with `id`. Returns undefined if no run matches.
 * @throws UserError if several runs match
 */
function runNamed<Item>(
  items: readonly Item[],
  runOf: (item: Item) => AgentRun,
  id: string,
): Item | undefined {
  const folded = id.toLowerCase();
  const whole = items.find((item) => {
    const { runId, traceIds } = runOf(item);
    return runId === id || traceIds.includes(folded);
  });
  if (whole !== undefined || !SHORT_ID.test(folded)) return whole;
  const start = folded.replace("…", "");
  const begun = items.filter((item) => {
    const { runId, traceIds } = runOf(item);
    return [runId, ...traceIds].some((one) => one.startsWith(start));
  });
  if (begun.length < 2) return begun[0];
  const ids = begun.map((item) => runOf(item).runId).join(", ");
  throw new UserError(`the ids of ${begun.length} runs begin with ${start}`, `name one of them: ${ids}`);
}

/**
 * Returns the run that `--like` names. The name is an id of a run in the input or in the store of a running `serve`, or the path of a dump.
 * If the dump contains several runs, returns the first complete run with the same query as `bad`.
 */
export async function goodRun(
  like: string,
  bad: AgentRun,
  { judged }: RecordedRuns,
  spec: CompiledSpec,
  config: Config,
  io: Io,
): Promise<AgentRun> {
  const here = runNamed(judged, ({ run }) => run, like);
  if (here !== undefined) return whole(here.run, like);
  const fetched = await telemetryOf([like], adminUrl(config), io.env["TRACEJURY_TOKEN"]);
  try {
    const runs = (await recordedRuns(fetched.dumps, spec, config, io)).judged.map(({ run }) => run);
    const { id } = fetched;
    if (id !== undefined) {
      const named = runNamed(runs, (run) => run, id);
      if (named !== undefined) return whole(named, like);
    }
    const asked = normaliseText(bad.query ?? "");
    const same = runs.filter(
      ({ query, runId }) => runId !== bad.runId && normaliseText(query ?? "") === asked,
    );
    const found = same.find(isWhole) ?? same[0] ?? (runs.length === 1 ? runs[0] : undefined);
    if (found !== undefined) return whole(found, like);
    throw new UserError(
      `--like ${like}: none of its runs has the query ${JSON.stringify(printable(bad.query ?? "", 90))}`,
      "name a good run by its id, or a dump with one",
    );
  } finally {
    fetched.remove();
  }
}

function isWhole({ complete, status }: AgentRun): boolean {
  return complete && status !== "error";
}

/**
 * Returns the run if it can be used as an example of a correct run.
 * @throws UserError if the run is incomplete or ended in an error
 */
function whole(run: AgentRun, like: string): AgentRun {
  if (isWhole(run)) return run;
  const why = run.status === "error" ? "ended in an error" : "is not complete";
  throw new UserError(
    `--like ${like}: run ${run.runId} ${why}`,
    "name a run that is complete and has no error",
  );
}
