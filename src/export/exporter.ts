import type { JudgeCall } from "../judge/limits/scheduler.ts";
import { escapeControls } from "../support/structures/control-characters.ts";
import type { Verdict } from "../model/verdict.ts";
import { type ExportEvents, silentEvents } from "./records/export-events.ts";
import { createFileExporter } from "./file/file-exporter.ts";
import {
  offerSpans,
  offerVerdict,
  openDestinations,
  type OtlpOptions,
  wantedShapes,
} from "./otlp/destination.ts";
import { signalUrl } from "./otlp/endpoint.ts";
import { encodeJudgeSpan } from "./otlp/encode.ts";
import { type EncodedVerdict, encodeVerdict } from "./otlp/encode-verdict.ts";
import { createKafkaQueue } from "./kafka/kafka.ts";
import { kafkajsTopic } from "./kafka/kafkajs-topic.ts";
import type { VerdictTopic } from "./kafka/verdict-topic.ts";
import { judgeSpan } from "./records/judge-span.ts";
import { noDiskQueues, type DiskQueues } from "./queue/open-disk-queues.ts";
import type { ExportSettings, KafkaDestination, ScoresDestination, WebhookDestination } from "./settings.ts";
import { RevisionPolicy } from "./revision-policy.ts";
import { createScores } from "./scores/scores.ts";
import { webhookVerdict } from "./webhook/verdict-body.ts";
import { createWebhook } from "./webhook/webhook.ts";

export interface VerdictExporterOptions extends OtlpOptions {
  /** A verdict as the JSON object that files hold. */
  readonly render: (verdict: Verdict) => string;
  /** How long after a run's end late spans may still revise its verdict. */
  readonly lateWindowMs: number;
  readonly events?: ExportEvents;
  readonly now?: () => number;
  /** Where outputs keep what they cannot send; in memory when absent. */
  readonly diskQueues?: DiskQueues;
  /** Opens the topic of verdicts; with kafkajs when absent. */
  readonly openTopic?: (destination: KafkaDestination) => VerdictTopic;
  /** Private networks that webhooks may call. */
  readonly allowedNetworks?: readonly string[];
}

/** Sends verdicts out: OTLP log records and spans, posts to webhooks, scores, and lines of a file. */
export interface VerdictExporter {
  /** Takes a verdict, or a revision of one. Returns at once; what there is no room for is counted. */
  publish(verdict: Verdict, options?: PublishOptions): void;
  /** Takes a request to a judge, which is exported as a span beside the spans of verdicts. */
  publishJudgeCall(call: JudgeCall): void;
  /**
   * Takes a change of a query's level, for webhooks with `on: change`. `done` is called as that of a verdict; at once where there is no
   * such webhook.
   */
  publishChange(change: object, done: () => void): void;
  /** Whether verdicts come faster than they are sent. What is published then may be dropped for want of room. */
  isBehind(): boolean;
  /** Tries to deliver everything taken so far; a destination that is down does not hold it up. */
  flush(): Promise<void>;
  /** Sends held revisions, then delivers until done or the time is over. Nothing is taken afterwards. */
  close(timeoutMs: number): Promise<void>;
}

export interface PublishOptions {
  /** Called when every destination has it, has it on the disk, or has given it up. Not called for what is left over at the end. */
  readonly done?: () => void;
  /** It was written to the file before. */
  readonly isInFile?: boolean;
  /** An earlier process may have sent it. */
  readonly maybeSent?: boolean;
}

interface Sink {
  isBehind(): boolean;
  flush(): Promise<void>;
  close(timeoutMs: number): Promise<void>;
}

/** A verdict as it is sent: bytes, because the verdict itself would hold on to the bodies its run came in. */
interface QueuedVerdict {
  readonly otlp: EncodedVerdict | undefined;
  readonly line: Uint8Array | undefined;
  /** By webhook; undefined for one that does not want it. */
  readonly posts: readonly (Uint8Array | undefined)[];
  /** By destination of scores; undefined where none of the wanted ones is in the verdict. */
  readonly scores: readonly (Uint8Array | undefined)[];
  readonly message: Uint8Array | undefined;
  readonly done: (() => void) | undefined;
}

const SEND_HELD_EVERY_MS = 1000;

/**
 * @throws EndpointError for a destination that is no address, or one of our own listeners
 * @throws BlockedAddressError for a webhook to a private address that is not allowed
 */
