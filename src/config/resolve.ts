import { defaultTraceTimeouts, type TraceTimeouts } from "../assemble/timeouts/trace-timeouts.ts";
import type { Rotation } from "../export/file/rotation.ts";
import type { ExportSettings, ScoresDestination, WebhookDestination } from "../export/settings.ts";
import type { ForwardDestination } from "../export/forward/settings.ts";
import type { JudgeServiceSettings, ProviderSettings } from "../judge/settings.ts";
import { outcomes } from "../model/outcome.ts";
import type { Config } from "./config.ts";
import type { DialectTable } from "../runs/facts/dialect-table.ts";
import type { SecuritySettings, TlsSettings } from "../support/security/settings.ts";
import type { StoreSettings } from "../store/settings.ts";
import { kafkaConnection, kafkaSettings, modelSettings } from "./resolve-receivers.ts";
import { parseDuration, parseSize } from "./quantities.ts";
import type { ConfigDocument } from "./schema.ts";
import { fieldsByName } from "./schema/dialects.ts";

/** Converts a validated configuration document into settings. */
export function resolveConfig(document: ConfigDocument): Config {
  const { receive, journal, limits, telemetry } = document;
  return {
    dataDir: document.data_dir,
    receive: { http: receive.http, grpc: receive.grpc, maxBody: bytes(receive.max_body) },
    kafka: kafkaSettings(document),
    models: modelSettings(document),
    admin: document.admin,
    watch: document.watch,
    stopTimeoutMs: milliseconds(document.stop_timeout),
    security: securitySettings(document.security),
    specs: document.specs,
    baseline: document.baseline ?? null,
    baselineDir: document.baseline_dir ?? null,
    assemble: timeouts(document.assemble),
    conversationIdleMs: milliseconds(document.assemble.conversation_idle ?? document.assemble.idle),
    journal: { durability: journal.durability, budget: bytes(journal.budget) },
    store: storeSettings(document),
    changesEveryMs: milliseconds(document.changes.every),
    redact: document.redact,
    limits: {
      memory: bytes(limits.memory),
      tenantHeader: limits.tenant_header?.toLowerCase() ?? null,
    },
    export: exportSettings(document.export),
    sampling: {
      ...document.sampling,
      agents: new Map(Object.entries(document.sampling.agents)),
      queries: new Map(Object.entries(document.sampling.queries)),
    },
    forward: document.forward.map(forwardDestination),
    judge: judgeSettings(document.judge),
    prices: document.prices,
    recordedModels: document.models,
    attributes: document.attributes,
    dialects: document.dialects.map(dialectTable),
    toolCategories: document.tool_categories,
    telemetry: {
      logLevel: telemetry.log_level,
      logFormat: telemetry.log_format,
      otelcolNames: telemetry.otelcol_names,
      traces: telemetry.traces ?? null,
    },
  };
}

function timeouts(assemble: ConfigDocument["assemble"]): TraceTimeouts {
  return {
    rootQuietMs: milliseconds(assemble.root_quiet),
    rootOpenMs: milliseconds(assemble.root_open),
    rootCapMs: milliseconds(assemble.root_cap),
    idleMs: milliseconds(assemble.idle),
    maxAgeMs: milliseconds(assemble.max_age),
    lateWindowMs: milliseconds(assemble.late_window),
    maxSpans: assemble.max_spans,
    maxBytes: bytes(assemble.max_bytes),
    lateBytes: bytes(assemble.late_bytes),
    forgottenIds: defaultTraceTimeouts.forgottenIds,
  };
}

function exportSettings(exported: ConfigDocument["export"]): ExportSettings {
  const {
    file = null,
    otlp,
    webhook,
    scores,
    link = null,
    kafka,
    queue,
    span,
    revisions,
    content,
  } = exported;
  return {
    file,
    rotation: rotation(exported.rotate),
    webhook: webhook.map(webhookDestination),
    scores: scores.map(scoresDestination),
    kafka:
      kafka === undefined
        ? null
        : { ...kafkaConnection(kafka), topic: kafka.topic, timeoutMs: milliseconds(kafka.timeout) },
    link,
    queueBytes: bytes(queue),
    otlp: otlp.map(({ timeout, ...destination }) => ({ ...destination, timeoutMs: milliseconds(timeout) })),
    span,
    revisions,
    content,
  };
}

function rotation({
  max_size: size,
  max_age: age,
  keep,
}: ConfigDocument["export"]["rotate"]): Rotation | null {
  if (size === undefined && age === undefined) return null;
  return {
    maxBytes: size === undefined ? null : bytes(size),
    maxAgeMs: age === undefined ? null : milliseconds(age),
    keep,
  };
}

function webhookDestination(written: ConfigDocument["export"]["webhook"][number]): WebhookDestination {
  const { url, on, format, headers, secret = null } = written;
  return {
    url,
    on,
    format,
    headers,
    secret,
    outcomes: written.outcomes ?? (format === "slack" ? ["fail", "error"] : outcomes),
    maxBatch: written.max_batch,
    maxDelayMs: milliseconds(written.max_delay),
    timeoutMs: milliseconds(written.timeout),
  };
}

