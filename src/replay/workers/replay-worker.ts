import { parentPort, workerData } from "node:worker_threads";
import { Dumps } from "../../receive/dump/dumps.ts";
import { Spool } from "../../receive/dump/files/spool.ts";
import { capturedIo } from "../../support/process/captured-io.ts";
import { UserError } from "../../support/process/io.ts";
import { judgeInto, openFound, prepare } from "../judging/preparing.ts";
import type { Progress } from "../progress-bar.ts";
import { replayDumps, configFor } from "../replay.ts";
import type { Aside, Message, Task } from "./messages.ts";
import { shareOfRange } from "./shares.ts";
import type { Fragment } from "../../runs/fragment.ts";
import { FragmentBoundary } from "../../runs/waiting/fragment-boundary.ts";

/** Maximum number of traces with only errors that a worker reports. Further traces with only errors are ignored, and never become runs. */
const MOST_ERROR_ONLY = 1_000;

/** Records the traces that a worker leaves to the main thread. */
class SettingAside {
  readonly #numberOf: (traceId: string) => number;
  readonly #traces = new Set<number>();
  #errorOnly: number[] = [];
  #isAnyWhole = false;
  #isAnyLone = false;

  constructor(numberOf: (traceId: string) => number) {
    this.#numberOf = numberOf;
  }

  /** Records a trace that may contain a part of a run whose other parts are in other traces, or whose spans are only errors. */
  take(fragment: Fragment): void {
    const number = this.#numberOf(fragment.traceId);
    if (!fragment.isErrorOnly) {
      this.#traces.add(number);
      this.#isAnyLone ||= new FragmentBoundary(fragment).bareCalls.length > 0;
    } else if (this.#errorOnly.length < MOST_ERROR_ONLY) this.#errorOnly.push(number);
  }

  /** Records that this worker has emitted a run. */
  ran(): void {
    this.#isAnyWhole = true;
  }

  get aside(): Aside {
    const isAnyRun = this.#isAnyWhole || this.#traces.size > 0;
    return {
      traces: [...this.#traces],
      errorOnly: isAnyRun ? [] : this.#errorOnly,
      isAnyRun,
      isAnyWhole: this.#isAnyWhole,
      isAnyLone: this.#isAnyLone,
    };
  }
}

/*
 * This thread judges the traces that begin in its range of the dumps. It leaves traces that may contain parts of other traces' runs to the
 * main thread.
 */

const EVERY_MS = 200;

function tell(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  parentPort?.postMessage(message);
}

async function work(task: Task): Promise<Message> {
  const { options, known, env, cwd, today, files, bases, cuttable, index, range } = task;
  // Output is dropped, because the main thread has already reported the problems of configuration and specs.
  const io = { ...capturedIo({}, cwd).io, env };
  const prepared = await prepare(options, known, io);
  const { config, specs } = prepared;
  if (specs.some(({ hash }, at) => hash !== task.specHashes[at])) {
    throw new UserError("a spec was changed while it was being read", "run the test again");
  }
  const share = shareOfRange(index, range, cuttable);
  const aside = new SettingAside(share.numberOf);
  const found = openFound(prepared, options, true);
  const read = await judgeInto(found, prepared, options, {
    io,
    today,
    source: (onRun, room) =>
      replayDumps(new Dumps(files, new Spool(), bases), {
        config: configFor(config, specs),
        room,
        progress: telling(range.from, Math.min(range.to, bases.at(-1) ?? 0)),
        sharing: { share, setAside: (fragment) => aside.take(fragment) },
        onRun: (run) => {
          aside.ran();
          onRun(run);
        },
      }),
  });
  if (read.isSpoiled === true) {
    found.close();
    return { kind: "spoiled", why: share.spoiled() ?? "some log records have no trace id" };
  }
  return { kind: "done", found: found.relinquish(), read, aside: aside.aside };
}

/** Returns a `Progress` for a range of the dumps. It sends its state to the main thread. */
function telling(from: number, to: number): Progress {
  const whole = bytesOf(workerData as Task);
  let next = performance.now() + EVERY_MS;
  let at = 0;
  let runs = 0;
  const show = (): void => {
    if (performance.now() < next) return;
    next = performance.now() + EVERY_MS;
    tell({ kind: "progress", at, runs });
    runs = 0;
  };
  return {
    at(share) {
      at = Math.min(1, Math.max(0, (share * whole - from) / Math.max(1, to - from)));
      show();
    },
    expect: () => undefined,
    ran() {
      runs++;
      show();
    },
    done: () => undefined,
  };
}

function bytesOf({ bases }: Task): number {
  return Math.max(1, bases.at(-1) ?? 0);
}

void work(workerData as Task)
  .catch((error: unknown): Message => {
    if (!(error instanceof UserError)) throw error;
    return { kind: "failed", message: error.message, hint: error.hint };
  })
  .then(tell);
