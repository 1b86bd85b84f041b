import type { Verdict } from "../model/verdict.ts";
import { type ExportEvents, silentEvents } from "./export-events.ts";
import { createFileExporter } from "./file.ts";
import { offerVerdict, openDestinations, type OtlpOptions, wantedShapes } from "./otlp/destination.ts";
import { type EncodedVerdict, encodeVerdict } from "./otlp/encode-verdict.ts";
import { RevisionPolicy } from "./revision-policy.ts";

export interface VerdictExporterOptions extends OtlpOptions {
  /** A verdict as the JSON object that files hold. */
  readonly render: (verdict: Verdict) => object;
  /** How long after a run's end late spans may still revise its verdict. */
  readonly lateWindowMs: number;
  readonly events?: ExportEvents;
  readonly now?: () => number;
}

/** Sends verdicts out: OTLP log records and spans, and lines of a file. */
export interface VerdictExporter {
  /** Takes a verdict, or a revision of one. Returns at once; what there is no room for is counted. */
  publish(verdict: Verdict): void;
  /** Tries to deliver everything taken so far; a destination that is down does not hold it up. */
  flush(): Promise<void>;
  /** Sends held revisions, then delivers until done or the time is over. Nothing is taken afterwards. */
  close(timeoutMs: number): Promise<void>;
}

interface Sink {
  flush(): Promise<void>;
  close(timeoutMs: number): Promise<void>;
}

/** A verdict as it goes out: bytes, because the verdict itself would hold on to the bodies its run came in. */
interface Prepared {
  readonly otlp: EncodedVerdict | undefined;
  readonly line: string | undefined;
}

const releaseEveryMs = 1000;

/** @throws EndpointError for a destination that is no address, or one of our own listeners */
export function createVerdictExporter(options: VerdictExporterOptions): VerdictExporter {
  const { settings, render, events = silentEvents, now = Date.now } = options;
  const destinations = openDestinations(options, events);
  const shapes = wantedShapes(destinations, settings);
  const file = settings.file === null ? undefined : createFileExporter({ path: settings.file, events });
  const sinks: readonly (Sink | undefined)[] = [
    ...destinations.flatMap(({ logs, traces }) => [logs, traces]),
    file,
  ];
  const policy = new RevisionPolicy<Prepared>(settings.revisions, options.lateWindowMs);
  const prepare = (verdict: Verdict): Prepared => ({
    otlp: shapes === undefined ? undefined : encodeVerdict(verdict, shapes, now()),
    line: file === undefined ? undefined : JSON.stringify(render(verdict)),
  });
  const send = ({ otlp, line }: Prepared): void => {
    if (otlp !== undefined) offerVerdict(destinations, otlp);
    if (line !== undefined) file?.offer(line);
  };
  const release = setInterval(() => policy.due(now()).forEach(send), releaseEveryMs).unref();
  let open = true;
  return {
    publish: (verdict) => {
      const decision = policy.decide(verdict.revision);
      if (!open || decision === "leave" || sinks.every((sink) => sink === undefined)) return;
      const prepared = prepare(verdict);
      if (decision === "send") send(prepared);
      else policy.hold(verdict.verdictId, prepared, now()).forEach(send);
    },
    flush: async () => {
      await Promise.all(sinks.map(async (sink) => sink?.flush()));
    },
    close: async (timeoutMs) => {
      if (!open) return;
      open = false;
      clearInterval(release);
      policy.drain().forEach(send);
      await Promise.all(sinks.map(async (sink) => sink?.close(timeoutMs)));
    },
  };
}