function scoresDestination(written: ConfigDocument["export"]["scores"][number]): ScoresDestination {
  const { timeout, wait, ...destination } = written;
  return {
    ...destination,
    key: destination.key ?? null,
    project: destination.project ?? null,
    timeoutMs: milliseconds(timeout),
    waitMs: milliseconds(wait),
  };
}

function securitySettings(security: ConfigDocument["security"]): SecuritySettings {
  return {
    openWithoutAuth: security.open_without_auth,
    tokens: security.tokens.map(({ name = null, token = null, file = null, scopes }) => ({
      name,
      token,
      file,
      scopes,
    })),
    users: security.users.map(({ user, password = null, password_file: passwordFile = null, scopes }) => ({
      user,
      password,
      passwordFile,
      scopes,
    })),
    receiveTls: tlsSettings(security.receive_tls),
    adminTls: tlsSettings(security.admin_tls),
    allowedOrigins: security.allowed_origins,
    allowedHosts: security.allowed_hosts,
    allowedNetworks: security.allowed_networks,
  };
}

function storeSettings({ store, journal, data_dir: dataDir }: ConfigDocument): StoreSettings {
  const folder = dataDir.replace(/\/+$/, "");
  return {
    mode: store.mode,
    path: store.path ?? `${folder}/store.db`,
    postgres: {
      url: store.url ?? null,
      tls: store.tls,
      caFile: store.ca_file ?? null,
      workerFile: journal.durability === "memory" ? null : `${folder}/worker-id`,
    },
    telemetry: store.telemetry,
    retention: { maxAgeMs: milliseconds(store.max_age), maxBytes: bytes(store.max_size) },
    perSecond: store.max_per_second,
  };
}

function tlsSettings(tls: ConfigDocument["security"]["receive_tls"]): TlsSettings | null {
  if (tls === undefined) return null;
  return {
    certFile: tls.cert_file,
    keyFile: tls.key_file,
    clientCaFile: tls.client_ca_file ?? null,
    minVersion: `TLSv${tls.min_version}`,
  };
}

function forwardDestination(written: ConfigDocument["forward"][number]): ForwardDestination {
  const { endpoint, protocol, headers, hold } = written;
  return {
    endpoint,
    protocol,
    headers,
    passHeaders: written.pass_headers.map((name) => name.toLowerCase()),
    timeoutMs: milliseconds(written.timeout),
    queueBytes: bytes(written.queue),
    maxElapsedMs: milliseconds(written.max_elapsed),
    hold: hold === undefined ? null : holdSettings(hold),
  };
}

function holdSettings({
  max_wait: maxWait,
  events,
  keep,
}: NonNullable<ConfigDocument["forward"][number]["hold"]>): ForwardDestination["hold"] {
  return {
    maxWaitMs: milliseconds(maxWait),
    events,
    keep:
      keep === undefined
        ? null
        : {
            outcomes: keep.outcomes,
            errors: keep.errors,
            share: keep.share,
            slowMs: keep.slow === undefined ? null : milliseconds(keep.slow),
          },
  };
}

function judgeSettings(judge: ConfigDocument["judge"]): JudgeServiceSettings {
  const { run, hour } = judge.budget;
  return {
    mode: judge.mode,
    model: judge.model ?? null,
    providers: new Map(
      Object.entries(judge.providers).map(([name, provider]) => [name, providerSettings(provider)]),
    ),
    concurrency: judge.concurrency,
    requestsPerMinute: judge.requests_per_minute ?? null,
    tokensPerMinute: judge.tokens_per_minute ?? null,
    timeoutMs: milliseconds(judge.timeout),
    retries: judge.retries,
    budget: {
      run: { tokens: run.tokens ?? null, usd: run.usd ?? null },
      hour: { tokens: hour.tokens ?? null, usd: hour.usd ?? null },
    },
    cache: judge.cache ?? null,
    isOwnCache: false,
    rubrics: judge.rubrics,
    audits: judge.audits ?? null,
    maxText: judge.max_text,
  };
}

function providerSettings(provider: ConfigDocument["judge"]["providers"][string]): ProviderSettings {
  const { kind, base_url: baseUrl = null, key_env: keyEnv = null, auth = null } = provider;
  return { kind, baseUrl, keyEnv, auth };
}

function dialectTable({ fields, ...tables }: ConfigDocument["dialects"][number]): DialectTable {
  const byField = Object.entries(fields).flatMap(([name, attributes]) => {
    const field = fieldsByName.get(name as keyof typeof fields);
    return field === undefined ? [] : [[field, [attributes].flat()] as const];
  });
  return { ...tables, fields: Object.fromEntries(byField) };
}

function milliseconds(text: string): number {
  return parseDuration(text) ?? Number.NaN;
}

function bytes(text: string): number {
  return parseSize(text) ?? Number.NaN;
}
