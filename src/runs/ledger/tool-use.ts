import { isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { ReturnedResult } from "../../model/message.ts";
import { argumentsKey, argumentsOf } from "../notations/arguments.ts";
import { plainName } from "../notations/names.ts";
import type { ToolExecution } from "./executions.ts";

/** One use of a tool: its request, its execution, or both. */
export class ToolUse {
  /** Ids of the call; in some protocols a call has two ids. */
  readonly ids: string[] = [];
  requestedName: string | null = null;
  /** Arguments as the model wrote them. */
  requestedArguments: JsonValue | undefined = undefined;
  /** Whether the arguments end where the model ended them, even if they are incomplete JSON. */
  isEndGiven = false;
  /** Index of the requesting model call; -1 if that call is not in the data; null if there is no request. */
  call: number | null = null;
  /** Result in the messages of a model call, usually of a later one. */
  returned: ReturnedResult | null = null;
  /** Index of the first model call with the result in its history. */
  usedBy: number | null = null;
  /** Whether the use belongs to an earlier turn of the conversation. */
  isEarlier = false;
  /** Executions of the tool, ordered by start time. */
  readonly executions: ToolExecution[] = [];
  /** Start of the requesting call, otherwise of the execution. */
  at: number;
  /** Agent to which the use hands over; null if there is none. */
  target: string | null = null;
  /** Whether the tool only contains the answer or returns control. Such a control tool counts neither as a tool nor as a hand-off. */
  isControl = false;
  /** Reason why the tool is an output tool; null for any other tool. */
  output: string | null = null;
  agent: string | null = null;
  #arguments: { readonly value: JsonValue | undefined; readonly isCut: boolean } | null = null;
  #signature: string | null = null;

  constructor(at: number) {
    this.at = at;
  }

  /** Ids of the request and of its executions. */
  get allIds(): readonly string[] {
    return [...this.ids, ...this.executions.flatMap(({ callId }) => callId ?? [])];
  }

  /**
   * Name of the tool: the requested name, or, without a request, the name of the execution. They may differ: a host of MCP servers requests
   * `mcp__server__tool`, and the execution has the name `tool`. A tool that was called through another one has its own name.
   */
  get name(): string | null {
    const { requestedName: requested, called } = this;
    if (called !== null) return called.name;
    const isServed = requested?.startsWith("mcp__") === true;
    for (const { name } of this.executions)
      if (name !== null && (requested === null || (isServed && requested.endsWith(`__${name}`)))) return name;
    return requested;
  }

  /**
   * Execution of a tool that was called through another one; null for other uses. Such a request names the executed tool: `tool_call` with
   * `{ name: "web_fetch", arguments: … }`.
   */
  get called(): ToolExecution | null {
    const { requestedName } = this;
    if (requestedName === null) return null;
    for (const execution of this.executions) {
      const { name } = execution;
      if (name === null || name === requestedName) continue;
      const { value } = this.asked;
      if (isObject(value) && callsTool(value, name) && !sameTool(requestedName, name)) return execution;
    }
    return null;
  }

  /** The arguments that the model gave, parsed. */
  get asked(): { readonly value: JsonValue | undefined; readonly isCut: boolean } {
    return (this.#arguments ??= argumentsOf(this.requestedArguments));
  }

  /** Key that is equal for requests with equal arguments. */
  get signature(): string {
    return (this.#signature ??= argumentsKey(this.asked.value));
  }

  setArguments(given: JsonValue | undefined): void {
    this.requestedArguments = given;
    this.#arguments = null;
    this.#signature = null;
  }

  /**
   * The model's arguments if they are complete and not empty, otherwise those of an execution. For a tool with one argument, the tool's
   * span may have only the value of this argument. If the tool was called through another one, the arguments are those of its execution.
   */
  get arguments(): JsonValue | undefined {
    const { value, isCut } = this.asked;
    const { called } = this;
    if (called?.arguments !== undefined) return called.arguments;
    const wanted = !isCut ? value : this.isEndGiven ? this.requestedArguments : undefined;
    let ran: JsonValue | undefined;
    for (const execution of this.executions) ran ??= execution.arguments;
    if (wanted === undefined || (isEmpty(wanted) && ran !== undefined)) return ran ?? wanted;
    return isObject(wanted) || ran === undefined ? wanted : ran;
  }

  addExecution(execution: ToolExecution): void {
    let at = this.executions.length;
    while (at > 0 && (this.executions[at - 1] as ToolExecution).start > execution.start) at--;
    this.executions.splice(at, 0, execution);
  }
}

/** Whether arguments are empty. Empty arguments often mean that streamed arguments were not recorded. */
function isEmpty(value: JsonValue): boolean {
  return value === "" || (isObject(value) && Object.keys(value).length === 0);
}

const toolKey = /^(?:tool|function)(?:name|id|slug)?$/;

/**
 * Whether a tool's arguments request another tool: a key of a tool's name contains it, or the key `name` beside the arguments of that tool. An
 * argument with the same text, such as the name of a sub-agent or a shell command, is no request.
 */
function callsTool(args: JsonObject, name: string): boolean {
  return Object.entries(args).some(([key, value]) => {
    if (value !== name) return false;
    const plain = plainName(key);
    return toolKey.test(plain) || (plain === "name" && Object.values(args).some(isArguments));
  });
}

function isArguments(value: JsonValue): boolean {
  return isObject(value) || (typeof value === "string" && /^\s*\{/.test(value));
}

/** Whether two names mean the same tool, apart from separators and case. The name of a server or plugin may precede one of them. */
export function sameTool(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return false;
  if (a === b || plainName(a) === plainName(b)) return true;
  return isSuffix(a, b) || isSuffix(b, a);
}

function isSuffix(whole: string, end: string): boolean {
  const at = whole.length - end.length;
  return at > 0 && whole.endsWith(end) && /[-_.:/]/.test(whole[at - 1] ?? "");
}
