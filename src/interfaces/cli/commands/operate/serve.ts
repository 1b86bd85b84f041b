import { themeOf } from "../../../../replay/reports/print-report.ts";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readPageFiles } from "../../../api/page/page-files.ts";
import { printJson } from "../../../../config/reference/print.ts";
import { withoutPretenuring } from "../../../../receive/admission/garbage.ts";
import { escapeControls } from "../../../../support/structures/control-characters.ts";
import { type Config, DEFAULT_DATA_DIR } from "../../../../config/config.ts";
import { reachableUrl } from "../../../../config/reachable-url.ts";
import { hiddenFromGit } from "../../../../support/process/hidden-from-git.ts";
import { packageFolder } from "../../../../support/process/package-folder.ts";
import type { JudgedRun } from "../../../../pipeline/judge-run.ts";
import { createLog } from "../../../../support/telemetry/log/log.ts";
import { ExitCode, type Io, write } from "../../../../support/process/io.ts";
import {
  demoBeginning,
  demoSettings,
  demoSpecs,
  ownAgentLines,
  sendRecordings,
} from "../../../../collector/terminal/demo.ts";
import { FirstRuns } from "../../../../collector/terminal/first-runs.ts";
import { FailedVerdicts } from "../../../../collector/terminal/failed-verdicts.ts";
import { logFirstSteps } from "../../../../collector/terminal/first-steps.ts";
import { judgedLines } from "../../../../collector/terminal/judged-lines.ts";
import { collectorSettings, started } from "../../../../collector/settings/settings.ts";
import { startCollectorProcess } from "../../../../collector/collector.ts";
import { removeUnusedDataFolder } from "../../../../collector/unused-data-folder.ts";
import type { Collector } from "../../../../collector/inputs/live-port.ts";
import { AssemblingLine } from "../../../../collector/terminal/assembling-line.ts";
import { openJudgedBy } from "../../../../collector/evaluation/judged-by.ts";
import { type Loaded, ConfigReloader } from "../../../../collector/settings/config-reloader.ts";
import { stopSignal } from "../../../../collector/stop-signal.ts";
import { fitsNothingYet, specFolders } from "../../../../config/find/find-specs.ts";
import { type ConfigFlags, loadSpecs, readConfig } from "../../../../config/command-settings.ts";

export interface ServeOptions extends ConfigFlags {
  readonly spec: readonly string[];
  readonly demo?: boolean;
}

const LINGER_MS = 1_000;

/**
 * Runs the collector until it is stopped. Prints its addresses as one JSON line on stdout, except on a
 * terminal. All other output goes to stderr.
 */
