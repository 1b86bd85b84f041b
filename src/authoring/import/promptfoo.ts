import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { compact, type Imported, placeIn, type SourceDocument } from "./imported.ts";
import { type Blocks, carryAssert } from "./promptfoo-asserts.ts";
import { filled, variableText, variations } from "./promptfoo-variables.ts";
import { Source } from "./source.ts";

/** A promptfoo configuration: each test with its asserts, the prompt filled in with the test's variables. */
export function importPromptfoo(documents: readonly SourceDocument[]): Imported {
  const configs = documents.map(
    (document) => new Source(asConfig(document.value), placeIn(document, "config")),
  );
  const queries = configs.flatMap((config) => {
    const prompt = promptOf(config);
    const shared = config.inner("default_test");
    const templates = config.inner("assert_templates");
    const context: Context = {
      prompt,
      common: shared.items("assert"),
      variables: shared.inner("vars"),
      templates,
    };
    return config
      .items("tests", (one, at) =>
        typeof one["description"] === "string" ? one["description"] : `${config.place}.tests[${at}]`,
      )
      .flatMap((test) => queriesOf(test, context))
      .map((query) => ({ query, remarks: [] }));
  });
  return { queries, agent: null, root: {}, left: configs.flatMap((config) => config.rest()) };
}

/** A file of tests alone is read, too. */
function asConfig(value: JsonValue): JsonValue {
  return isArray(value) ? { tests: value } : value;
}

interface Context {
  readonly prompt: string | undefined;
  readonly common: readonly Source[];
  readonly variables: Source;
  readonly templates: Source;
}

/** One question is asked, whatever the number of prompts. */
function promptOf(config: Source): string | undefined {
  const value = config.value("prompts");
  if (isObject(value)) config.leave("prompts", "named by a map");
  const [first, ...others] = isArray(value) ? value : typeof value === "string" ? [value] : [];
  others.forEach((_, at) => config.leave(`prompts[${at + 1}]`, "only the first prompt is asked"));
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

function queriesOf(test: Source, { prompt, common, variables, templates }: Context): readonly JsonObject[] {
  const own = test.value("vars");
  const description = test.text("description");
  const asserts = [...common, ...test.items("assert")];
  if (typeof own === "string") test.leave("vars", own);
  const all = { ...variables.all(), ...(isObject(own) ? own : {}) };
  const { combinations, cut } = variations(all);
  if (cut) test.leave("vars", "of very many combinations the first are asked");
  const used = new Set<string>();
  const queries = combinations.map((values) => {
    const blocks: Blocks = { correctness: {}, path: {}, cost: {}, spans: [] };
    for (const assert of asserts) carryAssert(assert, blocks, { values, templates, used });
    return compact({
      query: filled(prompt, values, used),
      description,
      correctness: compact(blocks.correctness),
      path: compact(blocks.path),
      cost: compact(blocks.cost),
      spans: blocks.spans,
    });
  });
  for (const name of Object.keys(all)) {
    if (!used.has(name)) test.leave(`vars.${name}`, variableText(all[name] ?? "").slice(0, 60));
  }
  return queries;
}
