import { Worker } from "node:worker_threads";
import { isCuttable } from "../../receive/dump/records/cuttable.ts";
import type { Dumps } from "../../receive/dump/dumps.ts";
import type { SharedIndex } from "../../receive/dump/index/trace-index.ts";
import { heapGrowth } from "../../receive/admission/garbage.ts";
import { type Io, UserError, write } from "../../support/process/io.ts";
import { conversationIdle } from "../judging/conversation-idle.ts";
import { TemporaryFile } from "../findings/temporary-file.ts";
import type { Found, HandedOver } from "../judging/found.ts";
import { asksModels } from "../judging/judging.ts";
import { judgeInto, type JudgingOptions, type TestSetup } from "../judging/preparing.ts";
import {
  isLongReplay,
  notAmong,
  openReplay,
  replayDumps,
  type Replayed,
  replayIo,
  type Sharing,
  configFor,
} from "../replay.ts";
import { today } from "../judging/today.ts";
import { type Progress, progressBar } from "../progress-bar.ts";
import type { Aside, Message, Task } from "./messages.ts";
import { type Range, rangesOf } from "./ranges.ts";
import { shareOfTraces } from "./shares.ts";
import { builtFile } from "../../support/process/built-file.ts";

export interface WorkerPoolOptions extends JudgingOptions {
  readonly workers: number;
}

export interface WorkerPool {
  /** Judges the dumps. The findings are the same, byte for byte, as those of a single thread. */
  judgeInto(found: Found): Promise<Replayed>;
  /** Removes temporary files. */
  close(): void;
}

/**
 * Opens dumps for several threads. Resolves to null if one thread is requested, or if only one thread can judge these dumps; the reason is
 * then printed on stderr.
 */
export async function openWorkerPool(
  names: readonly string[],
  prepared: TestSetup,
  options: WorkerPoolOptions,
  known: string | null,
  io: Io,
): Promise<WorkerPool | null> {
  if (options.workers < 2) return null;
  const why = whyAlone(prepared, options);
  if (why !== undefined) {
    await sayAlone(why, io);
    return null;
  }
  const dumps = await openReplay(names, replayIo(io));
  return {
    judgeInto: (found) => new Work(dumps, prepared, options, known, io).into(found),
    close: () => dumps.close(),
  };
}

/** Returns why a single thread must judge all runs; undefined if several threads can. */
function whyAlone({ config, specs, selected }: TestSetup, options: JudgingOptions): string | undefined {
  const asked = {
    config,
    specs,
    mode: options.judge,
    selected: new Set(selected.map(({ query }) => query)),
    sampleEnsemble: options.sampleEnsemble ?? null,
  };
  if (asksModels(asked))
    return "judge models are called, and their budget, cache and rate limits work only within one thread";
  if (conversationIdle(specs, config) !== undefined)
    return "conversations are judged, and runs of one conversation may be anywhere in the input";
  return undefined;
}

function sayAlone(why: string, io: Io): Promise<void> {
  return write(io.stderr, `note: --workers: one thread judges all runs, because ${why}\n`);
}

class Work {
  readonly #dumps: Dumps;
  readonly #prepared: TestSetup;
  readonly #options: WorkerPoolOptions;
  readonly #known: string | null;
  readonly #io: Io;

  constructor(dumps: Dumps, prepared: TestSetup, options: WorkerPoolOptions, known: string | null, io: Io) {
    this.#dumps = dumps;
    this.#prepared = prepared;
    this.#options = options;
    this.#known = known;
    this.#io = io;
  }

