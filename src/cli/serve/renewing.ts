import type { Config } from "../../config/config.ts";
import type { CompiledSpec } from "../../spec/compiled.ts";
import type { Log } from "../../telemetry/log.ts";
import { openJudgedBy, type OpenedJudgedBy } from "./judged-by.ts";
import { liveSettings } from "./live-settings.ts";
import type { Live } from "./live-port.ts";
import { Reloading, watchFiles } from "./reload.ts";

/** What a configuration and its specs are, read from the disk. */
export interface Loaded {
  readonly config: Config;
  readonly secrets: readonly string[];
  readonly specs: readonly CompiledSpec[];
}

export interface RenewingOptions {
  readonly live: Live;
  readonly begun: Loaded;
  readonly opened: OpenedJudgedBy;
  /** Reads all again; rejects when anything is wrong, having said it. */
  readonly load: () => Promise<Loaded>;
  readonly env: NodeJS.ProcessEnv;
  /** Files of the configuration. */
  readonly files: readonly string[];
  readonly log: Log;
  /** Told of secrets that the log must not show from now on. */
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
] as const satisfies readonly (keyof Config)[];

/** Keeps a running collector up to date with its files: on SIGHUP, and where wanted whenever one of them changes. */
export class Renewing {
  readonly #options: RenewingOptions;
  readonly #reloading: Reloading;
  #opened: OpenedJudgedBy;
  #watcher: { close(): Promise<void> } | undefined;
  readonly #onHangUp = (): void => void this.#reloading.request("SIGHUP");

  constructor(options: RenewingOptions) {
    this.#options = options;
    this.#opened = options.opened;
    this.#reloading = new Reloading({
      reload: () => this.#reload(),
      log: options.log,
      onOutcome: () => undefined,
    });
    process.on("SIGHUP", this.#onHangUp);
    this.#watch(options.begun);
  }

  /** Reads everything again now; settles when it counts, or has been refused. */
  now(why: string): Promise<void> {
    return this.#reloading.request(why);
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
      const settings = liveSettings(loaded.config, loaded.specs);
      live.prepare({ by: opened.by, settings })();
    } catch (error) {
      await opened.close();
      throw error;
    }
    onSecrets([...begun.secrets, ...loaded.secrets]);
    for (const warning of opened.warnings) log.warn(warning);
    this.#retire(this.#opened);
    this.#opened = opened;
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

  #watch({ config, specs }: Loaded): void {
    if (!config.watch) return;
    const { files, live } = this.#options;
    const rubrics = config.judge.rubrics.map((folder) => `${folder}/any.yaml`);
    const all = [...files, ...specs.map(({ file }) => file), ...live.securityFiles, ...rubrics];
    this.#watcher = watchFiles(all, (file) => void this.#reloading.request(`${file} changed`));
  }
}
