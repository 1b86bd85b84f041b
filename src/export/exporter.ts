import type { JudgeCall } from "../judge/limits/scheduler.ts";
import { escapeControls } from "../support/structures/control-characters.ts";
import type { Verdict } from "../model/verdict.ts";
import { type ExportEvents, silentEvents } from "./records/export-events.ts";
import { createFileExporter } from "./file/file-exporter.ts";
import {
  offerSpans,
  openDestinations,
  type OtlpOptions,
  otlpSink,
  wantedShapes,
} from "./otlp/destination.ts";
import { signalUrl } from "./otlp/endpoint.ts";
import { encodeJudgeSpan } from "./otlp/encode.ts";
import { createKafkaSink } from "./kafka/kafka.ts";
import { kafkajsTopic } from "./kafka/kafkajs-topic.ts";
import type { VerdictTopic } from "./kafka/verdict-topic.ts";
import { judgeSpan } from "./records/judge-span.ts";
import { noDiskQueues, type DiskQueues } from "./queue/open-disk-queues.ts";
import type { ExportSettings, KafkaDestination, ScoresDestination, WebhookDestination } from "./settings.ts";
import { RevisionPolicy } from "./revision-policy.ts";
import { createScores } from "./scores/scores.ts";
import { webhookVerdict } from "./webhook/verdict-body.ts";
import { type Offer, queueSink, type VerdictSink } from "./verdict-sink.ts";
import { createWebhook, type Webhook } from "./webhook/webhook.ts";

export interface VerdictExporterOptions extends OtlpOptions {
  /** Returns the verdict as a line of the verdict file (JSON, without a line break). */
  readonly render: (verdict: Verdict) => string;
  /** Milliseconds for which a revision waits before it is sent, because late spans can cause a later revision that replaces it. */
  readonly lateWindowMs: number;
  readonly events?: ExportEvents;
  readonly now?: () => number;
  /** Disk queues for records that could not be delivered. If absent, undelivered records wait in memory. */
  readonly diskQueues?: DiskQueues;
  /** Opens the Kafka topic for verdicts. The default uses kafkajs. */
  readonly openTopic?: (destination: KafkaDestination) => VerdictTopic;
  /** Private networks to which webhooks may connect. */
  readonly allowedNetworks?: readonly string[];
}

/** Exports verdicts as OTLP log records and spans, webhook requests, scores, Kafka messages, and lines of a file. */
export interface VerdictExporter {
  /** Accepts a verdict or a revision of a verdict, and returns at once. Records that cannot be queued are dropped and counted. */
  publish(verdict: Verdict, options?: PublishOptions): void;
  /** Exports a request to a judge model as a span. */
  publishJudgeCall(call: JudgeCall): void;
  /**
   * Sends a change of a query's pass rate, cost, latency or tokens to the webhooks with `on: change`.
   * @param done called when each of these webhooks has received, stored or dropped the change
   */
  publishChange(change: object, done: () => void): void;
  /**
   * Checks a new list of private networks to which webhooks may connect. Returns a function that activates the new list and never throws.
   * @throws SecurityError if a network is invalid
   * @throws BlockedAddressError if a webhook has a private address that is in none of the new networks
   */
  prepareNetworks(allowedNetworks: readonly string[]): () => void;
  /** Whether verdicts arrive faster than they are sent, so that verdicts may be dropped soon. */
  isBehind(): boolean;
  /** Attempts to deliver all accepted records. Does not wait for an unreachable destination. */
  flush(): Promise<void>;
  /** Sends the held revisions, and delivers records until all are sent or the time-out is over. Accepts no verdict afterwards. */
  close(timeoutMs: number): Promise<void>;
}

export interface PublishOptions {
  /**
   * Called when the verdict's run can be released: every destination has received, stored or dropped the verdict. Also called if the
   * verdict is not sent, for example because a later revision replaces it. Not called if the process ends while a record of the verdict is
   * only in memory.
   */
  readonly done?: () => void;
  readonly isInFile?: boolean;
  readonly maybeSent?: boolean;
}

