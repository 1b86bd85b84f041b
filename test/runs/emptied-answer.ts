import { readFileSync } from "node:fs";
import { type JsonValue, parseJson } from "../../src/model/json.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { withText } from "../support/changed-values.ts";
import { replayed } from "../support/replayed.ts";

/**
 * Producers whose recordings do not hold the answer as a value of its own: it is in pieces, a part of another text, the argument of a tool,
 * only on an agent's span, where an empty text is no answer, or not recorded at all.
 */
const withoutOwnText = [
  "adk-rust",
  "agent-sdk-go",
  "agno-respan",
  "ai7-ddtrace",
  "autogen-loongsuite",
  "beeai",
  "codex-cli",
  "crewai-langtrace",
  "crewai-splunk",
  "dspy",
  "google-adk-agento11y",
  "google-genai-openlit",
  "goose-native-1.5",
  "instructor-logfire",
  "instructor-respan",
  "iqai-adk",
  "langchain-agento11y",
  "langgraph-ddtrace",
  "langgraph4j",
  "litellm-agento11y",
  "litellm-langfuse",
  "llamaindex-agento11y",
  "mini-swe-agent",
  "mirascope",
  "mistral-vibe-2",
  "nat-profiler",
  "openai-agents-ddtrace",
  "openai-js-ddtrace",
  "openhands-sdk",
  "pydantic-ai-agento11y",
  "pydantic-ai-traceai",
  "smolagents-code",
  "smolagents-openlit",
  "swiftide",
];

/** Shorter answers also occur within other texts. */
const LEAST_ANSWER = 12;

/** Whether the recordings of a producer hold answers as values of their own. */
export function hasOwnText(producer: string): boolean {
  return !withoutOwnText.some((name) => producer.startsWith(name));
}

/**
 * Reads a recording of one complete run again with an empty answer, and without the answer. Returns what is wrong with these runs, or null
 * if the recording has several runs, or not the answer as words.
 */
export async function wrongIfEmptied(
  files: readonly string[],
  runs: readonly AgentRun[],
): Promise<readonly string[] | null> {
  const [run] = runs;
  if (runs.length !== 1 || run?.status !== "ok" || !run.complete) return null;
  const { answer } = run;
  if (answer === null || answer.length < LEAST_ANSWER || !/^\p{L}/u.test(answer)) return null;
  const documents = files.flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => parseJson(line) as JsonValue),
  );
  const emptied = documents.map((one) => withText(one, answer, ""));
  // A streamed answer can be recorded in chunks.
  if (JSON.stringify(emptied) === JSON.stringify(documents)) return null;
  const empty = await replayed(...emptied);
  const gone = await replayed(...documents.map((one) => withText(one, answer, undefined)));
  const isEmpty = empty.length === 1 && empty[0]?.answer?.trim() === "";
  return [
    ...(isEmpty ? [] : [`the answers are ${JSON.stringify(empty.map((one) => one.answer))}`]),
    ...(empty.some(({ missing }) => missing.some(({ what }) => what === "answer")) ? ["it is missing"] : []),
    ...(gone.some((one) => one.answer === "") ? ["it is empty without a text"] : []),
  ];
}
