import { isObject, type JsonValue } from "../../model/json.ts";
import type { ReturnedResult } from "../../model/message.ts";
import { argumentsOf } from "../notations/arguments.ts";
import type { ToolExecution } from "./executions.ts";
import { canonicalJson } from "./tool-names.ts";

/** One use of a tool: as a model asked for it, as it was executed, or both. */
export class ToolUse {
  /** The spellings of its id: some protocols give a call two. */
  readonly ids: string[] = [];
  requestedName: string | null = null;
  /** As the model wrote them. */
  requestedArguments: JsonValue | undefined = undefined;
  /** The place of the model call that asked for it; -1 where the data begin later; null where no message shows a request. */
  call: number | null = null;
  /** What a later history has as its result. */
  returned: ReturnedResult | null = null;
  /** The place of the first model call whose history has the result. */
  usedBy: number | null = null;
  /** Belongs to an earlier turn of the conversation. */
  isEarlier = false;
  /** By start. */
  readonly executions: ToolExecution[] = [];
  /** When it was asked for, else when it began. */
  at: number;
  /** The agent that it hands over to. */
  target: string | null = null;
  /** It only carries the answer, or gives control back: no tool and no hand-off. */
  isControl = false;
  /** How it is known that it carries the answer; null when it does not. */
  output: string | null = null;
  agent: string | null = null;
  #arguments: { readonly value: JsonValue | undefined; readonly isCut: boolean } | null = null;
  #signature: string | null = null;

  constructor(at: number) {
    this.at = at;
  }

  get name(): string | null {
    if (this.requestedName !== null) return this.requestedName;
    for (const { name } of this.executions) if (name !== null) return name;
    return null;
  }

  /** The arguments that the model gave, parsed. */
  get asked(): { readonly value: JsonValue | undefined; readonly isCut: boolean } {
    return (this.#arguments ??= argumentsOf(this.requestedArguments));
  }

  /** Equal for uses that are asked for with the same arguments. */
  get signature(): string {
    return (this.#signature ??= canonicalJson(this.asked.value));
  }

  setArguments(given: JsonValue | undefined): void {
    this.requestedArguments = given;
    this.#arguments = null;
    this.#signature = null;
  }

  /** The model's own arguments where they are whole; a tool of one argument may show the bare value where it is executed. */
  get arguments(): JsonValue | undefined {
    const { value, isCut } = this.asked;
    const wanted = isCut ? undefined : value;
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

/** Streamed arguments often never reach the telemetry. */
function isEmpty(value: JsonValue): boolean {
  return value === "" || (isObject(value) && Object.keys(value).length === 0);
}
