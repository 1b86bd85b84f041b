import { type CallPlan, textOfPlan } from "../call.ts";
import { placeholder } from "./placeholders.ts";

/**
 * Replaces the placeholders of a shell command: `{query}`, `{query_id}`, `{run}`, `{session}`, `{turn}`, `{history}` and `{messages}`.
 * Numbers and lists become JSON. Each value is quoted as one word for the shell.
 */
export function commandLine(command: string, plan: CallPlan, platform: NodeJS.Platform): string {
  const quote = platform === "win32" ? quotedForCmd : quotedForSh;
  const values = valuesOf(plan);
  return command.replace(placeholder, (_, name: string) => {
    const value = values[name];
    return quote(typeof value === "string" ? value : JSON.stringify(value ?? ""));
  });
}

/** Returns the values of placeholders. A single query counts as the first turn of a new session. */
function valuesOf(plan: CallPlan): Readonly<Record<string, unknown>> {
  const { query, number, turn } = plan;
  const text = textOfPlan(plan);
  const history = turn?.history ?? [];
  return {
    query: text,
    query_id: query.id,
    run: number,
    session: turn?.session ?? `${query.id}-${number}`,
    turn: turn?.number ?? 1,
    history,
    messages: [...history, { role: "user", content: text }],
  };
}

/** Quotes a text for a POSIX shell. In single quotes, only the single quote has a meaning. */
export function quotedForSh(text: string): string {
  return `'${text.replaceAll("\u0000", "").replaceAll("'", "'\\''")}'`;
}

/** Line breaks, `%` and `!` cannot be quoted, and become spaces. */
function quotedForCmd(text: string): string {
  return `"${text
    .replaceAll("\u0000", " ")
    .replace(/[\r\n%!]/g, " ")
    .replaceAll('"', '""')}"`;
}

/**
 * Replaces the placeholders in a body for `--url`: `{query}` and `{query_id}` become JSON strings with quotation marks, `{run}` and
 * `{turn}` numbers, `{history}` and `{messages}` lists.
 */
export function requestBody(template: string, plan: CallPlan): string {
  const values = valuesOf(plan);
  const quoted = new RegExp(`"?${placeholder.source}"?`, "g");
  return template.replace(quoted, (_, name: string) => JSON.stringify(values[name]));
}
