import { existsSync } from "node:fs";
import { dirname, normalize } from "node:path";
import { type FSWatcher, watch } from "chokidar";
import type { Log } from "../../support/telemetry/log/log.ts";
import { messageOf } from "../../support/structures/error-message.ts";

export interface ReloadOptions {
  /** Reads everything anew and makes it count; rejects when something is wrong, with all as it was. Gives what to say. */
  readonly reload: () => Promise<object>;
  readonly log: Log;
  readonly onOutcome: (outcome: "done" | "failed") => void;
  readonly now?: () => number;
}

/** How the last reload went. */
export interface ReloadResult {
  /** False: all stayed as it was. */
  readonly ok: boolean;
  /** The trigger of the reload. */
  readonly why: string;
  /** Error; null for none. */
  readonly reason: string | null;
  readonly at_unix_ms: number;
}

/** One reload after the other; a request during one leads to one more after it, however many they are. */
export class Reloading {
  readonly #options: ReloadOptions;
  #running: Promise<void> | undefined;
  #again: string | undefined;
  #last: ReloadResult | null = null;

  constructor(options: ReloadOptions) {
    this.#options = options;
  }

  /** Null before the first one. */
  get last(): ReloadResult | null {
    return this.#last;
  }

  /** Settles when the files as they are now have been read. Never rejects. */
  async request(why: string): Promise<ReloadResult | null> {
    if (this.#running === undefined) this.#running = this.#run(why);
    else this.#again = why;
    await this.#running;
    return this.#last;
  }

  async #run(first: string): Promise<void> {
    let why: string | undefined = first;
    while (why !== undefined) {
      this.#again = undefined;
      await this.#once(why);
      why = this.#again;
    }
    this.#running = undefined;
  }

  async #once(why: string): Promise<void> {
    const { reload, log, onOutcome, now = Date.now } = this.#options;
    const ended = (reason: string | null): void => {
      this.#last = { ok: reason === null, why, reason, at_unix_ms: now() };
      onOutcome(reason === null ? "done" : "failed");
    };
    try {
      const said = await reload();
      log.info({ why, ...said }, "reloaded");
      ended(null);
    } catch (error) {
      const reason = messageOf(error);
      log.error({ why, reason }, "not reloaded: the previous files stay in use");
      ended(reason);
    }
  }
}

/** Watches files, and folders for files that come to be in them. */
export function watchFiles(
  files: readonly string[],
  onChange: (file: string) => void,
): { close(): Promise<void> } {
  // The folders: a file that is replaced by renaming is another file.
  const folders = [...new Set(files.map((file) => dirname(file)))];
  const wanted = new Set(files);
  // Kubernetes puts each version of a mounted ConfigMap or Secret into a folder `..TIME`, and removes the one before when the new one counts.
  const isRelevantFile = (path: string): boolean =>
    wanted.has(path) || /\.ya?ml$|(^|\/)\.\.[^/]+$/.test(path);
  const watcher = watch(folders, {
    ignoreInitial: true,
    depth: 0,
    // Something that goes on growing beside them, such as a file of verdicts, would be looked at again and again, even after the end.
    ignored: (path, stats) => stats?.isFile() === true && !isRelevantFile(path),
    awaitWriteFinish: { stabilityThreshold: 100, pollInterval: 20 },
  });
  const watchers = [watcher, ...folders.filter((folder) => !existsSync(folder)).map(watchMissing)];
  for (const one of watchers)
    one.on("all", (_event, path) => {
      if (isRelevantFile(path)) onChange(path);
    });
  return { close: async () => void (await Promise.all(watchers.map((one) => one.close()))) };
}

/** Watches for a folder that is not there yet, and for the files in it, which may be written at the same time. */
function watchMissing(name: string): FSWatcher {
  const folder = normalize(name);
  return watch(dirname(folder), {
    ignoreInitial: false,
    depth: 1,
    ignored: (path) =>
      ![dirname(folder), folder].includes(normalize(path)) && normalize(dirname(path)) !== folder,
    awaitWriteFinish: { stabilityThreshold: 100, pollInterval: 20 },
  });
}