export function createVerdictExporter(options: VerdictExporterOptions): VerdictExporter {
  const { settings, render, events = silentEvents, now = Date.now, diskQueues = noDiskQueues } = options;
  const destinations = openDestinations(options, events, diskQueues);
  const shapes = wantedShapes(destinations, settings);
  const { file: path, rotation } = settings;
  const file =
    path === null
      ? undefined
      : createFileExporter({ path, rotation, events, now, diskQueue: diskQueues.of(path) });
  const webhooks = settings.webhook.map((destination, index) =>
    createWebhook({
      destination,
      key: `export.webhook[${index}]`,
      version: options.version,
      listeners: options.listeners ?? [],
      allowedNetworks: options.allowedNetworks ?? [],
      events,
      diskQueue: diskQueues.of(webhookName(destination)),
      now,
    }),
  );
  const scores = settings.scores.map((destination, index) =>
    createScores({
      destination,
      key: `export.scores[${index}]`,
      version: options.version,
      listeners: options.listeners ?? [],
      content: settings.content,
      link: settings.link,
      events,
      diskQueue: diskQueues.of(scoresName(destination)),
      now,
    }),
  );
  const { openTopic = openKafkajsTopic } = options;
  const kafka =
    settings.kafka === null
      ? undefined
      : createKafkaQueue({
          destination: settings.kafka,
          topic: openTopic(settings.kafka),
          content: settings.content,
          events,
          diskQueue: diskQueues.of(kafkaName(settings.kafka)),
        });
  const sinks: readonly (Sink | undefined)[] = [
    ...destinations.flatMap(({ logs, traces }) => [logs, traces]),
    ...webhooks,
    ...scores,
    kafka,
    file,
  ];
  const policy = new RevisionPolicy<QueuedVerdict>(settings.revisions, options.lateWindowMs);
  const prepare = (
    verdict: Verdict,
    { done, isInFile, maybeSent = false }: PublishOptions,
  ): QueuedVerdict => ({
    otlp: shapes === undefined ? undefined : encodeVerdict(verdict, shapes, now()),
    line: file === undefined || isInFile === true ? undefined : jsonBytes(render(verdict)),
    posts: postsOf(verdict),
    scores: scores.map((one) => one.recordOf(verdict)),
    message: kafka?.recordOf(verdict, maybeSent),
    done,
  });
  const postsOf = (verdict: Verdict): readonly (Uint8Array | undefined)[] => {
    const wanted = webhooks.map((webhook) => webhook.wants(verdict));
    const post = wanted.includes(true) ? jsonBytes(webhookVerdict(verdict, settings.content)) : undefined;
    return wanted.map((wants) => (wants ? post : undefined));
  };
  const send = ({ otlp, line, posts, scores: records, message, done }: QueuedVerdict): void => {
    const ways = afterAll(done);
    const sent = ways.one();
    if (otlp !== undefined) offerVerdict(destinations, otlp, () => ways.one());
    for (const [index, webhook] of webhooks.entries()) {
      const post = posts[index];
      if (post !== undefined) webhook.offer([post], ways.one());
    }
    for (const [index, one] of scores.entries()) {
      const record = records[index];
      if (record !== undefined) one.offer([record], ways.one());
    }
    if (message !== undefined) kafka?.offer([message], ways.one());
    if (line !== undefined) file?.offer([line], ways.one());
    sent();
  };
  /** The event when a held revision is replaced by a later one. */
  const held = new Map<string, QueuedVerdict>();
  const hold = (verdictId: string, prepared: QueuedVerdict): void => {
    held.get(verdictId)?.done?.();
    held.set(verdictId, prepared);
    sendHeld(policy.hold(verdictId, prepared, now()));
  };
  const sendHeld = (released: readonly QueuedVerdict[]): void => {
    for (const prepared of released) send(prepared);
    if (released.length > 0) forget(held, new Set(released));
  };
  const release = setInterval(() => sendHeld(policy.due(now())), SEND_HELD_EVERY_MS).unref();
  let open = true;
  return {
    publish: (verdict, about = {}) => {
      if (!open) return;
      const decision = policy.decide(verdict.revision);
      if (decision === "leave" || sinks.every((sink) => sink === undefined)) return about.done?.();
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
      for (const webhook of webhooks) if (webhook.wantsChanges) webhook.offer([record], ways.one());
      sent();
    },
    isBehind: () => sinks.some((sink) => sink?.isBehind() === true),
    flush: async () => {
      await Promise.all(sinks.map(async (sink) => sink?.flush()));
    },
    close: async (timeoutMs) => {
      if (!open) return;
      open = false;
      clearInterval(release);
      sendHeld(policy.drain());
      await Promise.all(sinks.map(async (sink) => sink?.close(timeoutMs)));
      await diskQueues.close();
    },
  };
}

function jsonBytes(text: string): Uint8Array {
  return Buffer.from(escapeControls(text));
}

/** Names of the outputs that need a place for what they cannot send: their addresses, the file's path. */
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

/** Verdicts and changes may go to one address. */
function webhookName({ url, on }: WebhookDestination): string {
  return on === "verdict" ? url : `${url}#changes`;
}

/** Apart from an OTLP destination or a webhook of the same address. */
function scoresName({ kind, endpoint }: ScoresDestination): string {
  return `${endpoint}#${kind}-scores`;
}

function kafkaName({ brokers, topic }: KafkaDestination): string {
  return `kafka://${brokers[0] ?? ""}/${topic}`;
}

/** Failures are reported by the operations themselves, so kafkajs logs nothing. */
function openKafkajsTopic(destination: KafkaDestination): VerdictTopic {
  return kafkajsTopic(destination, () => undefined);
}

/** Calls `done` once every function it gave out has been called. */
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

function forget(held: Map<string, QueuedVerdict>, released: ReadonlySet<QueuedVerdict>): void {
  for (const [verdictId, prepared] of held) if (released.has(prepared)) held.delete(verdictId);
}
