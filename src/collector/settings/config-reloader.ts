import type { Config } from "../../config/config.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { Log } from "../../support/telemetry/log/log.ts";
import { openJudgedBy, type OpenedJudgedBy } from "../evaluation/judged-by.ts";
import { collectorSettings } from "./settings.ts";
import type { Collector } from "../inputs/live-port.ts";
import { Reloading, type ReloadResult, watchFiles } from "./reload.ts";

/** A configuration and its specs, as read from disk. */
export interface Loaded {
  readonly config: Config;
  readonly secrets: readonly string[];
  readonly specs: readonly CompiledSpec[];
  /** All files that were read for configuration and specs. */
  readonly files: readonly string[];
  /** Folders in which a new YAML file may be a spec. */
  readonly specFolders: readonly string[];
}

export interface ConfigReloaderOptions {
  readonly live: Pick<Collector, "noteReload" | "prepare" | "securityFiles" | "whenJudged">;
  readonly begun: Loaded;
  readonly opened: OpenedJudgedBy;
  /** Reads configuration and specs again. Logs problems and then rejects. */
  readonly load: () => Promise<Loaded>;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  /** Sets the secrets that the log must mask, after a reload. */
  readonly onSecrets: (secrets: readonly string[]) => void;
}

/** Maximum milliseconds that the previous judge models stay open for runs that still use them. */
const LINGER_MS = 60_000;

/** For each section that only a restart applies: the key that messages name. Null for a section that a reload applies. */
const fixed: Readonly<Record<keyof Config, string | null>> = {
  dataDir: "data_dir",
  receive: "receive",
  kafka: "receivers.kafka",
  models: "receivers.models",
  admin: "admin",
  watch: null,
  stopTimeoutMs: "stop_timeout",
  security: null,
  specs: null,
  baseline: null,
  baselineDir: null,
  assemble: "assemble",
  conversationIdleMs: "assemble.conversation_idle",
  journal: "journal",
  store: "store",
  changesEveryMs: "changes",
  redact: null,
  limits: "limits",
  export: "export",
  sampling: null,
  forward: "forward",
  judge: null,
  prices: "prices",
  recordedModels: null, // Only `test` reads this section.
  attributes: null,
  dialects: null,
  toolCategories: null,
  telemetry: "telemetry",
};

/** Returns the keys of the changed sections that only a restart applies. */
function needingRestart(config: Config, begun: Config): string[] {
  const differs = (key: keyof Config): boolean => JSON.stringify(config[key]) !== JSON.stringify(begun[key]);
  return (Object.keys(fixed) as (keyof Config)[]).flatMap((key) => {
    const name = fixed[key];
    return name !== null && differs(key) ? [name] : [];
  });
}

/** Reloads the configuration of a running collector on SIGHUP, and with `watch` also when one of its files changes. */
export class ConfigReloader {
  readonly #options: ConfigReloaderOptions;
  readonly #reloading: Reloading;
  #opened: OpenedJudgedBy;
  #watcher: { close(): Promise<void> } | undefined;
  #watched = "";
  readonly #onHangUp = (): void => void this.#reloading.request("SIGHUP");

  constructor(options: ConfigReloaderOptions) {
    this.#options = options;
    this.#opened = options.opened;
    this.#reloading = new Reloading({
      reload: () => this.#reload(),
      log: options.log,
      onOutcome: (outcome) => options.live.noteReload(outcome),
    });
    process.on("SIGHUP", this.#onHangUp);
    this.#watch(options.begun);
  }

  /** Reloads all files now. Resolves when the new configuration is active, or was rejected because of an error. */
  now(why: string): Promise<ReloadResult | null> {
    return this.#reloading.request(why);
  }

  get last(): ReloadResult | null {
    return this.#reloading.last;
  }

  async close(): Promise<void> {
    process.removeListener("SIGHUP", this.#onHangUp);
    await this.#watcher?.close();
    await this.#opened.close();
  }

  async #reload(): Promise<object> {
    const { live, load, env, log, begun, onSecrets } = this.#options;
    const loaded = await load();
    const opened = await openJudgedBy(loaded.config, loaded.specs, env);
    try {
      refuseBrokenRubrics(opened, this.#opened);
      const settings = collectorSettings(loaded.config, loaded.specs);
      live.prepare({ by: opened.by, settings })();
    } catch (error) {
      await opened.close();
      throw error;
    }
    onSecrets([...begun.secrets, ...loaded.secrets]);
    for (const warning of opened.warnings) log.warn(warning);
    this.#retire(this.#opened);
    this.#opened = opened;
    this.#watch(loaded);
    const later = needingRestart(loaded.config, begun.config);
    if (later.length > 0)
      log.warn(
        { sections: later },
        "these sections of the configuration have changed: restart the collector to apply them",
      );
    return { specs: loaded.specs.map(({ name, hash }) => ({ name, hash })) };
  }

  /** Closes the previous judge models when the last run that uses them is finished. */
  #retire(opened: OpenedJudgedBy): void {
    let closed = false;
    const close = (): void => {
      if (closed) return;
      closed = true;
      opened
        .close()
        .catch((error: unknown) =>
          this.#options.log.error({ err: error }, "the previous judge models could not be closed"),
        );
    };
    setTimeout(close, LINGER_MS).unref();
    void this.#options.live.whenJudged().then(close);
  }

  /** Watches the files of the new configuration instead of those of the previous one. */
  #watch({ config, files, specFolders }: Loaded): void {
    const all = [...files, ...this.#options.live.securityFiles];
    const folders = [...specFolders, ...config.judge.rubrics];
    const watched = config.watch ? JSON.stringify([all, folders]) : "";
    if (watched === this.#watched) return;
    this.#watched = watched;
    void this.#watcher?.close();
    this.#watcher = config.watch
      ? watchFiles(all, folders, (file) => void this.#reloading.request(`${file} changed`))
      : undefined;
  }
}

/** Throws if a rubric has a problem that it did not have before the reload. The reload then fails, and the previous rubrics stay active. */
function refuseBrokenRubrics({ rubricProblems }: OpenedJudgedBy, before: OpenedJudgedBy): void {
  const news = rubricProblems.filter((problem) => !before.rubricProblems.includes(problem));
  if (news.length > 0) throw new Error(`rubrics: ${news.join("; ")}`);
}
