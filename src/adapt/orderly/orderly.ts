import type { Trace } from "../../assemble/trace.ts";
import type { SpanView } from "../../model/span-view.ts";
import { classify, toldRole } from "../classify.ts";
import { parentsOf } from "../connect.ts";
import type { Dialects } from "../dialects.ts";
import { type Attached, readAttached } from "../read-events.ts";
import type { Role } from "../role.ts";
import type { Silence } from "../silence.ts";
import type { FieldReader } from "../span-reading.ts";
import { PlainCall } from "./plain-call.ts";
import { PlainSpan } from "./plain-span.ts";

/** One agent with its model calls and its tools right below it, each in a span that tables alone can read. */
export interface Orderly {
  readonly root: PlainSpan;
  /** By start, as `tools`. */
  readonly calls: readonly PlainCall[];
  readonly tools: readonly PlainSpan[];
  /** All of the trace's, by start. */
  readonly spans: readonly SpanView[];
  /** The root and all spans above it, outermost first. */
  readonly above: readonly SpanView[];
  /** As its spans speak them, each once. */
  readonly dialects: readonly Dialects[];
}

/** Tells the runs of one agent that are written as the conventions ask for: they need no untangling. */
export class OrderlyReader {
  readonly #reader: FieldReader;
  readonly #silence: Silence;

  constructor(reader: FieldReader, silence: Silence) {
    this.#reader = reader;
    this.#silence = silence;
  }

  /** The trace as one orderly run; undefined for any other, and wherever there is a doubt. */
  read(trace: Trace): Orderly | undefined {
    const { spans } = trace;
    if (trace.truncated || trace.looseLogs.length > 0 || (spans[0]?.links.length ?? 0) > 0) return undefined;
    const found = new Found();
    for (let at = 0; at < spans.length; at++) {
      const span = spans[at] as SpanView;
      if (span.logs.length > 0 || !this.#add(span, at, found)) return undefined;
    }
    const { root, rootAt, calls, tools, dialects } = found;
    if (root === undefined || calls.length === 0) return undefined;
    const parents = parentsOf(trace);
    if (!isBelow(parents, found.about, rootAt)) return undefined;
    return { root, calls, tools, dialects, spans, above: chainTo(rootAt, parents, spans) };
  }

  /** False: it is none of an orderly run. */
  #add(span: SpanView, at: number, found: Found): boolean {
    const layout = this.#reader.layoutOf(span);
    if (this.#silence.holds(span, layout))
      return span.events.length === 0 || tellsNothing(this.#attached(span));
    const dialects = layout.dialects(span.scopeName);
    const role: Role = toldRole(span, layout, dialects) ?? classify(this.#reader.read(span));
    found.speaks(dialects);
    if (role !== "call" && span.events.length > 0 && !tellsNothing(this.#attached(span))) return false;
    if (role === "unknown") return true;
    if (!dialects.isOrderly || !layout.isOrderly(span)) return false;
    if (role === "call") found.calls.push(new PlainCall(span, role, layout, dialects, this.#reader));
    else if (role === "tool") found.tools.push(new PlainSpan(span, role, layout, dialects, this.#reader));
    else if (role === "agent" && found.root === undefined)
      found.isRoot(new PlainSpan(span, role, layout, dialects, this.#reader), at);
    else return false;
    found.about.push(at);
    return true;
  }

  #attached(span: SpanView): Attached {
    return readAttached(span, this.#reader);
  }
}

/** What has been found of a run so far. */
class Found {
  root: PlainSpan | undefined;
  rootAt = -1;
  readonly calls: PlainCall[] = [];
  readonly tools: PlainSpan[] = [];
  /** The places of all these spans in the trace. */
  readonly about: number[] = [];
  readonly dialects: Dialects[] = [];

  isRoot(root: PlainSpan, at: number): void {
    this.root = root;
    this.rootAt = at;
  }

  speaks(dialects: Dialects): void {
    if (!this.dialects.includes(dialects)) this.dialects.push(dialects);
  }
}

/** An exception tells no more than that its span failed. */
function tellsNothing({ readings, inputs, outputs, loose }: Attached): boolean {
  return readings.length + inputs.length + outputs.length + loose.length === 0;
}

/** The root has no span above it that has to do with agents, and is the nearest such span above all others. `about`: where those stand. */
function isBelow(parents: Int32Array, about: readonly number[], rootAt: number): boolean {
  const isAbout = new Uint8Array(parents.length);
  for (const at of about) isAbout[at] = 1;
  for (const at of about)
    if (nearestAbove(at, parents, isAbout) !== (at === rootAt ? NONE : rootAt)) return false;
  return true;
}

const NONE = -1;
const ENDLESS = -2;

function nearestAbove(of: number, parents: Int32Array, isAbout: Uint8Array): number {
  let at = of;
  for (let hops = 0; hops < parents.length; hops++) {
    at = parents[at] as number;
    if (at < 0 || isAbout[at] === 1) return at;
  }
  return ENDLESS;
}

function chainTo(rootAt: number, parents: Int32Array, spans: readonly SpanView[]): SpanView[] {
  const chain: SpanView[] = [];
  for (let at = rootAt; at >= 0; at = parents[at] as number) chain.unshift(spans[at] as SpanView);
  return chain;
}
