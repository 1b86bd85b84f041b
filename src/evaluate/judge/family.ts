const families: readonly (readonly [family: string, pattern: RegExp])[] = [
  ["Anthropic", /claude/],
  ["Google", /gemini|gemma|palm/],
  ["Meta", /llama/],
  ["Mistral", /mi[sx]tral|ministral|codestral|magistral/],
  ["Alibaba", /qwen|qwq/],
  ["DeepSeek", /deepseek/],
  ["xAI", /grok/],
  ["Microsoft", /(^|[/:-])phi/],
  ["Cohere", /command-|aya/],
  ["Amazon", /nova|titan/],
  ["OpenAI", /gpt|chatgpt|davinci|(^|\/)o\d/],
];

/** Returns the vendor that trained a model, from the model's id; null if the id does not show the vendor. */
export function modelFamily(model: string): string | null {
  const id = model.toLowerCase();
  return families.find(([, pattern]) => pattern.test(id))?.[0] ?? null;
}

/**
 * Returns warnings about an ensemble of judge models: a model is listed twice, or all models are of one family. Models of one family tend
 * to agree. Empty without warnings.
 */
export function panelAdvice(models: readonly string[]): readonly string[] {
  const advice: string[] = [];
  const twice = new Set(models.filter((m, i) => models.indexOf(m) !== i));
  for (const model of twice)
    advice.push(`${model} is listed more than once, and a model mostly agrees with itself`);
  const known = new Set(models.map((m) => modelFamily(m)));
  const [only] = known;
  if (models.length > 1 && known.size === 1 && typeof only === "string")
    advice.push(`all judges are ${only} models; judges of several families share fewer biases`);
  return advice;
}
