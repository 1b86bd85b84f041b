import { normaliseText } from "../../match/rules/normalise.ts";
import { isArray, isObject, type JsonValue } from "../../model/json.ts";
import { carryAssert } from "./promptfoo-asserts.ts";
import { QueryBlocks } from "./promptfoo-blocks.ts";
import { filled, variableText, variations } from "./promptfoo-variables.ts";
import { compact, type Imported, placeIn, Source, type SourceDocument } from "./source.ts";

/**
 * Converts a promptfoo configuration. The tests with the same question become a query, with their asserts as
 * its checks.
 */
export function importPromptfoo(documents: readonly SourceDocument[]): Imported {
  const configs = documents.map(
    (document) => new Source(asConfig(document.value), placeIn(document, "config")),
  );
  const questions = new Map<string, Question>();
  for (const config of configs) {
    const prompt = promptOf(config);
    const shared = config.inner("default_test");
    const templates = config.inner("assert_templates");
    const context: Context = {
      prompt,
      common: shared.items("assert"),
      variables: shared.inner("vars"),
      templates,
      transformed: shared.inner("options").has("transform"),
    };
    const tests = config.items("tests", (one, at) =>
      typeof one["description"] === "string" ? one["description"] : `${config.place}.tests[${at}]`,
    );
    for (const test of tests) addTest(test, context, questions);
  }
  const queries = [...questions.values()].map(({ text, description, blocks }) => ({
    query: compact({ query: text, description, ...blocks.written() }),
    remarks: [],
  }));
  // In promptfoo, one failed assert fails the test, so violations of path and cost fail, too.
  const root = { preset: "promptfoo", severity: { path: "fail", cost: "fail" } };
  return { queries, agent: null, root, left: configs.flatMap((config) => config.rest()) };
}

/**
 * The asserts of all tests with the same question, which become one query, because a spec has one query per
 * text.
 */
interface Question {
  readonly text: string;
  readonly description: string | undefined;
  readonly blocks: QueryBlocks;
}

/** Returns the value as a configuration. A list of tests becomes `{ tests }`. */
function asConfig(value: JsonValue): JsonValue {
  return isArray(value) ? { tests: value } : value;
}

interface Context {
  readonly prompt: string | undefined;
  readonly common: readonly Source[];
  readonly variables: Source;
  readonly templates: Source;
  readonly transformed: boolean;
}

/**
 * Returns the first prompt, because a query has one text. The other prompts are reported as not converted.
 */
function promptOf(config: Source): string | undefined {
  const value = config.value("prompts");
  if (isObject(value)) config.leave("prompts", "the prompts are a map; write them as a list");
  const [first, ...others] = isArray(value) ? value : typeof value === "string" ? [value] : [];
  others.forEach((_, at) => config.leave(`prompts[${at + 1}]`, "only the first prompt is used"));
  if (isObject(first)) {
    const prompt = new Source(first, `${config.place}.prompts[0]`);
    const text = prompt.text("raw") ?? prompt.text("label") ?? prompt.text("id");
    for (const one of prompt.rest()) config.leave(one.slice(config.place.length + 1));
    return text;
  }
  if (typeof first !== "string") return undefined;
  if (!/^(?:file|exec|https?):/.test(first)) return first;
  config.leave("prompts[0]", `${first}: the question is taken from the variables`);
  return undefined;
}

function addTest(test: Source, context: Context, questions: Map<string, Question>): void {
  const { prompt, common, variables, templates } = context;
  const own = test.value("vars");
  const description = test.text("description");
  const options = test.inner("options");
  const asserts = [
    ...(options.flag("disableDefaultAsserts") === true ? [] : common),
    ...test.items("assert"),
  ];
  const transformed = context.transformed || options.has("transform");
  const threshold = test.number("threshold");
  if (threshold !== undefined && threshold !== 1)
    test.leave("threshold", `${threshold}: a spec requires every assert to pass`);
  if (typeof own === "string") test.leave("vars", own);
  const all = { ...variables.all(), ...(isObject(own) ? own : {}) };
  const { combinations, cut } = variations(all);
  if (cut) test.leave("vars", "there are too many combinations, so only the first ones are used");
  const used = new Set<string>();
  for (const values of combinations) {
    const { text, open } = filled(prompt, { values, used });
    if (open.length > 0)
      test.leave("", `the question still contains placeholders without a value: ${open.join(", ")}`);
    const key = normaliseText(text);
    const question = questions.get(key) ?? { text, description, blocks: new QueryBlocks() };
    questions.set(key, question);
    for (const assert of asserts)
      carryAssert(assert, question.blocks, { values, templates, used, transformed });
  }
  for (const name of Object.keys(all)) {
    if (!used.has(name)) test.leave(`vars.${name}`, variableText(all[name] ?? "").slice(0, 60));
  }
}
