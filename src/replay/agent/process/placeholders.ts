import { suggest } from "../../../spec/document/problems/suggest.ts";

/** Placeholders of `--exec` and `--body`. */
const placeholderNames = ["query", "query_id", "run", "session", "history", "messages", "turn"] as const;

export const placeholder = new RegExp(`\\{(${placeholderNames.join("|")})\\}`, "g");

/** Matches a word in braces that is not a shell variable. Example: matches `{qery}`, but not `${HOME}`. */
const word = /(?<!\$)\{([A-Za-z][\w-]*)\}/g;
/** Matches the placeholders, and the environment variable, that contain the query's text. */
const textOfQuery = /\{(?:query|messages)\}|TRACEJURY_QUERY\b/;

export interface TemplateProblem {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly fix: string;
}

/**
 * Returns the problem of a command or request body with placeholders; null if there is none. A word in braces that is no placeholder may be
 * meant for the shell. It is an error only if it is similar to a placeholder, or if no placeholder passes the query's text to the agent.
 */
export function templateProblem(template: string, option: "--exec" | "--body"): TemplateProblem | null {
  if (option === "--exec" && template.trim() === "")
    return { severity: "error", message: "--exec is empty", fix: "write --exec 'python agent.py {query}'" };
  const hasText = textOfQuery.test(template);
  const known: readonly string[] = placeholderNames;
  for (const [written, name = ""] of template.matchAll(word)) {
    if (known.includes(name)) continue;
    const near = suggest(name, known);
    if (near === undefined && hasText) continue;
    return {
      severity: "error",
      message: `${option} has no placeholder ${written}`,
      fix:
        near === undefined
          ? `write {query} where the agent takes its question; placeholders: ${known.map((one) => `{${one}}`).join(" ")}`
          : `did you mean {${near}}?`,
    };
  }
  if (hasText) return null;
  return {
    severity: "warning",
    message: `${option} has no {query}, so each query would send the same ${option === "--exec" ? "command" : "request"}`,
    fix:
      option === "--exec"
        ? "write {query} where the agent takes its question, or let it read the variable TRACEJURY_QUERY"
        : "write {query} where the agent takes its question",
  };
}
