import { wordList } from "../../support/structures/word-list.ts";

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
const speaker = /^(system|developer|user|human|assistant|ai|tool|function): ?/i;

/** A user's words without what a framework puts around them; the text itself where there is nothing around. */
export function plainQuery(text: string): string {
  const named = text.includes("Current Task: ") ? task.exec(text)?.[1]?.trim() : undefined;
  if (named !== undefined) return named;
  if (text.includes(headingStart)) return firstField(text) ?? text;
  return speaker.test(text) ? (lastOfUser(text) ?? text) : text;
}

/** An answer without the thoughts and headings that a framework has around it. */
export function plainAnswer(text: string): string {
  if (text.includes(headingStart)) return lastField(text) ?? text;
  return text.includes("inal Answer:") || text.includes("INAL ANSWER:")
    ? (concluded.exec(text.trimStart())?.[1] ?? text)
    : text;
}

function fieldsIn(text: string): [name: string, value: string][] {
  const parts = text.split(heading);
  const fields: [string, string][] = [];
  for (let at = 1; at + 1 < parts.length; at += 2)
    fields.push([parts[at] ?? "", (parts[at + 1] ?? "").trim()]);
  return fields.filter(([name, value]) => value !== "" && !beside.has(name));
}

function firstField(text: string): string | undefined {
  return fieldsIn(text.replace(instructions, ""))[0]?.[1];
}

function lastField(text: string): string | undefined {
  const fields = fieldsIn(text);
  return fields[fields.length - 1]?.[1];
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
