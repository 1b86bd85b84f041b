import type { CallPlan } from "./call.ts";

/** The shell command with `{query}`, `{query_id}` and `{run}` filled in, each as one quoted word. */
export function commandLine(command: string, plan: CallPlan, platform: NodeJS.Platform): string {
  const quote = platform === "win32" ? quotedForCmd : quotedForSh;
  const values: Readonly<Record<string, string>> = {
    query: plan.query.text,
    query_id: plan.query.id,
    run: String(plan.number),
  };
  return command.replace(/\{(query|query_id|run)\}/g, (_, name: string) => quote(values[name] ?? ""));
}

/** Between single quotes nothing has a meaning but the quote itself. */
export function quotedForSh(text: string): string {
  return `'${text.replaceAll("\u0000", "").replaceAll("'", "'\\''")}'`;
}

/** `cmd` has no way to quote everything: what it would expand is left out. */
function quotedForCmd(text: string): string {
  return `"${text
    .replaceAll("\u0000", " ")
    .replace(/[\r\n%!]/g, " ")
    .replaceAll('"', '""')}"`;
}

/** A body for `--url`: `{query}` and `{query_id}` become JSON texts, quotation marks included, `{run}` a number. */
export function requestBody(template: string, plan: CallPlan): string {
  const values: Readonly<Record<string, unknown>> = {
    query: plan.query.text,
    query_id: plan.query.id,
    run: plan.number,
  };
  return template.replace(/"?\{(query|query_id|run)\}"?/g, (_, name: string) => JSON.stringify(values[name]));
}
