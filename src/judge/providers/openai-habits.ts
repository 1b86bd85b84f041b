/** Request parameters that one model at one server supports. */
export interface Habits {
  readonly format: "json_schema" | "json_object" | "text";
  readonly temperature: boolean;
  readonly seed: boolean;
  readonly lengthKey: "max_tokens" | "max_completion_tokens";
}

export function startingHabits(baseUrl: string, structured: boolean): Habits {
  const vendor = new URL(baseUrl).hostname === "api.openai.com";
  return {
    format: structured ? "json_schema" : "text",
    temperature: true,
    seed: true,
    lengthKey: vendor ? "max_completion_tokens" : "max_tokens",
  };
}

/**
 * Returns the parameters for another attempt after status 400 or 422: without the parameter that `body` names (or with its other name),
 * otherwise with a simpler response format. Returns null if a further attempt cannot help: the provider reports that the request is too
 * long, or no simpler format exists.
 */
export function habitsAfter(habits: Habits, body: string): Habits | null {
  if (/context.length|too long|too large/i.test(body)) return null;
  if (habits.temperature && /temperature/i.test(body)) return { ...habits, temperature: false };
  if (habits.seed && /\bseed\b/i.test(body)) return { ...habits, seed: false };
  if (habits.lengthKey === "max_tokens" && /max_completion_tokens/i.test(body))
    return { ...habits, lengthKey: "max_completion_tokens" };
  if (
    habits.lengthKey === "max_completion_tokens" &&
    /max_completion_tokens/i.test(body) &&
    !/max_tokens/i.test(body)
  )
    return { ...habits, lengthKey: "max_tokens" };
  if (habits.format === "json_schema") return { ...habits, format: "json_object" };
  if (habits.format === "json_object") return { ...habits, format: "text" };
  return null;
}
