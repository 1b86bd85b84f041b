import type { JudgeCall } from "../judge/scheduler.ts";
import type { Verdict } from "../model/verdict.ts";
import { type ExportEvents, silentEvents } from "./export-events.ts";
import { createFileExporter } from "./file.ts";
import {
  offerSpans,
  offerVerdict,
  openDestinations,
  type OtlpOptions,
  wantedShapes,
} from "./otlp/destination.ts";
import { encodeJudgeSpan } from "./otlp/encode.ts";
import { type EncodedVerdict, encodeVerdict } from "./otlp/encode-verdict.ts";
import { judgeSpan } from "./judge-span.ts";
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
  publish(verdict: Verdict, options?: PublishOptions): void;
  /** Takes a request to a judge, to be sent as a span of its own where verdicts' spans are. */
  publishJudgeCall(call: JudgeCall): void;
  /** Tries to deliver everything taken so far; a destination that is down does not hold it up. */
  flush(): Promise<void>;
  /** Sends held revisions, then delivers until done or the time is over. Nothing is taken afterwards. */
  close(timeoutMs: number): Promise<void>;
}

export interface PublishOptions {
  /** Called when everybody has got it, or it was given up. Not called for what is left over at the end. */
  readonly done?: () => void;
  /** It was written to the file before. */
  readonly isInFile?: boolean;
}

interface Sink {
  flush(): Promise<void>;
  close(timeoutMs: number): Promise<void>;
}

/** A verdict as it goes out: bytes, because the verdict itself would hold on to the bodies its run came in. */
interface Prepared {
  readonly otlp: EncodedVerdict | undefined;
  readonly line: string | undefined;
  readonly done: (() => void) | undefined;
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
  const prepare = (verdict: Verdict, { done, isInFile }: PublishOptions): Prepared => ({
    otlp: shapes === undefined ? undefined : encodeVerdict(verdict, shapes, now()),
    line: file === undefined || isInFile === true ? undefined : JSON.stringify(render(verdict)),
    done,
  });
  const send = ({ otlp, line, done }: Prepared): void => {
    const ways = afterAll(done);
    const sent = ways.one();
    if (otlp !== undefined) offerVerdict(destinations, otlp, () => ways.one());
    if (line !== undefined) file?.offer(line, ways.one());
    sent();
  };
  /** What to tell when a held revision is replaced by a later one. */
  const held = new Map<string, Prepared>();
  const hold = (verdictId: string, prepared: Prepared): void => {
    held.get(verdictId)?.done?.();
    held.set(verdictId, prepared);
    sendHeld(policy.hold(verdictId, prepared, now()));
  };
  const sendHeld = (released: readonly Prepared[]): void => {
    for (const prepared of released) send(prepared);
    if (released.length > 0) forget(held, new Set(released));
  };
  const release = setInterval(() => sendHeld(policy.due(now())), releaseEveryMs).unref();
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
    flush: async () => {
      await Promise.all(sinks.map(async (sink) => sink?.flush()));
    },
    close: async (timeoutMs) => {
      if (!open) return;
      open = false;
      clearInterval(release);
      sendHeld(policy.drain());
      await Promise.all(sinks.map(async (sink) => sink?.close(timeoutMs)));
    },
  };
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

function forget(held: Map<string, Prepared>, released: ReadonlySet<Prepared>): void {
  for (const [verdictId, prepared] of held) if (released.has(prepared)) held.delete(verdictId);
}
