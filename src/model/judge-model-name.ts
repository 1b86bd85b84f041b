/**
 * Returns the problem of a judge model's name; null if the name is valid. Valid forms are `model`, `provider/model`, and AgentCI's
 * `anthropic:model` and `openai:model`.
 */
export function modelNameProblem(written: string): string | null {
  const [, provider, id] =
    /^(anthropic|openai):(.*)$/s.exec(written) ?? /^([^/]*)\/(.*)$/s.exec(written) ?? [];
  if (written.trim() === "" || id?.trim() === "") return "has no model";
  return provider?.trim() === "" ? "has no provider before the slash" : null;
}
