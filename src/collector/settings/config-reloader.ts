import type { Config } from "../../config/config.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { Log } from "../../support/telemetry/log/log.ts";
import { openJudgedBy, type OpenedJudgedBy } from "../evaluation/judged-by.ts";
import { collectorSettings } from "./settings.ts";
import type { Collector } from "../inputs/live-port.ts";
import { Reloading, type ReloadResult, watchFiles } from "./reload.ts";

/** A configuration with its specs, read from disk. */
export interface Loaded {
  readonly config: Config;
  readonly secrets: readonly string[];
  readonly specs: readonly CompiledSpec[];
  /** Every file that was read for them. */
  readonly files: readonly string[];
}

export interface ConfigReloaderOptions {
  readonly live: Collector;
  readonly begun: Loaded;
  readonly opened: OpenedJudgedBy;
  /** Reads everything again; reports problems and rejects if there are any. */
  readonly load: () => Promise<Loaded>;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  /** Called with secrets that the log must mask from now on. */
  readonly onSecrets: (secrets: readonly string[]) => void;
}

/** The longest that runs before their judges are waited for until the judges they began with are closed. */
const LINGER_MS = 60_000;

/** Sections that are read at the start only. */
const fixed = [
  "receive",
  "kafka",
  "admin",
  "dataDir",
  "journal",
  "store",
  "limits",
  "export",
  "forward",
  "assemble",
  "telemetry",
  "prices",
  "stopTimeoutMs",
] as const satisfies readonly (keyof Config)[];

/** Keeps a running collector up to date with its files: on SIGHUP, and where wanted whenever one of them changes. */
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

  /** Reads everything again now; settles when it counts, or has been refused. */
  now(why: string): Promise<ReloadResult | null> {
    return this.#reloading.request(why);
  }

  /** How the last one went; null before the first. */
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
    const later = fixed.filter(
      (key) => JSON.stringify(loaded.config[key]) !== JSON.stringify(begun.config[key]),
    );
    if (later.length > 0) log.warn({ sections: later }, "these sections are read at the start only: restart");
    return { specs: loaded.specs.map(({ name, hash }) => ({ name, hash })) };
  }

  /** Runs that are before their judges are finished by those. */
  #retire(opened: OpenedJudgedBy): void {
    let closed = false;
    const close = (): void => {
      if (closed) return;
      closed = true;
      opened
        .close()
        .catch((error: unknown) => this.#options.log.error({ err: error }, "judges could not be closed"));
    };
    setTimeout(close, LINGER_MS).unref();
    void this.#options.live.whenJudged().then(close);
  }

  /** Watches what is read now, which may be other files than before. */
  #watch({ config, files }: Loaded): void {
    const rubrics = config.judge.rubrics.map((folder) => `${folder}/any.yaml`);
    const all = [...files, ...this.#options.live.securityFiles, ...rubrics];
    const watched = config.watch ? JSON.stringify(all) : "";
    if (watched === this.#watched) return;
    this.#watched = watched;
    void this.#watcher?.close();
    this.#watcher = config.watch
      ? watchFiles(all, (file) => void this.#reloading.request(`${file} changed`))
      : undefined;
  }
}

/** A rubric that was good a moment ago is not left out for a slip: what was good before stays. */
function refuseBrokenRubrics({ rubricProblems }: OpenedJudgedBy, before: OpenedJudgedBy): void {
  const news = rubricProblems.filter((problem) => !before.rubricProblems.includes(problem));
  if (news.length > 0) throw new Error(`rubrics: ${news.join("; ")}`);
}