  async into(found: Found): Promise<Replayed> {
    if (!isLongReplay(this.#dumps, this.#options.longBytes)) return this.#alone(found);
    const keepNarrow = heapGrowth();
    keepNarrow(true);
    try {
      const index = (await this.#dumps.lastPositions(true)).shared();
      const cuttable = await this.#cuttable(index);
      const ranges = rangesOf(
        index.marks,
        ({ file, position }) => cuttable[file] === true || position === this.#dumps.bases[file],
        { bytes: this.#dumps.length ?? 0, traces: index.traces },
        this.#options.workers,
      );
      return ranges.length < 2
        ? await this.#alone(found)
        : await this.#shared(found, index, cuttable, ranges);
    } finally {
      keepNarrow(false);
    }
  }

  async #shared(
    found: Found,
    index: SharedIndex,
    cuttable: readonly boolean[],
    ranges: readonly Range[],
  ): Promise<Replayed> {
    const done = await this.#ask(index, cuttable, ranges);
    if (typeof done === "string") {
      await sayAlone(done, this.#io);
      return this.#alone(found);
    }
    for (const { found: part } of done) found.takeOver(part);
    const joined = await this.#join(found, index, cuttable, together(done.map(({ aside }) => aside)));
    const invalid = done.flatMap(({ read }) => read.invalid);
    return {
      invalid: [...invalid, ...notAmong(invalid, joined)],
      skipped: done.flatMap(({ read }) => read.skipped),
    };
  }

  async #ask(
    index: SharedIndex,
    cuttable: readonly boolean[],
    ranges: readonly Range[],
  ): Promise<readonly Done[] | string> {
    const { files, bases } = this.#dumps;
    const { specs } = this.#prepared;
    const day = today();
    const tasks = ranges.map((range): Task => ({
      options: plain(this.#options),
      known: this.#known,
      env: { ...this.#io.env },
      cwd: this.#io.cwd,
      today: day,
      specHashes: specs.map(({ hash }) => hash),
      files,
      bases,
      cuttable,
      index,
      range,
    }));
    const progress = progressBar(this.#io.stderr);
    try {
      return await runWorkers(tasks, progress, ({ findings: { file } }) => {
        if (file !== undefined) new TemporaryFile(file).close();
      });
    } finally {
      progress.done();
    }
  }

  /** Judges the runs of the traces that the workers left to the main thread, with the same result as a single thread. */
  async #join(
    found: Found,
    index: SharedIndex,
    cuttable: readonly boolean[],
    aside: Aside,
  ): Promise<Replayed["invalid"]> {
    const { traces, errorOnly, isAnyRun, isAnyWhole, isAnyLone } = aside;
    const left = isAnyRun ? traces : errorOnly;
    if (left.length === 0) return [];
    // A trace with a single model call may be a copy of a call in any run, so all traces are read again.
    const all = isAnyLone && isAnyWhole;
    const numbers = all ? new Uint32Array(index.traces).map((_, at) => at) : Uint32Array.from(left);
    const share = shareOfTraces(index, numbers, cuttable);
    return (await this.#judge(found, { share, elsewhere: { isAnyRun } })).invalid;
  }

  #alone(found: Found): Promise<Replayed> {
    return this.#judge(found);
  }

  #judge(found: Found, sharing?: Sharing): Promise<Replayed> {
    const { config, specs } = this.#prepared;
    return judgeInto(found, this.#prepared, this.#options, {
      io: this.#io,
      source: (onRun, room) =>
        replayDumps(this.#dumps, {
          config: configFor(config, specs),
          terminal: this.#io.stderr,
          longBytes: this.#options.longBytes,
          onRun,
          room,
          sharing,
        }),
    });
  }

  /**
   * Returns for each file whether its records can be skipped without decoding. Examines only files within which a worker may begin to read.
   */
  async #cuttable(index: SharedIndex): Promise<readonly boolean[]> {
    const { files, bases } = this.#dumps;
    const inside = new Set(
      index.marks.filter(({ file, position }) => position !== bases[file]).map(({ file }) => file),
    );
    const cuttable: boolean[] = [];
    for (const [at, file] of files.entries()) cuttable.push(inside.has(at) && (await isCuttable(file)));
    return cuttable;
  }
}

function together(all: readonly Aside[]): Aside {
  return {
    traces: all.flatMap(({ traces }) => traces),
    errorOnly: all.flatMap(({ errorOnly }) => errorOnly),
    isAnyRun: all.some(({ isAnyRun }) => isAnyRun),
    isAnyWhole: all.some(({ isAnyWhole }) => isAnyWhole),
    isAnyLone: all.some(({ isAnyLone }) => isAnyLone),
  };
}

/** Returns a copy of the options that can be sent to a thread. */
function plain(options: JudgingOptions): JudgingOptions {
  return JSON.parse(JSON.stringify(options)) as JudgingOptions;
}

type Done = Extract<Message, { kind: "done" }>;

/**
 * Runs each task in a thread. Returns the findings in the order of the tasks, or the reason why several threads cannot read the dumps. In
 * this case, the threads are terminated, and `drop` is called with the findings that some threads have already returned.
 * @throws UserError if a thread exits early
 */
export async function runWorkers(
  tasks: readonly Task[],
  progress: Progress,
  drop: (found: HandedOver) => void,
): Promise<readonly Done[] | string> {
  const workers = tasks.map((task) => start(task));
  const shares = tasks.map(() => 0);
  const done: Done[] = [];
  try {
    return await new Promise<readonly Done[] | string>((resolve, reject) => {
      for (const [at, worker] of workers.entries()) {
        const broken = (why: string): void =>
          reject(
            new UserError(
              `worker thread ${at + 1} of ${workers.length} ended too early: ${why}`,
              "nothing was reported; try fewer --workers, or --workers 1",
            ),
          );
        worker.on("message", (message: Message) => {
          if (message.kind === "progress") {
            shares[at] = message.at;
            for (let run = 0; run < message.runs; run++) progress.ran();
            progress.at(shares.reduce((sum, share) => sum + share, 0) / shares.length);
          } else if (message.kind === "spoiled") resolve(message.why);
          else if (message.kind === "failed") reject(new UserError(message.message, message.hint));
          else {
            done[at] = message;
            if (Object.keys(done).length === workers.length) resolve(done);
          }
        });
        worker.on("error", (error) => broken(error.message));
        worker.on("exit", (code) => {
          if (done[at] === undefined) broken(`exit code ${code}`);
        });
      }
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
    if (Object.keys(done).length < workers.length) for (const one of Object.values(done)) drop(one.found);
  }
}

function start(task: Task): Worker {
  const file = builtFile("replay-worker", import.meta.url);
  // The file with the worker's findings must stay open after the worker has ended.
  return new Worker(file, { workerData: task, trackUnmanagedFds: false });
}
