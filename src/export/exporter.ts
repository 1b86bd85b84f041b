import type { Verdict } from "../model/verdict.ts";
import type { Attributes } from "./attribute.ts";
import { type ExportEvents, silentEvents } from "./export-events.ts";
import { createFileExporter } from "./file.ts";
import { encodeAttributes, encodeLogRecord, encodeSpan } from "./otlp/encode.ts";
import { refuseOwnListener } from "./otlp/endpoint.ts";
import { createRequestEncoder } from "./otlp/request.ts";
import { createSender, type Sender } from "./otlp/sender.ts";
import { RevisionPolicy } from "./revision-policy.ts";
import type { ExportSettings, OtlpDestination } from "./settings.ts";
import { evaluationResults } from "./verdict-records.ts";
import { verdictSpan } from "./verdict-span.ts";

export interface VerdictExporterOptions {
  readonly settings: ExportSettings;
  /** The engine's version: the scope's, and part of the user agent. */
  readonly version: string;
  /** Resource of what is sent, `service.name` and the like. */
  readonly resource: Attributes;
  /** A verdict as the JSON object that files hold. */
  readonly render: (verdict: Verdict) => object;
  /** How long after a run's end late spans may still revise its verdict. */
  readonly lateWindowMs: number;
  /** Addresses we listen on ourselves, as `host:port`; no destination may be one of them. */
  readonly listeners?: readonly string[];
  readonly events?: ExportEvents;
  readonly now?: () => number;
}

/** Sends verdicts out: OTLP log records and spans, and lines of a file. */
export interface VerdictExporter {
  /** Takes a verdict, or a revision of one. Returns at once and never throws; what cannot be kept is counted. */
  publish(verdict: Verdict): void;
  /** Tries to deliver everything taken so far; a destination that is down does not hold it up. */
  flush(): Promise<void>;
  /** Sends held revisions, then delivers until done or the time is over. Nothing is taken afterwards. */
  close(timeoutMs: number): Promise<void>;
}

/** @throws EndpointError for a destination that is no address, or one of our own listeners */
export function createVerdictExporter(options: VerdictExporterOptions): VerdictExporter {
  const { settings, events = silentEvents, now = Date.now } = options;
  const destinations = settings.otlp.map((one, index) => openDestination(one, index, options, events));
  const file = settings.file === null ? undefined : createFileExporter({ path: settings.file, events });
  const policy = new RevisionPolicy(settings.revisions, options.lateWindowMs);
  const send = (verdict: Verdict): void => {
    sendOtlp(verdict, settings, destinations, now());
    file?.write(JSON.stringify(options.render(verdict)));
  };
  const releaseHeld = setInterval(() => policy.due(now()).forEach(send), releaseEveryMs).unref();
  let closed = false;
  return {
    publish: (verdict) => {
      if (!closed && policy.admits(verdict, now())) send(verdict);
    },
    flush: () => settled([...sinks.map((sink) => sink.flush())]),
    close: async (timeoutMs) => {
      if (closed) return;
      closed = true;
      clearInterval(releaseHeld);
      policy.drain().forEach(send);
      await settled([...destinations.flatMap(senders).map((one) => one.close(timeoutMs)), file?.close()]);
    },
  };
}

const releaseEveryMs = 1000;

interface Destination {
  readonly settings: OtlpDestination;
  readonly logs: Sender | undefined;
  readonly traces: Sender | undefined;
}

function openDestination(
  destination: OtlpDestination,
  index: number,
  options: VerdictExporterOptions,
  events: ExportEvents,
): Destination {
  const key = `export.otlp[${index}]`;
  refuseOwnListener(destination.endpoint, options.listeners ?? [], `${key}.endpoint`);
  const encode = createRequestEncoder(options.resource, options.version);
  const userAgent = `tracejury/${options.version}`;
  const open = (signal: "logs" | "traces"): Sender =>
    createSender({ destination, signal, key, encode, userAgent, events });
  const wantsLogs = destination.signals.includes("logs") && destination.events !== "span";
  const wantsSpan = destination.signals.includes("traces") && options.settings.span !== "off";
  return {
    settings: destination,
    logs: wantsLogs ? open("logs") : undefined,
    traces: wantsSpan ? open("traces") : undefined,
  };
}

function senders({ logs, traces }: Destination): Sender[] {
  return [logs, traces].filter((sender) => sender !== undefined);
}

/** Encodes once for all destinations. */
function sendOtlp(
  verdict: Verdict,
  { content, span }: ExportSettings,
  destinations: readonly Destination[],
  judgedUnixMs: number,
): void {
  if (destinations.length === 0) return;
  const said = evaluationResults(verdict, content);
  const common = encodeAttributes(said.common);
  let records: readonly Uint8Array[] | undefined;
  const spans = new Map<boolean, Uint8Array>();
  for (const { settings, logs, traces } of destinations) {
    if (logs !== undefined) {
      records ??= said.results.map((result) => encodeLogRecord(result, common, judgedUnixMs));
      logs.offer(records);
    }
    if (traces === undefined || span === "off") continue;
    const withEvents = settings.events !== "logs";
    let encoded = spans.get(withEvents);
    if (encoded === undefined) {
      encoded = encodeSpan(verdictSpan(verdict, said, span), common, withEvents ? said.results : []);
      spans.set(withEvents, encoded);
    }
    traces.offer([encoded]);
  }
}

async function settled(work: readonly (Promise<void> | undefined)[]): Promise<void> {
  await Promise.all(work);
}
