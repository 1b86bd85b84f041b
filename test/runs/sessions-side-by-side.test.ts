import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { replayed } from "../support/replayed.ts";

/** Two users of one program at the same time: neither gets a log record of the other. */

const folder = "test/fixtures/recordings";
const producers = ["gemini-cli-0.60", "qwen-code", "claude-code-2.1.200"];
const recordings = producers.flatMap((producer) =>
  readdirSync(join(folder, producer))
    .map((scenario) => join(folder, producer, scenario))
    .filter((path) => existsSync(join(path, "traces.jsonl")) && existsSync(join(path, "logs.jsonl"))),
);

/** A copy of the lines under other ids, with the same times and texts. */
function copied(text: string): string {
  const ids = new Set<string>();
  for (const [, id = ""] of text.matchAll(
    /"key": ?"[^"]*[._]id", ?"value": ?\{ ?"stringValue": ?"([^"\\]{6,})"/g,
  ))
    ids.add(id);
  let copy = text.replaceAll(
    /("(?:traceId|spanId|parentSpanId)": ?"[0-9a-f]+)([0-9a-f])"/g,
    (_, start: string, last: string) => `${start}${last === "0" ? "1" : "0"}"`,
  );
  const longestFirst = [...ids].sort((a, b) => b.length - a.length);
  for (const [at, id] of longestFirst.entries()) copy = copy.replaceAll(id, `\u0000${at}\u0000`);
  return copy.replaceAll(/\0(\d+)\0/g, (_, at: string) => `${longestFirst[Number(at)] ?? ""}0`);
}

function parsed(text: string): unknown[] {
  return text
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}

function shown({ query, answer, status, llm, usage, costUsd, tools }: AgentRun): string {
  const calls = llm.map(({ model, finishReason, usage: used }) => [model, finishReason, used]);
  const used = tools.map((tool) => [tool.name, tool.arguments, tool.result, tool.error]);
  return JSON.stringify([query, answer, status, calls, usage, costUsd, used]);
}

it.each(recordings)("%s beside a copy in another session", async (path) => {
  const text = ["traces.jsonl", "logs.jsonl"].map((file) => readFileSync(join(path, file), "utf8")).join("");
  const alone = (await replayed(...parsed(text))).map(shown);
  expect(alone).not.toEqual([]);
  const both = (await replayed(...parsed(text), ...parsed(copied(text)))).map(shown);
  expect(both.toSorted()).toEqual([...alone, ...alone].toSorted());
});
