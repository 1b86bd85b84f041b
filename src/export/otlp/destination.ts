import type { Verdict } from "../../model/verdict.ts";
import type { ExportEvents } from "../export-events.ts";
import type { ExportSettings, OtlpDestination } from "../settings.ts";
import { type EvaluationResults, evaluationResults } from "../verdict-records.ts";
import { verdictSpan } from "../verdict-span.ts";
import { type EncodedAttributes, encodeAttributes, encodeLogRecord, encodeSpan } from "./encode.ts";
import { refuseOwnListener } from "./endpoint.ts";
import { createRequestEncoder } from "./request.ts";
import { createSender, type Sender } from "./sender.ts";

export interface OtlpOptions {
  readonly settings: ExportSettings;
  /** The engine's version: the scope's, and part of the user agent. */
  readonly version: string;
  /** Resource of what is sent, `service.name` and the like. */
  readonly resource: Readonly<Record<string, string>>;
  /** Addresses we listen on ourselves, as `host:port`; no destination may be one of them. */
  readonly listeners?: readonly string[];
}

/** A destination with a sender for each signal it takes. */
export interface Destination {
  readonly events: OtlpDestination["events"];
  readonly logs: Sender | undefined;
  readonly traces: Sender | undefined;
}

/** @throws EndpointError for a destination that is no address, or one of our own listeners */
export function openDestinations(options: OtlpOptions, events: ExportEvents): readonly Destination[] {
  const encode = createRequestEncoder(new Map(Object.entries(options.resource)), options.version);
  const userAgent = `tracejury/${options.version}`;
  return options.settings.otlp.map((destination, index) => {
    const key = `export.otlp[${index}]`;
    refuseOwnListener(destination.endpoint, options.listeners ?? [], `${key}.endpoint`);
    const open = (signal: "logs" | "traces"): Sender =>
      createSender({ destination, signal, key, encode, userAgent, events });
    const wantsLogs = destination.signals.includes("logs") && destination.events !== "span";
    const wantsSpan = destination.signals.includes("traces") && options.settings.span !== "off";
    return {
      events: destination.events,
      logs: wantsLogs ? open("logs") : undefined,
      traces: wantsSpan ? open("traces") : undefined,
    };
  });
}

/** Hands a verdict to every destination, encoding each shape once. */
export function offerVerdict(
  verdict: Verdict,
  { content, span }: ExportSettings,
  destinations: readonly Destination[],
  judgedUnixMs: number,
): void {
  if (destinations.length === 0) return;
  const said = evaluationResults(verdict, content);
  const common = encodeAttributes(said.common);
  const records = once(() => said.results.map((one) => encodeLogRecord(one, common, judgedUnixMs)));
  const spanWith = once(() => encodeVerdictSpan(verdict, said, common, span, true));
  const spanWithout = once(() => encodeVerdictSpan(verdict, said, common, span, false));
  for (const { events, logs, traces } of destinations) {
    logs?.offer(records());
    traces?.offer(events === "logs" ? spanWithout() : spanWith());
  }
}

function encodeVerdictSpan(
  verdict: Verdict,
  said: EvaluationResults,
  common: EncodedAttributes,
  placement: ExportSettings["span"],
  withEvents: boolean,
): readonly Uint8Array[] {
  if (placement === "off") return [];
  return [encodeSpan(verdictSpan(verdict, said, placement), common, withEvents ? said.results : [])];
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
