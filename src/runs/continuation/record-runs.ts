import type { JsonValue } from "../../model/json.ts";
import { key } from "../../model/telemetry/attribute-key.ts";
import type { LogView } from "../../model/telemetry/span-view.ts";
import { countsOf } from "../calls/tokens.ts";
import { LlmCall } from "../calls/llm-call.ts";
import { StateMessages } from "../calls/state-messages.ts";
import { readSpan } from "../facts/classify.ts";
import { addDeclared, nameOfRecord } from "../facts/events.ts";
import { failureText } from "../facts/failure.ts";
import type { FieldPlans } from "../facts/field-plan.ts";
import { F } from "../facts/fields.ts";
import { isOfHousekeeping } from "../facts/housekeeping-names.ts";
import { noAttributes, RecordView } from "../facts/record-view.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import type { TraceValues } from "../facts/trace-values.ts";
import { boundedService } from "../notations/names.ts";
import { questionIn } from "../notations/words.ts";
import { ruleIsOn } from "../rules.ts";
import type { RunSpans } from "./is-run.ts";

const SERVICE = key("service.name");
/** Largest number of records of a session that are read. */
export const MOST_RECORDS = 20_000;
const LONGEST_CALL_MS = 3_600_000;
const prompt = /(?:^|[._])(?:user_?)?prompt$/i;
const duration = /^duration(?:_ms)?$/;

/** Longest time in ms between two log records that describe the same call. */
const LONGEST_GAP_MS = 1_000;

function modelOf({ responseModel, requestModel, model }: SpanFacts): string | null {
  return responseModel ?? requestModel ?? model;
}

/** Whether a model is a version of the requested model: a request names `small-2`, and `small-2-20250929` answers. */
function isVersionOf(served: string | null, requested: string): boolean {
  return served !== null && served.length > requested.length && served.startsWith(`${requested}-`);
}

/** A run from log records alone, with the user's text that opened it. */
export interface RecordRun extends RunSpans {
  readonly prompt: string | null;
  /** Whether only the prompt is recorded. The records of the work may name no trace, or another one. */
  readonly isPromptOnly: boolean;
}

/** Number of attributes that may still be read in a slice of a trace. */
export interface AttributeBudget {
  left: number;
}

/** Trace id and readers that all records of a session share. */
interface Session {
  readonly traceId: string;
  readonly plans: FieldPlans;
  readonly values: TraceValues;
}

/**
 * Reads the runs in the log records of a session whose agent has no spans; yields after each slice of records.
 * - A record with a model and token counts is a call. A record with a tool name or call id, and the tool's input or outcome, is a tool.
 * - Any other record of a model completes a call: an output belongs to the call before the record, an input and a finish reason to the call
 * after it. A record with an error is a failed call.
 * - A prompt after a call or tool opens the next run. Records about calls that a harness makes for itself are left out.
 * - If the records have a prompt and its session, but no work, the prompt is returned as a run for the work in other traces.
 */
export function* recordRuns(
  logs: readonly LogView[],
  session: Session,
  budget: AttributeBudget,
): Generator<undefined, RecordRun[]> {
  const runs: RecordRun[] = [];
  const ids = new Set<string>();
  let open: OpenRun | null = null;
  for (const [at, log] of logs.slice(0, MOST_RECORDS).entries()) {
    if (budget.left <= 0) yield;
    budget.left -= log.size + 1;
    if (ruleIsOn("housekeeping") && isOfHousekeeping(log)) continue;
    const record = readRecord(log, at, session);
    const promptText = prompt.test(record.span.name) ? promptOf(record) : null;
    if (open === null || (promptText !== null && open.hasWork)) {
      if (open?.hasWork === true) runs.push(open.close());
      // The first record's span id becomes the run id, so that the run keeps its id if that span arrives later.
      const { spanId } = log;
      const id: string = spanId === undefined || ids.has(spanId) ? idAt(at, "1") : spanId;
      ids.add(id);
      open = new OpenRun(log, id, session);
    }
    if (promptText !== null) open.ask(promptText, record);
    else open.add(record);
  }
  if (open?.hasWork === true || (open?.isAsked === true && runs.length === 0)) runs.push(open.close());
  if (logs.length <= MOST_RECORDS) return runs;
  return runs.map((run, at) => (at === runs.length - 1 ? { ...run, isCut: true } : run));
}

