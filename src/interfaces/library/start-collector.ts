import { loadSettings, loadSpecs } from "../../config/command-settings.ts";
import type { VerdictJson } from "../../report/json/verdict-schema.ts";
import { called, type CommonOptions } from "./settings.ts";

export interface CollectorOptions extends CommonOptions {
  /** Spec files or globs. The default is the specs of the configuration. */
  readonly specs?: readonly string[];
  /** Called with each verdict, and with each revision of a verdict. */
  readonly onVerdict?: (verdict: VerdictJson) => void;
}

export interface Collector {
  /** Addresses as `host:port`, with the actual ports. An address is null if the port is off. */
  readonly listening: {
    readonly http: string | null;
    readonly grpc: string | null;
    readonly admin: string | null;
  };
  /**
   * Resolves when no trace is open, no run waits for further traces, and every run is judged; or when the collector stops. Does not wait
   * for open conversations.
   */
  whenIdle(): Promise<void>;
  /**
   * Stops receiving, finishes the judging that has begun, and exports verdicts; takes at most `timeoutMs` milliseconds. Runs that are still
   * open stay in the journal for the next start. Without a journal, they are judged now. Further calls of `stop` return the same promise.
   */
  stop(timeoutMs?: number): Promise<void>;
}

const STOP_MS = 10_000;

/**
 * Starts the same collector as `tracejury serve`, but in this process and without logs. To listen on free ports, use `set:
 * ["receive.http=127.0.0.1:0", …]`.
 * @throws TracejuryError if a spec or configuration is invalid, or a port is in use
 */
export async function startCollector(options: CollectorOptions = {}): Promise<Collector> {
  const { startCollectorProcess } = await import("../../collector/collector.ts");
  const { collectorSettings, started } = await import("../../collector/settings/settings.ts");
  const { openJudging } = await import("../../replay/judging/judging.ts");
  const { openReferences } = await import("../../replay/baselines/references.ts");
  const { createLog } = await import("../../support/telemetry/log/log.ts");
  const { verdictJson } = await import("../../report/json/verdict-json.ts");
  const { onVerdict } = options;
  const { result } = await called(options, async (io) => {
    const { config } = await loadSettings({ config: options.config ?? [], set: options.set ?? [] }, io);
    const specs = await loadSpecs(options.specs ?? config.specs, io, config);
    const judging = await openJudging({ config, mode: undefined, specs, sampleEnsemble: null, env: io.env });
    const { reference } = openReferences(specs, config);
    const live = await started(() =>
      startCollectorProcess({
        settings: collectorSettings(config, specs),
        specs,
        judgeSkipPolicy: judging.judgeSkipPolicy,
        userChecks: judging.userChecks,
        reference,
        baselineDir: config.baselineDir,
        judging: judging.asking && { asking: judging.asking, abort: judging.abort },
        log: createLog({ level: "silent", format: "json" }),
        ...(onVerdict === undefined
          ? {}
          : { onJudged: ({ verdicts }) => verdicts.forEach((verdict) => onVerdict(verdictJson(verdict))) }),
      }),
    );
    return { live, judging };
  });
  const { live, judging } = result;
  let stopped: Promise<void> | undefined;
  const stop = async (timeoutMs: number): Promise<void> => {
    await live.stop(timeoutMs);
    await judging.close();
  };
  return {
    listening: live.listening,
    whenIdle: () => live.whenIdle(),
    stop: (timeoutMs = STOP_MS) => (stopped ??= stop(timeoutMs)),
  };
}