export async function serve(options: ServeOptions, io: Io): Promise<ExitCode> {
  const demo = options.demo === true && options.config.length === 0;
  let shownConfig = "{}";
  let hadSpecs = false;
  const load = async (): Promise<Loaded> => {
    const read = await readConfig(options, io);
    const { config, secrets } = read;
    const named = options.spec.length > 0 ? options.spec : demo ? demoSpecs() : config.specs;
    const files = new Set(options.config);
    // The collector also starts without a spec, and then only lists runs. So a glob or folder in the configuration may contain no spec at
    // first. Once specs were loaded, a missing spec is an error.
    const isStrict = hadSpecs || options.spec.length > 0 || demo;
    const awaited = isStrict ? [] : named.filter((value) => fitsNothingYet(value, io.cwd));
    const found = named.filter((value) => !awaited.includes(value));
    const specs = found.length === 0 ? [] : await loadSpecs(found, io, config, (file) => files.add(file));
    hadSpecs = specs.length > 0;
    shownConfig = printJson(read);
    return { config, secrets, specs, files: [...files], specFolders: specFolders(named, io.cwd) };
  };
  const begun = await load();
  const { config, specs } = begun;
  const theme = themeOf(io, io.stderr);
  const { logLevel, logFormat } = config.telemetry;
  let { secrets } = begun;
  const terminal = new AssemblingLine(io.stderr);
  const log = createLog({ level: logLevel, format: logFormat, secrets: () => secrets, stream: terminal });
  const watched = demo || io.stderr.isTTY;
  const hideData = hiddenFromGit(config.dataDir, io.cwd, config.dataDir === DEFAULT_DATA_DIR);
  const dataFolder = resolve(io.cwd, config.dataDir);
  const isNewFolder = !existsSync(dataFolder);
  let addresses: Addresses = { http: null, admin: null };
  const first = new FirstRuns(log, config.export.content, () => addresses.admin);
  const failed = new FailedVerdicts(log, config.export.content);
  const opened = await openJudgedBy(config, specs, io.env);
  let renewing: ConfigReloader | undefined;
  for (const warning of opened.warnings) log.warn(warning);
  const settings = collectorSettings(config, specs);
  const live = await started(async () =>
    startCollectorProcess({
      settings: demo ? await demoSettings(settings) : settings,
      ...opened.by,
      page: readPageFiles(fileURLToPath(new URL("dist/page", packageFolder()))),
      shownConfig: () => shownConfig,
      reloading: {
        last: () => renewing?.last ?? null,
        now: () => renewing?.now("a request to the API") ?? Promise.resolve(null),
      },
      log,
      onJudged: watched
        ? (judged: JudgedRun) => {
            const step = first.nextStep(judged);
            const next = step === null ? "" : `  → ${step}\n`;
            terminal.write(escapeControls(`${judgedLines(judged, theme)}${next}`));
          }
        : (judged: JudgedRun) => {
            first.log(judged);
            failed.add(judged);
          },
    }),
  ).catch((error: unknown) => {
    // The folder can be removed, because a collector that did not start has received no telemetry. Without a journal it stays, because no
    // lock would show that another collector uses it.
    if (isNewFolder && config.journal.durability !== "memory") removeUnusedDataFolder(dataFolder);
    throw error;
  });
  hideData();
  // Disables V8's pretenuring only after all code is loaded, and restores it before the process ends. Node stores V8's flags with compiled
  // code, and uses the code only with the same flags.
  const restorePretenuring = withoutPretenuring();
  const stopped = stopSignal();
  renewing = new ConfigReloader({
    live,
    begun,
    opened,
    load,
    log,
    env: io.env,
    onSecrets: (more) => (secrets = more),
  });
  // On a terminal, the addresses are in the start message instead of a JSON line.
  const isSeen = io.stdout.isTTY && io.stderr.isTTY;
  if (!isSeen) await write(io.stdout, `${JSON.stringify({ listening: live.listening })}\n`);
  addresses = addressesOf(live, config);
  const status = io.stderr.isTTY ? terminal.follow(live) : undefined;
  if (demo) {
    terminal.write(demoBeginning(live.listening, addresses.admin, settings));
    await showDemo(live, addresses, terminal);
  } else if (io.stderr.isTTY) terminal.write(addressLines(addresses));
  const specNames = specs.map(({ name }) => name);
  log.info(isSeen ? { specs: specNames } : { listening: live.listening, specs: specNames }, "ready");
  const firstSteps = logFirstSteps(live, addresses.admin, log);
  const signal = await stopped;
  firstSteps.stop();
  status?.stop();
  log.info({ signal }, "stopping");
  const isProcess = io.stdout === process.stdout;
  // If stopping takes too long, the process exits anyway. With a journal, nothing is lost, because the journal contains the accepted
  // telemetry.
  if (isProcess) setTimeout(() => process.exit(ExitCode.passed), config.stopTimeoutMs).unref();
  await live.stop(config.stopTimeoutMs);
  await renewing.close();
  restorePretenuring();
  // Exits after a short time, because a Kafka client that waits for an unreachable broker would keep the process running.
  if (config.kafka !== null && isProcess) {
    setTimeout(() => process.exit(ExitCode.passed), LINGER_MS).unref();
  }
  return ExitCode.passed;
}

/** Addresses on which this process listens. An address is null if the port is off. */
interface Addresses {
  readonly http: string | null;
  readonly admin: string | null;
}

function addressesOf({ listening: { http, admin } }: Collector, { security }: Config): Addresses {
  return {
    http: http === null ? null : reachableUrl(http, security.receiveTls !== null),
    admin: admin === null ? null : reachableUrl(admin, security.adminTls !== null),
  };
}

/** Returns the start message: the URL of the web page, and the environment variable to set for an agent. */
function addressLines({ http, admin }: Addresses): string {
  return [
    "",
    ...(admin === null ? [] : [` page             ${admin}/`]),
    ...(http === null ? [] : [` point an agent   export OTEL_EXPORTER_OTLP_ENDPOINT=${http}`]),
    "\n",
  ].join("\n");
}

async function showDemo(
  live: Collector,
  { http, admin }: Addresses,
  terminal: AssemblingLine,
): Promise<void> {
  if (http === null) return;
  terminal.write("First, the collector judges three recorded runs. Their verdicts against specs/:\n\n");
  await sendRecordings(http);
  await live.whenIdle();
  terminal.write(`\n${ownAgentLines(http, admin)}`);
}
