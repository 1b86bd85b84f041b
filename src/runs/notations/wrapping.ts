import { wordList } from "../../support/structures/word-list.ts";

/**
 * Matches a block in a harness's tags at the beginning of a text, such as `<system-reminder>…</system-reminder>`. Only these tags and tags
 * with a hyphen or underscore match, because they are not HTML.
 */
const leadingBlock =
  /^\s*<([a-z][a-z0-9]*[-_][\w-]*|context|environment|reminder|instructions|system)(?:\s[^<>]*)?>[\s\S]*?<\/\1>\s*/i;
const trailingBlock = /\s*<(system[-_]reminder|[a-z]+[-_]context|context)>(?:(?!<\1>)[\s\S])*<\/\1>\s*$/i;
/** Matches a tagged block that contains the user's text. */
const personsBlock =
  /^\s*<((?:user|human)[-_](?:query|message|input|request|prompt|question|task))>\s*([\s\S]*?)\s*<\/\1>/i;
/** Matches a text that is only a harness's block. Other tags, such as `<customer_message>`, can be the user's. */
const harnessBlock = /^\s*<(system|system[-_]reminder)>(?:(?!<\/?\1>)[\s\S])*<\/\1>\s*$/i;
const MOST_BLOCKS = 32;

/** Matches a field's heading in DSPy's prompts and answers, such as `[[ ## answer ## ]]`. */
const heading = /\[\[ ## (\w+) ## \]\]\n?/;
const headingStart = "[[ ## ";
/** DSPy fields that are neither the answer nor the question. */
const beside: ReadonlySet<string> = new Set(
  wordList(`
  reasoning rationale completed next_thought next_tool_name next_tool_args trajectory history
  context
`),
);
const instructions = /\n\nRespond with the corresponding output fields[\s\S]*$/;

/** Heading and end of the files that Gemini CLI and Qwen Code add to a text that mentions them, such as `@sky.png`. */
const filesHeading = "\n--- Content from referenced files ---";
const filesEnd = "\n--- End of content ---";

/** Matches the task inside CrewAI's prompt text, or before the text that CrewAI adds to a task. */
const task = /^\s*(?:Current Task: )?(\S[\s\S]*?)\n\nThis is the expected criteria for your final answer/;
/** Matches the marker between visible reasoning and the final answer. */
const concluded =
  /^(?:Thought:|I now can give a great answer|I now know the final answer)[\s\S]*?\bFinal Answer:\s*([\s\S]*\S)\s*$/i;

/**
 * Returns the user's text without wrappers of a harness or framework; an empty text if the harness wrote the complete message. `wrapping`:
 * the adapters' patterns, whose first group is the user's text.
 */
export function withoutWrapping(text: string, wrapping: readonly RegExp[]): string {
  const unwrapped = withoutBlocks(withoutFiles(withoutQuotes(text)));
  for (const pattern of [...wrapping, task]) {
    const found = pattern.exec(unwrapped)?.[1]?.trim() ?? "";
    if (found !== "") return found;
  }
  return unwrapped.includes(headingStart) ? (firstField(unwrapped) ?? unwrapped) : unwrapped;
}

/** Whether a harness wrote the complete text of a user's message. */
export function isHarnessText(text: string): boolean {
  return harnessBlock.test(text);
}

/** Returns the text inside quotes that a program added: its own quotes are escaped. */
function withoutQuotes(text: string): string {
  if (!text.startsWith('"') || !text.endsWith('"') || !text.includes('\\"')) return text;
  const inner = text.slice(1, -1);
  return inner.replaceAll('\\"', "").includes('"') ? text : inner.replaceAll('\\"', '"');
}

/** Returns the text without the content of files that it mentions. The text may go on after the files. */
function withoutFiles(text: string): string {
  const at = text.indexOf(filesHeading);
  if (at <= 0) return text;
  const end = text.lastIndexOf(filesEnd);
  return `${text.slice(0, at).trimEnd()}${end < at ? "" : text.slice(end + filesEnd.length)}`.trimEnd();
}

/** Returns the text outside tagged blocks, or the text inside the block that contains the user's text. */
function withoutBlocks(text: string): string {
  if (!text.includes("</")) return text;
  let remaining = text;
  for (let at = 0; at < MOST_BLOCKS; at++) {
    const own = personsBlock.exec(remaining)?.[2];
    if (own !== undefined) return own;
    const found = leadingBlock.exec(remaining) ?? undefined;
    if (found === undefined) break;
    remaining = remaining.slice(found[0].length);
  }
  for (let at = 0; at < MOST_BLOCKS; at++) {
    const found = trailingBlock.exec(remaining);
    if (found === null) break;
    remaining = remaining.slice(0, found.index);
  }
  return remaining === text ? text : remaining.trim();
}

/** Returns an answer without a framework's visible reasoning and headings. */
export function plainAnswer(text: string): string {
  if (text.includes(headingStart)) return lastField(text) ?? text;
  return text.includes("inal Answer:") || text.includes("INAL ANSWER:")
    ? (concluded.exec(text.trimStart())?.[1] ?? text)
    : text;
}

function fieldsIn(text: string): string[] {
  const parts = text.split(heading);
  const values: string[] = [];
  for (let at = 1; at + 1 < parts.length; at += 2) {
    const value = (parts[at + 1] ?? "").trim();
    if (value !== "" && !beside.has(parts[at] ?? "")) values.push(value);
  }
  return values;
}

function firstField(text: string): string | undefined {
  return fieldsIn(text.replace(instructions, ""))[0];
}

function lastField(text: string): string | undefined {
  const values = fieldsIn(text);
  return values[values.length - 1];
}
