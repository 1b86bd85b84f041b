import type { ExportEvents } from "../records/export-events.ts";
import type { ExportSettings, OtlpDestination } from "../settings.ts";
import type { VerdictSink } from "../verdict-sink.ts";
import { encodeVerdict, type Shapes } from "./encode-verdict.ts";
import { refuseOwnListener, signalUrl } from "./endpoint.ts";
import { failedBatchLimits } from "../queue/backend-down.ts";
import { createDeliveryQueue, type DeliveryQueue } from "../queue/delivery-queue.ts";
import type { DiskQueues } from "../queue/open-disk-queues.ts";
import { createHttpTransport, sendResultOf } from "./http-transport.ts";
import { delivered } from "./partial-success.ts";
import { ownScope } from "../../model/telemetry/own-scope.ts";
import type { Attributes } from "../records/attribute.ts";
import { encodeAttributes, writeAttributes } from "./attribute-block.ts";
import { ProtobufWriter } from "./protobuf-writer.ts";

/** Schema URL of the semantic conventions that define the exported attributes. */
const schemaUrl = "https://opentelemetry.io/schemas/1.41.0";

interface SenderOptions {
  readonly destination: OtlpDestination;
  readonly signal: "logs" | "traces";
  /** Configuration key of the destination, for messages. */
  readonly key: string;
  readonly encode: RequestEncoder;
  readonly userAgent: string;
  readonly events: ExportEvents;
  readonly diskQueues: DiskQueues;
}

export interface OtlpOptions {
  readonly settings: ExportSettings;
  /** Version of Tracejury, for the scope and the user agent. */
  readonly version: string;
  /** Resource attributes of the exported telemetry, such as `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
  /**
   * Addresses of this process's listeners as `host:port`. Sending to a listener of this process is refused, because this process would
   * receive its own exports.
   */
  readonly listeners?: readonly string[];
}

/** An OTLP destination, with a queue for each signal that it accepts. */
export interface Destination {
  readonly events: OtlpDestination["events"];
  readonly logs: DeliveryQueue | undefined;
  readonly traces: DeliveryQueue | undefined;
}

/**
 * Opens the queues of all OTLP destinations.
 *
 * @throws EndpointError if a destination is not a valid address, or is a listener of this process
 */
export function openDestinations(
  options: OtlpOptions,
  events: ExportEvents,
  diskQueues: DiskQueues,
): readonly Destination[] {
  const encode = createRequestEncoder(new Map(Object.entries(options.resource)), options.version);
  const userAgent = `tracejury/${options.version}`;
  return options.settings.otlp.map((destination, index) => {
    const key = `export.otlp[${index}]`;
    refuseOwnListener(destination.endpoint, options.listeners ?? [], `${key}.endpoint`);
    const open = (signal: "logs" | "traces"): DeliveryQueue =>
      createSender({ destination, signal, key, encode, userAgent, events, diskQueues });
    const wantsLogs = destination.signals.includes("logs") && destination.events !== "span";
    const wantsSpan = destination.signals.includes("traces") && options.settings.span !== "off";
    return {
      events: destination.events,
      logs: wantsLogs ? open("logs") : undefined,
      traces: wantsSpan ? open("traces") : undefined,
    };
  });
}

/** Returns the kinds of records (log records, span events) that at least one destination needs; undefined if no records are needed. */
export function wantedShapes(
  destinations: readonly Destination[],
  { span, content }: ExportSettings,
): Shapes | undefined {
  const withoutEvents = (one: Destination): boolean => one.events === "logs";
  const logs = destinations.some((one) => one.logs !== undefined);
  const traced = destinations.filter((one) => one.traces !== undefined);
  if (!logs && traced.length === 0) return undefined;
  return {
    logs,
    spanWithEvents: traced.some((one) => !withoutEvents(one)),
    spanWithoutEvents: traced.some(withoutEvents),
    span,
    content,
  };
}

/** Creates one output for all destinations, so that each kind of record is encoded once for a verdict. */
export function otlpSink(
  destinations: readonly Destination[],
  shapes: Shapes,
  now: () => number,
): VerdictSink {
  const queues = destinations
    .flatMap(({ logs, traces }) => [logs, traces])
    .filter((one) => one !== undefined);
  return {
    isBehind: () => queues.some((queue) => queue.isBehind()),
    flush: async () => void (await Promise.all(queues.map((queue) => queue.flush()))),
    close: async (timeoutMs) => void (await Promise.all(queues.map((queue) => queue.close(timeoutMs)))),
    prepare: (verdict) => {
      const encoded = encodeVerdict(verdict, shapes, now());
      return (callback) => {
        for (const { events, logs, traces } of destinations) {
          logs?.offer(encoded.logs, callback());
          traces?.offer(events === "logs" ? encoded.spanWithoutEvents : encoded.spanWithEvents, callback());
        }
      };
    },
  };
}

/** Sends encoded spans that are no verdicts, such as calls of a judge model, to each destination that accepts spans. */
export function offerSpans(destinations: readonly Destination[], spans: readonly Uint8Array[]): void {
  for (const { traces } of destinations) traces?.offer(spans);
}

/** Creates a queue that sends encoded records of one signal to one destination. */
function createSender(options: SenderOptions): DeliveryQueue {
  const { destination, signal, events, diskQueues } = options;
  const url = signalUrl(destination.endpoint, signal, `${options.key}.endpoint`);
  const route = { exporter: "otlp_http", signal, destination: new URL(url).host } as const;
  const transport = createHttpTransport({ url, userAgent: options.userAgent, ...destination });
  return createDeliveryQueue({
    route,
    events,
    diskQueue: diskQueues.of(url),
    limits: { maxElapsedMs: failedBatchLimits.maxElapsedMs },
    closeTransport: () => transport.shutdown(),
    send: async (records) => {
      const response = await transport.send(options.encode(records), destination.timeoutMs);
      if (response.status !== "success") return sendResultOf(response);
      const result = delivered(signal, "protobuf", response.data);
      const { rejected = 0, message = "" } = result;
      if (rejected > 0) events.rejected({ ...route, records: rejected, why: message });
      return result;
    },
  });
}

/** Encodes a request body from records of one signal. */
type RequestEncoder = (records: readonly Uint8Array[]) => Uint8Array;

/**
 * Creates an encoder for ExportLogsServiceRequest and ExportTraceServiceRequest. One encoder suffices, because both request types have the
 * same field numbers for resource, scope and records.
 */
export function createRequestEncoder(resource: Attributes, version: string): RequestEncoder {
  const output = new ProtobufWriter();
  writeAttributes(output, 1, encodeAttributes(resource)); // attributes
  const resourceBytes = output.take();
  output.text(1, ownScope); // name
  output.text(2, version); // version
  const scopeBytes = output.take();
  return (records) => {
    output.bytes(1, scopeBytes); // scope
    for (const record of records) output.bytes(2, record); // log_records, spans
    output.text(3, schemaUrl); // schema_url
    const scoped = output.take();
    output.bytes(1, resourceBytes); // resource
    output.bytes(2, scoped); // scope_logs, scope_spans
    const grouped = output.take();
    output.bytes(1, grouped); // resource_logs, resource_spans
    return output.take();
  };
}
