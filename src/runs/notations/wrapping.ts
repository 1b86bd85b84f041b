import { wordList } from "../../support/structures/word-list.ts";

/** A block in tags of a harness's own, `<system-reminder>…</system-reminder>`: HTML's names have neither hyphen nor underscore. */
const leadingBlock =
  /^\s*<([a-z][a-z0-9]*[-_][\w-]*|context|environment|reminder|instructions)(?:\s[^<>]*)?>[\s\S]*?<\/\1>\s*/i;
const trailingBlock = /\s*<(system[-_]reminder|[a-z]+[-_]context|context)>(?:(?!<\1>)[\s\S])*<\/\1>\s*$/i;
/** A block that holds what the person wrote. */
const personsBlock =
  /^\s*<((?:user|human)[-_](?:query|message|input|request|prompt|question|task))>\s*([\s\S]*?)\s*<\/\1>/i;
const MOST_BLOCKS = 32;

/** Headings by which DSPy's programs tell the fields of a prompt and an answer apart. */
const heading = /\[\[ ## (\w+) ## \]\]\n?/;
const headingStart = "[[ ## ";
/** Fields that stand beside the answer, or beside the question. */
const beside: ReadonlySet<string> = new Set(
  wordList(`
  reasoning rationale completed next_thought next_tool_name next_tool_args trajectory history
  context
`),
);
const instructions = /\n\nRespond with the corresponding output fields[\s\S]*$/;

/** The task that CrewAI puts between its own words. */
const task = /^\s*Current Task: ([\s\S]+?)\n\nThis is the expected criteria/;
/** How agents end that think aloud, and whose frameworks leave the thoughts in. */
const concluded =
  /^(?:Thought:|I now can give a great answer|I now know the final answer)[\s\S]*?\bFinal Answer:\s*([\s\S]*\S)\s*$/i;
/** Old completions are asked for with both speakers' names in the text. */
const completion = /^\s*(?:[\s\S]*\n\s*)?Human:\s*([\s\S]*?\S)\s+Assistant:\s*$/;
const speaker = /^(system|developer|user|human|assistant|ai|tool|function): ?/i;

/**
 * A person's words without what a harness or framework puts around them; `wrapping` are the patterns that adapters declare, with the words as
 * the first group. Empty where all of the text is the harness's.
 */
export function withoutWrapping(text: string, wrapping: readonly RegExp[]): string {
  const words = withoutBlocks(text);
  for (const pattern of [...wrapping, task]) {
    const found = pattern.exec(words)?.[1]?.trim() ?? "";
    if (found !== "") return found;
  }
  if (words.includes(headingStart)) return firstField(words) ?? words;
  const asked = words.includes("Human:") ? completion.exec(words)?.[1] : undefined;
  return asked ?? (speaker.test(words) ? (lastOfUser(words) ?? words) : words);
}

/** The words before and after blocks in tags, or in the block that holds what the person wrote. */
function withoutBlocks(text: string): string {
  if (!text.includes("</")) return text;
  let words = text;
  for (let at = 0; at < MOST_BLOCKS; at++) {
    const own = personsBlock.exec(words)?.[2];
    if (own !== undefined) return own;
    const found = leadingBlock.exec(words) ?? undefined;
    if (found === undefined) break;
    words = words.slice(found[0].length);
  }
  for (let at = 0; at < MOST_BLOCKS; at++) {
    const found = trailingBlock.exec(words);
    if (found === null) break;
    words = words.slice(0, found.index);
  }
  return words === text ? text : words.trim();
}

/** An answer without the thoughts and headings that a framework has around it. */
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

/** The user's last words in a transcript of one text, a line for each change of the speaker; undefined where only one speaks. */
function lastOfUser(text: string): string | undefined {
  let last: string | undefined;
  let said: string[] = [];
  let isUser = false;
  let speakers = 0;
  for (const line of [...text.split("\n"), "system: "]) {
    const match = speaker.exec(line);
    if (match === null) {
      said.push(line);
      continue;
    }
    if (isUser) last = said.join("\n").trim();
    isUser = /^(?:user|human)$/i.test(match[1] ?? "");
    said = [line.slice(match[0].length)];
    speakers++;
  }
  return speakers > 2 && last !== "" ? last : undefined;
}