/** The encoded records of a verdict for all outputs. */
interface PreparedVerdict {
  readonly offers: readonly Offer[];
  readonly done: (() => void) | undefined;
}

const SEND_HELD_EVERY_MS = 1000;

/**
 * Creates an exporter to all configured outputs.
 * @throws EndpointError if a destination is not a valid address, or is a listener of this process
 * @throws BlockedAddressError if a webhook has a private address that is not allowed
 */
export function createVerdictExporter(options: VerdictExporterOptions): VerdictExporter {
  const { settings, events = silentEvents, now = Date.now, diskQueues = noDiskQueues } = options;
  // A monotonic clock. With the system clock, revisions would be held for too long after that clock was set back.
  const elapsedMs = options.now ?? ((): number => performance.now());
  const common = { ...options, listeners: options.listeners ?? [], events, now, diskQueues };
  const destinations = openDestinations(options, events, diskQueues);
  const shapes = wantedShapes(destinations, settings);
  const webhooks = openWebhooks(common);
  const sinks: readonly VerdictSink[] = [
    ...(shapes === undefined ? [] : [otlpSink(destinations, shapes, now)]),
    ...webhooks,
    ...openScores(common),
    ...openKafka(common),
    ...openFile(common),
  ];
  const policy = new RevisionPolicy<PreparedVerdict>(settings.revisions, options.lateWindowMs);
  const prepare = (
    verdict: Verdict,
    { done, isInFile = false, maybeSent = false }: PublishOptions,
  ): PreparedVerdict => ({
    offers: sinks.flatMap((sink) => sink.prepare(verdict, { isInFile, maybeSent }) ?? []),
    done,
  });
  const send = ({ offers, done }: PreparedVerdict): void => {
    const ways = afterAll(done);
    const sent = ways.one();
    for (const offer of offers) offer(() => ways.one());
    sent();
  };
  /** Held revision of each verdict, by verdict id. A later revision replaces an earlier revision. */
  const held = new Map<string, PreparedVerdict>();
  const hold = (verdictId: string, prepared: PreparedVerdict): void => {
    held.get(verdictId)?.done?.();
    held.set(verdictId, prepared);
    sendHeld(policy.hold(verdictId, prepared, elapsedMs()));
  };
  const sendHeld = (released: readonly PreparedVerdict[]): void => {
    for (const prepared of released) send(prepared);
    if (released.length > 0) forget(held, new Set(released));
  };
  const release = setInterval(() => sendHeld(policy.due(elapsedMs())), SEND_HELD_EVERY_MS).unref();
  let open = true;
  return {
    publish: (verdict, about = {}) => {
      if (!open) return;
      const decision = policy.decide(verdict.revision);
      if (decision === "leave" || sinks.length === 0) return about.done?.();
      const prepared = prepare(verdict, about);
      if (decision === "send") send(prepared);
      else hold(verdict.verdictId, prepared);
    },
    publishJudgeCall: (call) => {
      const traced = open && destinations.some(({ traces }) => traces !== undefined);
      if (traced) offerSpans(destinations, [encodeJudgeSpan(judgeSpan(call))]);
    },
    publishChange: (change, done) => {
      if (!open) return;
      const ways = afterAll(done);
      const sent = ways.one();
      const record = jsonBytes(JSON.stringify(change));
      for (const webhook of webhooks) webhook.offerChange(record, () => ways.one());
      sent();
    },
    prepareNetworks: (networks) => {
      const renewals = webhooks.map((webhook) => webhook.prepareNetworks(networks));
      return () => renewals.forEach((renew) => renew());
    },
    isBehind: () => sinks.some((sink) => sink.isBehind()),
    flush: async () => {
      await Promise.all(sinks.map((sink) => sink.flush()));
    },
    close: async (timeoutMs) => {
      if (!open) return;
      open = false;
      clearInterval(release);
      sendHeld(policy.drain());
      await Promise.all(sinks.map((sink) => sink.close(timeoutMs)));
      await diskQueues.close();
    },
  };
}

