import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../../model/json.ts";
import { compact, type Imported, placeIn, type SourceDocument } from "./imported.ts";
import { Source } from "./source.ts";

/** Where reference trajectories lie; the first that is there is taken. */
const holders = [
  "reference_outputs",
  "referenceOutputs",
  "reference",
  "outputs",
  "messages",
  "examples",
  "trajectories",
] as const;

/** LangChain agentevals: reference trajectories as lists of messages, one, several, or under `reference_outputs`. */
export function importAgentevals(documents: readonly SourceDocument[]): Imported {
  const left: string[] = [];
  const found = documents.flatMap((document) =>
    trajectories(document.value, placeIn(document, "file"), left),
  );
  const queries = found.flatMap((trajectory) => {
    const query = queryOf(trajectory);
    left.push(...trajectory.rest());
    return query === null ? [] : [{ query, remarks: [] }];
  });
  return { queries, agent: null, root: {}, left };
}

function trajectories(value: JsonValue, place: string, left: string[]): readonly Source[] {
  if (isArray(value)) {
    if (value.some(isMessage)) return [new Source({ messages: value }, place)];
    return value.flatMap((one, at) => trajectories(one, `${place}[${at}]`, left));
  }
  if (!isObject(value)) return [];
  const holder = holders.find((key) => value[key] !== undefined);
  const others = new Source(holder === undefined ? value : { ...value, [holder]: null }, place);
  left.push(...others.rest());
  return holder === undefined ? [] : trajectories(value[holder] ?? null, `${place}.${holder}`, left);
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
}

function queryOf(trajectory: Source): JsonObject | null {
  const messages = trajectory.items("messages", (_, at) => `${trajectory.place}[${at}]`).map(messageOf);
  const calls = messages.flatMap(({ source }) => source.items("tool_calls").map(callOf));
  const asked = messages.find(({ role }) => role === "user");
  const answer = messages.findLast(({ role, content }) => role === "assistant" && content !== "");
  for (const { source, role, content } of messages) {
    if (source === asked?.source || source === answer?.source || content === "") continue;
    source.leave("content", `of a ${role === "" ? "message" : `${role} message`}`);
  }
  if (asked === undefined) {
    trajectory.leave("", "no message of a user is in it");
    return null;
  }
  return compact({
    query: asked.content,
    correctness:
      answer === undefined
        ? {}
        : { llm_judge: [{ rule: `The answer says the same as: ${answer.content}`, threshold: 0.8 }] },
    path:
      calls.length === 0
        ? { max_tool_calls: 0 }
        : {
            expected_tool_sequence: calls.map(({ name }) => name),
            sequence_mode: "same-order",
            expected_tool_calls: calls.map(({ name, arguments: args }) => ({ name, arguments: args })),
            tool_call_accuracy: { variant: "ragas-python", mode: "strict", min: 1 },
          },
  });
}

const roles: Readonly<Record<string, string>> = { human: "user", ai: "assistant" };

function messageOf(source: Source): Message {
  const role = source.text("role") ?? source.text("type") ?? "";
  return { source, role: roles[role] ?? role, content: contentOf(source) };
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

/** A call as OpenAI has it, or as LangChain. */
function callOf(call: Source): { readonly name: string; readonly arguments: JsonValue } {
  const inner = call.has("function") ? call.inner("function") : call;
  call.text("type");
  const args = inner.value("arguments") ?? inner.value("args") ?? {};
  return {
    name: inner.text("name") ?? "",
    arguments: typeof args === "string" ? (parseJson(args) ?? args) : args,
  };
}
