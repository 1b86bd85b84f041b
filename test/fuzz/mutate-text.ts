import { below, oneOf, type Random } from "./chance.ts";

/** No text is longer, in characters. */
const LONGEST = 400_000;
const DEEPEST = 6_000;

type Wrap = readonly [open: string, close: string];
const wraps: readonly [Wrap, ...Wrap[]] = [
  ["[", "]"],
  ['{"a":', "}"],
  ['{"content":', "}"],
  ['[{"role":"user","content":', "}]"],
  ['{"type":"text","text":', "}"],
  ["(", ",)"],
  ["{'a': ", "}"],
  ["Part(text=", ")"],
  ["<Role.USER: ", ">"],
  ["{", "}"],
  ['{"__proto__":', "}"],
  ['{"constructor":{"prototype":', "}}"],
];
const leaves = [
  "1",
  "null",
  "None",
  '"a"',
  "'a'",
  "",
  "1e999",
  "-",
  '"\\ud800"',
  "nan",
  "True",
  '"""a',
  "b'\\xff'",
  "...[truncated]",
  "]",
  "}",
  '"',
  "\\",
  "\u202e",
  "[]",
  "{}",
] as const;
const messages = [
  '[{"role":"user","parts":[{"type":"text","content":"hi"}]},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{\\"a\\":1}"}}]}]',
  "[HumanMessage(content='hi', id='1'), AIMessage(content='', tool_calls=[{'name': 'f', 'args': {}, 'id': 'x'}])]",
  '{"usage":{"input_tokens":3},"choices":[{"message":{"role":"assistant","content":"hi"}}]}',
  '{"error":{"message":"no"},"is_error":true,"documents":[{"id":"1","score":0.5}]}',
] as const;

/** A text that may hold a value: nested, wide, with texts within texts, cut off, and none of these. */
export function mutateText(random: Random): string {
  let text: string = random() < 0.5 ? oneOf(leaves, random) : oneOf(messages, random);
  for (let left = 1 + below(5, random); left > 0; left--) text = oneOf(changes, random)(text, random);
  return text.slice(0, LONGEST);
}

type Change = (text: string, random: Random) => string;

const changes: readonly [Change, ...Change[]] = [
  (text, random) => nest(text, [oneOf(wraps, random)], random),
  (text, random) => nest(text, [oneOf(wraps, random), oneOf(wraps, random)], random),
  (text, random) => {
    const [open, close] = oneOf(wraps, random);
    const most = random() < 0.1 ? LONGEST : 200;
    const count = 1 + below(Math.max(1, Math.floor(most / (text.length + 1))), random);
    return `${open}${Array<string>(count).fill(text).join(",")}${close}`;
  },
  (text) => JSON.stringify(text.slice(0, LONGEST / 8)),
  (text, random) =>
    `[{"role":"tool","content":${JSON.stringify(text.slice(0, LONGEST / 8 + below(9, random)))}}]`,
  (text, random) => text.slice(0, below(text.length + 1, random)),
  (text, random) => {
    const at = below(text.length + 1, random);
    return text.slice(0, at) + oneOf(leaves, random) + text.slice(at);
  },
];

function nest(text: string, pairs: readonly Wrap[], random: Random): string {
  const around = pairs.reduce((sum, [open, close]) => sum + open.length + close.length, 0);
  const most = Math.min(DEEPEST, Math.floor((LONGEST - Math.min(text.length, LONGEST)) / around));
  const levels = below(random() < 0.5 ? Math.min(most + 1, 300) : most + 1, random);
  const open = pairs.map(([one]) => one).join("");
  const close = pairs
    .map(([, one]) => one)
    .reverse()
    .join("");
  return open.repeat(levels) + text + close.repeat(levels);
}