type Common = VerdictExporterOptions &
  Required<Pick<VerdictExporterOptions, "listeners" | "events" | "now" | "diskQueues">>;

function openWebhooks(common: Common): readonly Webhook[] {
  return common.settings.webhook.map((destination, index) =>
    createWebhook({
      ...common,
      destination,
      key: `export.webhook[${index}]`,
      allowedNetworks: common.allowedNetworks ?? [],
      diskQueue: common.diskQueues.of(webhookName(destination)),
      recordOf: (verdict) => jsonBytes(webhookVerdict(verdict, common.settings.content)),
    }),
  );
}

function openScores(common: Common): readonly VerdictSink[] {
  const { content, link, scores } = common.settings;
  return scores.map((destination, index) =>
    createScores({
      ...common,
      destination,
      key: `export.scores[${index}]`,
      content,
      link,
      diskQueue: common.diskQueues.of(scoresName(destination)),
    }),
  );
}

function openKafka(common: Common): readonly VerdictSink[] {
  const { openTopic = openKafkajsTopic, settings } = common;
  const { kafka: destination, content } = settings;
  if (destination === null) return [];
  const diskQueue = common.diskQueues.of(kafkaName(destination));
  return [createKafkaSink({ ...common, destination, topic: openTopic(destination), content, diskQueue })];
}

function openFile(common: Common): readonly VerdictSink[] {
  const { render, settings, diskQueues } = common;
  const { file: path, rotation } = settings;
  if (path === null) return [];
  const queue = createFileExporter({ ...common, path, rotation, diskQueue: diskQueues.of(path) });
  return [queueSink(queue, (verdict, { isInFile }) => (isInFile ? undefined : jsonBytes(render(verdict))))];
}

function jsonBytes(text: string): Uint8Array {
  return Buffer.from(escapeControls(text));
}

/** Returns the names of all outputs: addresses and file paths. The disk queue of an output has the same name. */
export function outputNames({ file, otlp, webhook, scores, kafka, span }: ExportSettings): readonly string[] {
  const signals = ["logs", "traces"] as const;
  return [
    ...otlp.flatMap(({ endpoint, signals: wanted }, index) =>
      signals
        .filter((signal) => wanted.includes(signal) && (signal === "logs" || span !== "off"))
        .map((signal) => signalUrl(endpoint, signal, `export.otlp[${index}].endpoint`)),
    ),
    ...webhook.map(webhookName),
    ...scores.map(scoresName),
    ...(kafka === null ? [] : [kafkaName(kafka)]),
    ...(file === null ? [] : [file]),
  ];
}

/** Returns the name of a webhook's queue. The name contains `on`, because one address can have two queues: for verdicts and for changes. */
function webhookName({ url, on }: WebhookDestination): string {
  return on === "verdict" ? url : `${url}#changes`;
}

/** Returns the name of a score backend's queue. The name differs from those of OTLP destinations and webhooks with the same address. */
function scoresName({ kind, endpoint }: ScoresDestination): string {
  return `${endpoint}#${kind}-scores`;
}

function kafkaName({ brokers, topic }: KafkaDestination): string {
  return `kafka://${brokers[0] ?? ""}/${topic}`;
}

/** Opens a topic with kafkajs. Drops kafkajs's own log messages, because the exporter already reports each failed operation. */
function openKafkajsTopic(destination: KafkaDestination): VerdictTopic {
  return kafkajsTopic(destination, () => undefined);
}

/** Calls `done` once, when every callback that `one()` created was called. */
function afterAll(done: (() => void) | undefined): { one(): () => void } {
  let open = 0;
  return {
    one() {
      open++;
      return () => {
        if (--open === 0) done?.();
      };
    },
  };
}

function forget(held: Map<string, PreparedVerdict>, released: ReadonlySet<PreparedVerdict>): void {
  for (const [verdictId, prepared] of held) if (released.has(prepared)) held.delete(verdictId);
}
