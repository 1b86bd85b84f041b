import { type DocumentNode, itemsAt, nodeAt, type ScalarNode } from "../document/node.ts";
import { problemAt, warningAt, type Problem } from "../document/problems/problem.ts";
import { modelNameProblem } from "../../model/judge-model-name.ts";
import { suggest } from "../document/problems/suggest.ts";

/** Names of rubric templates and providers that a spec can use. */
export interface JudgeNames {
  /** Rubric templates, as `name@version`. */
  readonly templates: readonly string[];
  /** Built-in and configured providers of judge models. */
  readonly providers: readonly string[];
}

/** Checks whose value is a rubric or a list of rubrics. */
const rubricKeys = ["llm_judge", "safety_check", "hallucination_check"];

/** Reports names of judge models in which the model or the provider is empty, such as `openai/`. */
export function invalidModelNames(root: DocumentNode, queries: readonly DocumentNode[]): Problem[] {
  return judgeModels(root, queries).flatMap(({ at, value }) => {
    const problem = modelNameProblem(String(value));
    if (problem === null) return [];
    const message = `the judge model ${JSON.stringify(value)} ${problem}`;
    return [problemAt(at, "spec/invalid-value", message, "write `provider/model`, such as `openai/gpt-4o`")];
  });
}

export function unknownJudgeNames(
  root: DocumentNode,
  queries: readonly DocumentNode[],
  { templates, providers }: JudgeNames,
): Problem[] {
  const rubrics = unique(queries.flatMap(rubricsOf));
  const names = unique(rubrics.flatMap(templateOf));
  return [
    ...names.flatMap((name) => unknownTemplate(name, templates)),
    ...judgeModels(root, queries).flatMap((model) => unknownProvider(model, providers)),
  ];
}

/** Returns all names of judge models. */
function judgeModels(root: DocumentNode, queries: readonly DocumentNode[]): readonly ScalarNode[] {
  const settings = nodeAt(root, ["judge_config"]);
  return unique([
    ...scalars(nodeAt(settings, ["model"])),
    ...scalars(nodeAt(settings, ["cascade", "first"])),
    ...scalars(nodeAt(settings, ["ensemble", "models"])),
    ...queries.flatMap(rubricsOf).flatMap((rubric) => scalars(nodeAt(rubric, ["model"]))),
    ...queries.flatMap((query) => scalars(nodeAt(query, ["simulate", "model"]))),
  ]);
}

function rubricsOf(query: DocumentNode): DocumentNode[] {
  return [
    ...rubricKeys.flatMap((key) => items(nodeAt(query, ["correctness", key]))),
    ...itemsAt(query, "spans").flatMap((span) => items(nodeAt(span, ["judge"]))),
  ];
}

function templateOf(rubric: DocumentNode): ScalarNode[] {
  return scalars(rubric.kind === "map" ? nodeAt(rubric, ["rubric"]) : rubric);
}

function unknownTemplate({ at, value }: ScalarNode, templates: readonly string[]): Problem[] {
  if (typeof value !== "string") return [];
  const names = templates.map((template) => template.replace(/@.*/, ""));
  if (templates.includes(value) || names.includes(value)) return [];
  const [name = ""] = value.split("@");
  const message = `unknown rubric template ${JSON.stringify(value)}`;
  return [problemAt(at, "spec/unknown-name", message, templateHint(name, templates, names))];
}

function templateHint(name: string, templates: readonly string[], names: readonly string[]): string {
  const near = names.includes(name) ? name : suggest(name, names);
  // The last template of a name in the list is the newest version.
  const meant = templates.findLast((_, at) => names[at] === near);
  if (meant !== undefined) return `did you mean ${JSON.stringify(meant)}?`;
  if (/\s/.test(name)) return "write the rule for the answer: `{ rule: … }`";
  return `templates: ${[...new Set(names)].join(", ")}; add folders with \`judge.rubrics\` in the configuration`;
}

/** Reports an unknown provider. A name without provider is valid: Anthropic's or OpenAI's model. */
function unknownProvider({ at, value }: ScalarNode, providers: readonly string[]): Problem[] {
  const [, provider] =
    modelNameProblem(String(value)) === null ? (/^([^/]+)\//.exec(String(value)) ?? []) : [];
  if (provider === undefined || providers.includes(provider)) return [];
  const near = suggest(provider, providers);
  const message = `unknown judge provider \`${provider}\`; known providers: ${providers.join(", ")}`;
  const hint =
    near === undefined
      ? `declare \`judge.providers.${provider}\` in the configuration`
      : `did you mean \`${near}/${String(value).slice(provider.length + 1)}\`?`;
  return [warningAt(at, "spec/unknown-name", message, hint)];
}

function items(node: DocumentNode | undefined): readonly DocumentNode[] {
  if (node === undefined) return [];
  return node.kind === "list" ? node.items : [node];
}

function scalars(node: DocumentNode | undefined): ScalarNode[] {
  return items(node).flatMap((item) =>
    item.kind === "scalar" && typeof item.value === "string" ? [item] : [],
  );
}

/** Removes duplicate nodes. Queries share inherited nodes. */
function unique<Node extends DocumentNode>(nodes: readonly Node[]): readonly Node[] {
  return [...new Set(nodes)];
}
