import type { SpanView } from "../../model/telemetry/span-view.ts";
import type { SpanRole } from "../../../adapters/span-roles.ts";
import type { Dialects } from "./dialects.ts";
import type { FieldPlan } from "./field-plan.ts";
import { FieldValues } from "./field-values.ts";
import { F } from "./fields.ts";
import type { TraceValues } from "./trace-values.ts";

const noRecords: readonly SpanFacts[] = [];

/**
 * The fields of one span. The constructor decodes names, ids and numbers; other values are decoded when they are first read. Inference adds
 * its sources before any field is read, so that every reader gets the same values.
 */
export class SpanFacts extends FieldValues {
  role: SpanRole = "unknown";
  /** The nearest ancestor, without ignored spans (roles `copy` and `message`). */
  parent: SpanFacts | null = null;
  /** Child spans, ordered by start time. */
  readonly children: SpanFacts[] = [];
  /** Whether the parent span was received. True also for a parent with an ignored role. */
  parentCame = false;
  readonly start: number;
  readonly end: number;
  /** Error message; null if there is none. */
  failure: string | null = null;
  /** Whether the span ended by an exception that a framework uses for control flow. */
  isControlFlow = false;
  agent: string | null = null;
  /** For an agent span: the agent's name, from an attribute or the span name; null if there is none. */
  agentName: string | null = null;
  /** Whether the role is inferred from names and values. False if a declared attribute, a span name or a key decided the role. */
  isRoleInferred = false;
  /** The dialect whose rule for its own span name decided the role; null if something else decided the role. */
  ownDialect: string | null = null;
  conversation: string | null = null;
  requestModel: string | null = null;
  responseModel: string | null = null;
  model: string | null = null;
  responseId: string | null = null;
  tool: string | null = null;
  callId: string | null = null;
  inputTokens: number | null = null;
  outputTokens: number | null = null;
  /** Events and log records of the span that describe a tool call or model call other than the span itself. */
  records: readonly SpanFacts[] = noRecords;
  constructor(span: SpanView, plan: FieldPlan, dialects: Dialects, values: TraceValues) {
    super(span, plan, dialects, values);
    this.start = span.startUnixMs;
    this.end = span.endUnixMs;
    this.readScalars();
  }

  /** Reads names, ids and counts. Called again after inference added sources. */
  readScalars(): void {
    const { sources } = this.plan;
    const { derive } = this.dialects;
    const isAny = this.isInferred;
    if (isAny || sources[F.agent] !== undefined || derive?.[F.agent] !== undefined)
      this.agent = this.textAt(F.agent);
    if (isAny || sources[F.conversation] !== undefined || derive?.[F.conversation] !== undefined)
      this.conversation = this.textAt(F.conversation);
    if (isAny || sources[F.requestModel] !== undefined || derive?.[F.requestModel] !== undefined)
      this.requestModel = this.textAt(F.requestModel);
    if (isAny || sources[F.responseModel] !== undefined || derive?.[F.responseModel] !== undefined)
      this.responseModel = this.textAt(F.responseModel);
    if (isAny || sources[F.model] !== undefined || derive?.[F.model] !== undefined)
      this.model = this.textAt(F.model);
    if (isAny || sources[F.responseId] !== undefined || derive?.[F.responseId] !== undefined)
      this.responseId = this.textAt(F.responseId);
    if (isAny || sources[F.tool] !== undefined || derive?.[F.tool] !== undefined)
      this.tool = this.textAt(F.tool);
    if (isAny || sources[F.callId] !== undefined || derive?.[F.callId] !== undefined)
      this.callId = this.textAt(F.callId);
    if (isAny || sources[F.inputTokens] !== undefined || derive?.[F.inputTokens] !== undefined)
      this.inputTokens = this.numberAt(F.inputTokens);
    if (isAny || sources[F.outputTokens] !== undefined || derive?.[F.outputTokens] !== undefined)
      this.outputTokens = this.numberAt(F.outputTokens);
  }
}
