import type { PlainMode } from "../../evaluate/metrics/match-mode.ts";
import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../../model/json.ts";
import { type CallRule, callsExpected, failsByPath, type ReferenceCall } from "./expected-calls.ts";
import { compact, type Imported, placeIn, Source, type SourceDocument } from "./source.ts";

/**
 * Keys under which a file may contain reference trajectories (the expected messages). If a file has several
 * of these keys, the first one in this list is used.
 */
const holders = [
  "reference_outputs",
  "referenceOutputs",
  "reference",
  "outputs",
  "messages",
  "examples",
  "trajectories",
] as const;

/** Tracejury's modes by the values of `trajectory_match_mode`. The default of agentevals is `strict`. */
const modes: ReadonlyMap<string, PlainMode> = new Map([
  ["strict", "same-order"],
  ["unordered", "same-calls"],
  ["subset", "only-allowed-calls"],
  ["superset", "contains-calls"],
]);

const STRICT_MESSAGES =
  "strict: agentevals also compares number and roles of messages; telemetry shows the calls only";

const usual: CallRule = { mode: "same-order", ignoresArguments: false };

/**
 * Converts files of LangChain agentevals, which contain one or more reference trajectories (lists of
 * messages). A file may also contain the settings of `create_trajectory_match_evaluator`. Only tool calls are
 * converted, because agentevals does not compare texts.
 */
export function importAgentevals(documents: readonly SourceDocument[]): Imported {
  const left: string[] = [];
  const found = documents.flatMap((document) =>
    trajectories(document.value, placeIn(document, "file"), usual, left),
  );
  const queries = found.flatMap(({ source, rule }) => {
    const query = queryOf(source, rule);
    left.push(...source.rest());
    return query === null ? [] : [{ query, remarks: [] }];
  });
  if (found.some(({ rule }) => rule.mode === "same-order")) left.push(STRICT_MESSAGES);
  return { queries, agent: null, root: failsByPath, left };
}

interface Trajectory {
  readonly source: Source;
  readonly rule: CallRule;
}

function trajectories(
  value: JsonValue,
  place: string,
  rule: CallRule,
  left: string[],
): readonly Trajectory[] {
  if (isArray(value)) {
    if (value.some(isMessage)) return [{ source: new Source({ messages: value }, place), rule }];
    return value.flatMap((one, at) => trajectories(one, `${place}[${at}]`, rule, left));
  }
  if (!isObject(value)) return [];
  const holder = holders.find((key) => value[key] !== undefined);
  const others = new Source(holder === undefined ? value : { ...value, [holder]: null }, place);
  const own = ruleIn(others, rule);
  left.push(...others.rest());
  return holder === undefined ? [] : trajectories(value[holder] ?? null, `${place}.${holder}`, own, left);
}

function ruleIn(source: Source, above: CallRule): CallRule {
  const written = source.text("trajectory_match_mode");
  const mode = written === undefined ? above.mode : modes.get(written);
  if (mode === undefined) source.leave("trajectory_match_mode", written);
  const args = source.text("tool_args_match_mode");
  if (args === "subset" || args === "superset")
    source.leave("tool_args_match_mode", `${args}: Tracejury does not compare the arguments of these calls`);
  return {
    mode: mode ?? above.mode,
    ignoresArguments: args === undefined ? above.ignoresArguments : args !== "exact",
  };
}

function isMessage(value: JsonValue): boolean {
  return (
    isObject(value) &&
    (typeof value["role"] === "string" || typeof value["type"] === "string") &&
    ("content" in value || "tool_calls" in value)
  );
}

interface Message {
  readonly source: Source;
  readonly role: string;
  readonly content: string;
  readonly calls: readonly ReferenceCall[];
}

function queryOf(trajectory: Source, rule: CallRule): JsonObject | null {
  const messages = trajectory.items("messages", (_, at) => `${trajectory.place}[${at}]`).map(messageOf);
  for (const { source, role, content } of messages) {
    if (role === "user" || content === "") continue;
    source.leave("content", `of ${role === "assistant" ? "an" : "a"} ${`${role} message`.trim()}`);
  }
  const turns = turnsOf(messages).map((turn) => turnOf(turn, rule));
  const [first] = turns;
  if (first === undefined) {
    trajectory.leave("", "without a user message");
    return null;
  }
  if (rule.ignoresArguments && rule.mode === "same-order" && messages.some(({ calls }) => calls.length > 1))
    trajectory.leave(
      "",
      "agentevals allows calls of one message in any order; Tracejury compares them in the written order",
    );
  if (turns.length === 1) return first;
  if (rule.mode !== "same-order")
    trajectory.leave(
      "",
      "agentevals compares the calls of all turns together; Tracejury compares those of each turn",
    );
  return compact({ query: first["query"] ?? "", scope: "conversation", turns });
}

/**
 * Returns the turns: each user message with the messages that follow it. Messages before the first user
 * message are left out.
 */
function turnsOf(messages: readonly Message[]): readonly (readonly [Message, ...Message[]])[] {
  const turns: [Message, ...Message[]][] = [];
  for (const message of messages) {
    if (message.role === "user") turns.push([message]);
    else turns.at(-1)?.push(message);
  }
  return turns;
}

function turnOf([question, ...rest]: readonly [Message, ...Message[]], rule: CallRule): JsonObject {
  return compact({
    query: question.content,
    path: callsExpected(
      rest.flatMap(({ calls }) => calls),
      rule,
    ),
  });
}

const roles: Readonly<Record<string, string>> = { human: "user", ai: "assistant" };

function messageOf(source: Source): Message {
  const role = source.text("role") ?? source.text("type") ?? "";
  return {
    source,
    role: roles[role] ?? role,
    content: contentOf(source),
    calls: source.items("tool_calls").map((call, at) => ({ ...callOf(call), withPrevious: at > 0 })),
  };
}

function contentOf(source: Source): string {
  const plain = source.text("content");
  if (plain !== undefined) return plain;
  return source
    .items("content")
    .flatMap((part) => {
      part.text("type");
      return part.text("text") ?? [];
    })
    .join("\n");
}

/** Reads a tool call in the format of OpenAI or of LangChain. */
function callOf(call: Source): ReferenceCall {
  const inner = call.has("function") ? call.inner("function") : call;
  call.text("type");
  const args = inner.value("arguments") ?? inner.value("args") ?? {};
  return {
    name: inner.text("name") ?? "",
    arguments: typeof args === "string" ? (parseJson(args) ?? args) : args,
  };
}
