import type { PageFiles } from "../../interfaces/api/page/page-files.ts";
import type { TraceTimeouts } from "../../assemble/timeouts/trace-timeouts.ts";
import type { UserCheckPort } from "../../evaluate/checks/user/user-check-port.ts";
import type { JudgeSkipPolicy } from "../../evaluate/judge/without-judge.ts";
import type { ExportSettings } from "../../export/settings.ts";
import type { JudgeCall } from "../../judge/limits/scheduler.ts";
import type { Sampling } from "../../pipeline/decisions.ts";
import type { Asking, JudgedRun, JudgeRunOptions } from "../../pipeline/judge-run.ts";
import type { PriceOverrides } from "../../model/price/price.ts";
import type { ModelReceiverSettings } from "../../config/config.ts";
import type { KafkaPort } from "../../receive/kafka/port.ts";
import type { KafkaSettings } from "../../receive/kafka/settings.ts";
import type { RedactionSettings } from "../../support/redact/redactor.ts";
import type { DialectTable } from "../../runs/dialect-table.ts";
import type { SecuritySettings } from "../../support/security/settings.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { StoreSettings } from "../../store/settings.ts";
import type { OwnTracesSettings } from "../../support/telemetry/traces/own-traces.ts";
import type { Log } from "../../support/telemetry/log/log.ts";
import type { ForwardSettings } from "../outputs/forwarding.ts";
import type { JournalSettings } from "../inputs/open-journal.ts";
import type { OutputQueueSettings } from "../outputs/outputs.ts";
import type { ReloadResult } from "./reload.ts";

export interface CollectorSettings {
  readonly http: string;
  readonly grpc: string;
  readonly admin: string;
  readonly maxBody: number;
  /** Null or absent: nothing is read from Kafka. */
  readonly kafka?: KafkaSettings | null;
  /** Null or absent: no model calls are passed on. */
  readonly models?: ModelReceiverSettings | null;
  /** Memory limit of the process in bytes. Without it, nothing is refused for lack of memory. */
  readonly memory?: number;
  /** Returns the tenant of a request; absent: the tenant is the credential. */
  readonly tenantHeader?: string | null;
  readonly timeouts: TraceTimeouts;
  /** As `idle` when absent. */
  readonly conversationIdleMs?: number;
  readonly export: ExportSettings;
  /** Without it, undelivered records wait in memory. */
  readonly outputQueues?: OutputQueueSettings | undefined;
  /** Which runs are evaluated; all when absent. */
  readonly sampling?: Sampling;
  /** Where telemetry is sent on to; absent: nowhere. */
  readonly forward?: ForwardSettings;
  readonly attributes: readonly string[];
  readonly prices: PriceOverrides;
  /** Attribute mappings of the configuration; none when absent. */
  readonly dialects?: readonly DialectTable[];
  readonly otelcolNames: boolean;
  /** Where traces of our own work go; nowhere when absent. */
  readonly traces?: OwnTracesSettings | null;
  /** Null or absent: what is open is lost when the process ends. */
  readonly journal?: JournalSettings | null;
  /** Everybody may come in when absent. */
  readonly security?: SecuritySettings;
  /** Nothing is redacted when absent. */
  readonly redact?: RedactionSettings;
  /** The last verdicts are held in memory when absent. */
  readonly store?: StoreSettings;
  /** Interval between two looks at the trend of each query; a day if absent. */
  readonly changesEveryMs?: number;
}

/** Specs and rubrics for judging, replaced as a whole when they change. */
export interface JudgedBy {
  readonly specs: readonly CompiledSpec[];
  readonly judgeSkipPolicy: JudgeSkipPolicy;
  /** Runs the checks of the project's own. */
  readonly userChecks?: UserCheckPort | undefined;
  /** Language models that judge; undefined for none. */
  readonly judging?: JudgingOptions | undefined;
  /** Baselines for comparison. */
  readonly reference?: JudgeRunOptions["reference"];
  /** Folder of saved runs; each spec's own when absent. */
  readonly baselineDir?: string | undefined;
  /** Receives requests to judges, so that they are exported as spans. */
  readonly judgeCalls?: JudgeCalls;
}

/** Called for each request to a judge; the exporter of spans sets it. */
export interface JudgeCalls {
  tell: (call: JudgeCall) => void;
}

export interface CollectorOptions extends JudgedBy {
  /** The page of the admin port. Default: a plain table. */
  readonly page?: PageFiles | undefined;
  /** The configuration as it takes effect, secrets masked, as JSON text; not shown when absent. */
  readonly shownConfig?: (() => string) | undefined;
  /** Reads specs and configuration again, when the API is asked to. */
  readonly reloading?: {
    readonly last: () => ReloadResult | null;
    readonly now: () => Promise<ReloadResult | null>;
  };
  readonly settings: CollectorSettings;
  readonly log: Log;
  readonly onJudged?: (judged: JudgedRun) => void;
  /** Instead of the client that speaks to brokers. */
  readonly kafkaPort?: KafkaPort;
}

/** Settings that can change while serving. */
export interface ConfigReload {
  readonly by: JudgedBy;
  readonly settings: CollectorSettings;
}

export interface JudgingOptions {
  readonly asking: Asking;
  /** Ends all questions that are still open. */
  readonly abort: () => void;
}
