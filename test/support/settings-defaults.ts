import type {
  ExportSettings,
  OtlpDestination,
  ScoresDestination,
  WebhookDestination,
} from "../../src/export/settings.ts";
import type { ForwardDestination } from "../../src/export/forward/settings.ts";
import type { JudgeServiceSettings, SpendLimit } from "../../src/judge/settings.ts";
import { outcomes } from "../../src/model/outcome.ts";

// The configuration's defaults; test/config/load.test.ts checks that they are equal.

export const destinationDefaults: Omit<OtlpDestination, "endpoint"> = {
  signals: ["logs", "traces", "metrics"],
  events: "both",
  headers: {},
  compression: "gzip",
  timeoutMs: 10_000,
};

export const webhookDefaults: Omit<WebhookDestination, "url"> = {
  on: "verdict",
  format: "json",
  headers: {},
  secret: null,
  outcomes,
  maxBatch: 100,
  maxDelayMs: 1000,
  timeoutMs: 10_000,
};

export const scoresDefaults: Omit<ScoresDestination, "kind" | "endpoint"> = {
  key: null,
  project: null,
  headers: {},
  names: ["tracejury.*"],
  on: "run",
  timeoutMs: 10_000,
  waitMs: 600_000,
};

export const exportDefaults: ExportSettings = {
  file: null,
  rotation: null,
  otlp: [],
  webhook: [],
  scores: [],
  kafka: null,
  link: null,
  queueBytes: 256 * 2 ** 20,
  span: "child",
  revisions: "final",
  content: false,
};

export const forwardDefaults: Omit<ForwardDestination, "endpoint"> = {
  protocol: "http",
  headers: {},
  passHeaders: [],
  timeoutMs: 10_000,
  queueBytes: 2 ** 30,
  maxElapsedMs: 300_000,
  hold: null,
};

const unlimited: SpendLimit = { tokens: null, usd: null };

export const judgeDefaults: JudgeServiceSettings = {
  mode: "auto",
  model: null,
  providers: new Map(),
  concurrency: 4,
  requestsPerMinute: null,
  tokensPerMinute: null,
  timeoutMs: 60_000,
  retries: 2,
  budget: { run: unlimited, hour: unlimited },
  cache: null,
  isOwnCache: false,
  rubrics: [],
  audits: null,
  maxText: 48_000,
};
