import { type CallPlan, textOfPlan } from "../call.ts";
import { placeholder } from "./placeholders.ts";

/**
 * Replaces the placeholders of a shell command: `{query}`, `{query_id}`, `{run}`, `{session}`, `{turn}`, `{history}` and `{messages}`.
 * Numbers and lists become JSON. Each value is quoted, so that the shell reads it as text, even if the placeholder is within quotation
 * marks.
 */
export function commandLine(command: string, plan: CallPlan, platform: NodeJS.Platform): string {
  const values = valuesOf(plan);
  const textOf = (name: string): string => {
    const value = values[name];
    return typeof value === "string" ? value : JSON.stringify(value ?? "");
  };
  return platform === "win32" ? filledForCmd(command, textOf) : filledForSh(command, textOf);
}

function filledForCmd(command: string, textOf: (name: string) => string): string {
  const quoted = new RegExp(`"${placeholder.source}"|${placeholder.source}`, "g");
  return command.replace(quoted, (_, inQuotes?: string, bare?: string) =>
    quotedForCmd(textOf(inQuotes ?? bare ?? "")),
  );
}

type Quote = "" | "'" | '"';

/** Matches the next token of a command: a backslash with the character after it, a quotation mark, a placeholder, or other text. */
const shellToken = new RegExp(String.raw`\\[^]|['"]|${placeholder.source}|[^\\'"{]+|[^]`, "g");

function filledForSh(command: string, textOf: (name: string) => string): string {
  let filled = "";
  let quote: Quote = "";
  let begin = 0;
  shellToken.lastIndex = 0;
  for (let found = shellToken.exec(command); found !== null; found = shellToken.exec(command)) {
    const [token, name] = found;
    const next = shellToken.lastIndex;
    if (name !== undefined) {
      const inQuotes = command.slice(begin, endOfQuotes(command, begin, quote));
      filled += quotedIn(quote, inQuotes, command.slice(begin, found.index), textOf(name));
    } else if (quote === "'" && token.startsWith("\\")) {
      // In single quotes, a backslash has no special meaning, so the next character is read as a token of its own; it may be the closing
      // quote.
      shellToken.lastIndex = found.index + 1;
      filled += "\\";
    } else {
      filled += token;
      if (token === quote) quote = "";
      else if (quote === "" && (token === "'" || token === '"')) [quote, begin] = [token, next];
    }
  }
  return filled;
}

function endOfQuotes(command: string, begin: number, quote: Quote): number {
  if (quote === "") return begin;
  const rest = quote === "'" ? /^[^']*/ : /^(?:[^"\\]|\\[^])*/;
  return begin + (rest.exec(command.slice(begin))?.[0].length ?? 0);
}

/**
 * Quotes a value for its place in a command. If the text in quotation marks contains blanks or brackets, as in `sh -c "…"`, it is a script.
 * The value is then also quoted for the shell of the script. Otherwise the text is one word, and the value a part of it.
 * @param inQuotes complete text within the quotation marks
 * @param before the part of `inQuotes` before the value
 */
function quotedIn(quote: Quote, inQuotes: string, before: string, value: string): string {
  const word = quotedForSh(value);
  if (quote === "") return word;
  if (!/[\s(]/.test(inQuotes)) return quote + word + quote;
  const inner = openQuote(quote === '"' ? before.replaceAll('\\"', '"') : before);
  const script = inner + word + inner;
  return quote === '"' ? script.replaceAll(/[\\"$`]/g, "\\$&") : script.replaceAll("'", "'\\''");
}

/** Returns the quotation mark that is not closed at the end of a text; empty if there is none. */
function openQuote(text: string): Quote {
  let quote: Quote = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "\\" && quote !== "'") at++;
    else if (char === quote) quote = "";
    else if (quote === "" && (char === "'" || char === '"')) quote = char;
  }
  return quote;
}

/** Returns the values of placeholders. For a query that is no conversation, the turn is 1, and the session is new. */
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

/** Quotes a text for a POSIX shell. In single quotes, only the single quote itself has a special meaning. */
export function quotedForSh(text: string): string {
  return `'${text.replaceAll("\u0000", "").replaceAll("'", "'\\''")}'`;
}

/** Quotes a text for cmd.exe. Line breaks, `%` and `!` cannot be quoted, and become spaces. */
function quotedForCmd(text: string): string {
  return `"${text
    .replaceAll("\u0000", " ")
    .replace(/[\r\n%!]/g, " ")
    .replaceAll('"', '""')}"`;
}

/**
 * Replaces the placeholders in a body for `--url`: `{query}`, `{query_id}` and `{session}` become JSON strings with quotation
 * marks, `{run}` and `{turn}` numbers, `{history}` and `{messages}` lists.
 */
export function requestBody(template: string, plan: CallPlan): string {
  const values = valuesOf(plan);
  const quoted = new RegExp(`"?${placeholder.source}"?`, "g");
  return template.replace(quoted, (_, name: string) => JSON.stringify(values[name]));
}
