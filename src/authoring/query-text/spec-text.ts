import { Document, visit } from "yaml";
import { CONTROLS, escapeControls, HIDDEN } from "../../support/structures/control-characters.ts";
import type { JsonObject, JsonValue } from "../../model/json.ts";
import { assignIds } from "../../spec/compile/ids.ts";
import type { AgentQuestions, Question } from "../questions.ts";
import { budgetKeys, limitFor, observe, type Observed } from "../observed.ts";

interface YamlOptions {
  /** Comment above the whole. */
  readonly comment?: string;
  /** Longest line; 0 folds none. */
  readonly lineWidth: number;
}

/** A query as it is proposed: its keys, and remarks that stand above it. */
export interface ProposedQuery {
  readonly query: JsonObject;
  readonly remarks: readonly string[];
}

/** A spec from what recorded runs did. Nothing is said about answers: what is right only a person knows. */
export function proposeSpec({ agent, questions }: AgentQuestions): string {
  const ids = assignIds(questions.map(({ text }) => ({ id: undefined, text })));
  const recorded = questions.reduce((sum, { runs }) => sum + runs.length, 0);
  return specText(
    agent,
    questions.map((question, at) => proposeQuery(question, ids[at] ?? `query-${at + 1}`)),
    [
      `Proposed from ${recorded === 1 ? "1 recorded run" : `${recorded} recorded runs`}: look through every limit, and say what right answers hold.`,
    ],
  );
}

/** A whole spec file. */
export function specText(
  agent: string,
  queries: readonly ProposedQuery[],
  remarks: readonly string[],
): string {
  const head = remarks.flatMap((remark) => wrapped(remark)).map((line) => `# ${line}`);
  const root = `${head.join("\n")}\nversion: 1\n${yamlText({ agent }, { lineWidth: 80 })}queries:\n`;
  return root + queries.map((query) => queryText(query, 2)).join("\n");
}

/** One query as an item of `queries`, `indent` spaces in. */
export function queryText({ query, remarks }: ProposedQuery, indent: number): string {
  const lines = [
    ...remarks.map((remark) => `# ${oneLine(remark)}`),
    ...yamlText([query], { lineWidth: 0 }).trimEnd().split("\n"),
  ];
  return `${lines.map((line) => (line === "" ? "" : " ".repeat(indent) + line)).join("\n")}\n`;
}

function proposeQuery({ text, runs }: Question, id: string): ProposedQuery {
  const observed = observe(runs);
  const seen = `Seen ${runs.length === 1 ? "once" : `${runs.length} times`}${answerRemark(runs)}`;
  return {
    query: { id, query: text, ...path(observed), ...cost(observed) },
    remarks: hasSpread(observed) ? [seen] : [seen, NO_LIMITS],
  };
}

const NO_LIMITS =
  "No limits: one run does not show how much runs differ. tracejury calibrate DUMP --write adds them from several.";

/** Whether enough runs were seen for limits to be made from them. */
function hasSpread({ runs }: Observed): boolean {
  return runs > 1;
}

function answerRemark(runs: Question["runs"]): string {
  const answer = runs.find((run) => run.answer !== null && run.answer !== "")?.answer ?? null;
  if (answer === null) return "";
  return `; add correctness.expected_in_answer: an answer was ${JSON.stringify(oneLine(answer, 100))}`;
}

function path(observed: Observed): JsonObject {
  const calls = hasSpread(observed) ? limitFor("max_tool_calls", observed.most.max_tool_calls) : null;
  const loops = hasSpread(observed) ? observed.mostLoops : null;
  const block: Record<string, JsonValue> = {
    ...(observed.toolsOfAll.length > 0 ? { expected_tools: observed.toolsOfAll } : {}),
    ...(calls === null ? {} : { max_tool_calls: calls }),
    ...(loops === null ? {} : { max_loops: loops }),
    ...(observed.handoffsOfAll.length === 1 ? { expected_handoff: observed.handoffsOfAll[0] ?? "" } : {}),
    ...(observed.handoffsOfAll.length > 1 ? { expected_handoffs: observed.handoffsOfAll } : {}),
  };
  return Object.keys(block).length === 0 ? {} : { path: block };
}

function cost(observed: Observed): JsonObject {
  if (!hasSpread(observed)) return {};
  const entries = budgetKeys.flatMap((key) => {
    const limit = key === "max_tool_calls" ? null : limitFor(key, observed.most[key]);
    return limit === null || limit === 0 ? [] : [[key, limit] as const];
  });
  return entries.length === 0 ? {} : { cost: Object.fromEntries(entries) };
}

const UNSEEN = new RegExp(`(?:[${CONTROLS}]|${HIDDEN})+`, "g");

function oneLine(text: string, longest = 400): string {
  const line = text.replace(UNSEEN, " ").trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

const WIDTH = 100;

function wrapped(text: string): readonly string[] {
  const lines = [""];
  for (const word of oneLine(text, 2000).split(" ")) {
    const last = lines.length - 1;
    const longer = `${lines[last] ?? ""} ${word}`.trim();
    if (longer.length > WIDTH) lines.push(word);
    else lines[last] = longer;
  }
  return lines;
}

/**
 * The value as YAML. Texts that hold control characters or marks that reorder text are written in double quotes with these escaped, so
 * that a reviewer sees the spec that is evaluated.
 */
export function yamlText(value: JsonValue, { comment, lineWidth }: YamlOptions): string {
  const document = new Document(value);
  if (comment !== undefined) document.commentBefore = comment;
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value !== "string") return;
      // White space at the end is lost in blocks, and blank lines between queries would be added to them.
      if (escapeControls(node.value) !== node.value || /\s$/.test(node.value)) node.type = "QUOTE_DOUBLE";
    },
  });
  return escapeControls(document.toString({ lineWidth }));
}