function promptOf(record: SpanFacts): string | null {
  const value = record.valueAt(F.input) ?? record.valueAt(F.inputMessages);
  return questionIn(value);
}

/**
 * Id of a record, or of a run whose first record names no span: `prefix`, then the record's position in hexadecimal, 16 characters in all.
 */
function idAt(at: number, prefix: string): string {
  return prefix + at.toString(16).padStart(16 - prefix.length, "0");
}

function readRecord(log: LogView, at: number, { traceId, plans, values }: Session): SpanFacts {
  let tookMs = 0;
  for (let place = 0; place < log.size; place++) {
    if (!duration.test(log.nameAt(place))) continue;
    const value = Number(log.valueAt(place));
    if (value > 0 && value < LONGEST_CALL_MS) tookMs = value;
  }
  const host = { traceId, spanId: idAt(at, "0"), scopeName: log.scopeName, resource: log.resource };
  const { timeUnixMs, droppedAttributes } = log;
  const view = new RecordView(
    log,
    nameOfRecord(log),
    host,
    timeUnixMs,
    timeUnixMs - tookMs,
    droppedAttributes,
  );
  const record = readSpan(view, plans, values);
  if (plans.table.eventRule(view.name) === undefined) return record;
  addDeclared(record, plans.table, view.name, log, log.body);
  record.readScalars();
  return record;
}

function hasOutcome(tool: SpanFacts): boolean {
  return tool.hasField(F.result) || tool.hasField(F.success);
}

class OpenRun {
  #prompt: string | null = null;
  #conversation: string | null = null;
  readonly #log: LogView;
  readonly #spanId: string;
  readonly #session: Session;
  readonly #steps: SpanFacts[] = [];
  readonly #tools = new Map<string, SpanFacts>();
  readonly #replaced = new Set<SpanFacts>();
  /** Model calls, each with the records that describe the same call. */
  readonly #calls = new Map<SpanFacts, SpanFacts[]>();
  #lastCall: SpanFacts | null = null;
  /** Finish reason in the records of a streamed answer, which precede the record with its tokens. */
  #streamedFinish: JsonValue | undefined;
  #sent: { field: number; value: JsonValue; name: string; model: string | null } | null = null;

  constructor(log: LogView, spanId: string, session: Session) {
    this.#log = log;
    this.#spanId = spanId;
    this.#session = session;
  }

  get hasWork(): boolean {
    return this.#steps.length > 0;
  }

  /** Whether the prompt and its session are recorded. */
  get isAsked(): boolean {
    return this.#prompt !== null && this.#conversation !== null;
  }

  /** Sets the prompt, unless an earlier record did. */
  ask(prompt: string, { conversation }: SpanFacts): void {
    if (this.#prompt !== null) return;
    this.#prompt = prompt;
    this.#conversation = conversation;
  }

  add(record: SpanFacts): void {
    const model = modelOf(record);
    const isCounted = record.inputTokens !== null || record.outputTokens !== null || record.hasField(F.usage);
    if (isCounted && model !== null) this.#addCall(record);
    else if (record.tool !== null || record.callId !== null) this.#addTool(record);
    else if (model !== null) this.#addContent(record);
  }

  #addCall(record: SpanFacts): void {
    const others = this.#othersOf(record);
    if (others !== undefined) {
      others.push(record);
      return;
    }
    this.#calls.set(record, []);
    record.role = "call";
    this.#addSent(record);
    this.#addStreamedFinish(record);
    this.#lastCall = record;
    this.#steps.push(record);
  }

  /** Adds the recorded input to its call. The input of a refused call is added too: it contains the results of earlier tools. */
  #addSent(record: SpanFacts): void {
    const sent = this.#sent;
    this.#sent = null;
    if (sent === null) return;
    record.add(sent.field, sent.value, sent.name);
    const served = modelOf(record);
    if (sent.model === null || !isVersionOf(served, sent.model)) return;
    record.requestModel = sent.model;
    record.responseModel = served;
  }

  /** Adds the finish reason in the records of the streamed answer to its call, unless the call's own record has one. */
  #addStreamedFinish(record: SpanFacts): void {
    const finish = this.#streamedFinish;
    this.#streamedFinish = undefined;
    if (finish !== undefined && !record.hasField(F.finish)) record.add(F.finish, finish, record.span.name);
  }

  /**
   * Returns the records of the call that an earlier record described: a call with the same model and tokens, at the same time. Undefined if
   * there is none.
   */
  #othersOf(record: SpanFacts): SpanFacts[] | undefined {
    const { input, output } = countsOf(record);
    let found: SpanFacts[] | undefined;
    for (const [call, records] of this.#calls) {
      if (Math.abs(call.end - record.end) > LONGEST_GAP_MS || modelOf(call) !== modelOf(record)) continue;
      const counts = countsOf(call);
      const isEqual = counts.input === input && counts.output === output;
      if (isEqual && [call, ...records].every(({ span }) => span.name !== record.span.name)) found = records;
    }
    return found;
  }

  /**
   * Adds a tool call. Of several records of one tool call, the first with the outcome counts; an earlier record may only show that the tool
   * is allowed.
   */
  #addTool(record: SpanFacts): void {
    if (!hasOutcome(record) && !record.hasField(F.arguments)) return;
    const known = record.callId === null ? undefined : this.#tools.get(record.callId);
    if (known !== undefined) {
      if (hasOutcome(known) || !hasOutcome(record)) return;
      this.#replaced.add(known);
    }
    record.role = "tool";
    if (record.hasField(F.success) && record.booleanAt(F.success) === false)
      record.failure ??= failureText(record);
    if (record.callId !== null) this.#tools.set(record.callId, record);
    this.#steps.push(record);
  }

  /** Adds a record with input, output or error of a model call. */
  #addContent(record: SpanFacts): void {
    const error = record.textAt(F.error);
    if (error !== null) {
      record.role = "call";
      record.failure = error;
      this.#addSent(record);
      this.#streamedFinish = undefined;
      this.#steps.push(record);
      return;
    }
    for (const field of [F.outputMessages, F.outputText, F.output]) {
      const value = record.valueAt(field);
      if (value === undefined) continue;
      this.#lastCall?.add(field, value, record.span.name);
      return;
    }
    const finish = record.valueAt(F.finish);
    // An answer may have a text beside its tool requests. It then ends with the requests.
    if (finish !== undefined && this.#streamedFinish !== "tool_call") this.#streamedFinish = finish;
    for (const field of [F.inputMessages, F.input]) {
      const value = record.valueAt(field);
      if (value !== undefined) this.#sent = { field, value, name: record.span.name, model: modelOf(record) };
    }
  }

  get service(): string | null {
    const name = this.#log.resource.text(SERVICE);
    return name === undefined ? null : boundedService(name);
  }

  close(): RecordRun {
    const { scopeName, resource, source, timeUnixMs: start } = this.#log;
    const { traceId, plans, values } = this.#session;
    const end = Math.max(start, ...this.#steps.map((step) => step.end));
    const host = { traceId, spanId: this.#spanId, scopeName, resource, source };
    const root = readSpan(new RecordView(noAttributes, "", host, end, start), plans, values);
    root.role = "agent";
    // If records of sub-agents have agent names, records without a name belong to the main program, which has the name of the service.
    const { service } = this;
    if (service !== null && this.#steps.some(({ agent }) => agent !== null))
      root.agent = root.agentName = service;
    const nodes = [root];
    const steps = this.#steps.filter((step) => !this.#replaced.has(step)).sort((a, b) => a.start - b.start);
    for (const step of steps) {
      root.conversation ??= step.conversation;
      step.parent = root;
      root.children.push(step);
      nodes.push(step);
    }
    root.conversation ??= this.#conversation;
    const state = new StateMessages(nodes);
    const calls = steps
      .filter(({ role }) => role === "call")
      .map((step) => new LlmCall(step, this.#calls.get(step) ?? [], state));
    return { root, nodes, calls, isTurn: false, prompt: this.#prompt, isPromptOnly: !this.hasWork };
  }
}
