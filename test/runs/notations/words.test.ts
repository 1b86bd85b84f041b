import { expect, test } from "vitest";
import type { JsonValue } from "../../../src/model/json.ts";
import {
  answerIn,
  plainAnswer,
  questionIn,
  storedAnswer,
  structuredAnswer,
  withoutWrapping,
} from "../../../src/runs/notations/words.ts";

const questions: readonly (readonly [value: JsonValue | undefined, question: string | null])[] = [
  [undefined, null],
  ["Is it cold?", "Is it cold?"],
  ["  ", null],
  ["[redacted]", null],
  ['"Is it cold?"', "Is it cold?"],
  [{ query: "Is it cold?", top_k: 3 }, "Is it cold?"],
  [{ args: [], kwargs: { question: "Is it cold?" } }, "Is it cold?"],
  [{ args: ["Is it cold?"], kwargs: {} }, "Is it cold?"],
  [{ inputs: { messages: [{ role: "user", content: "Is it cold?" }] } }, "Is it cold?"],
  [
    [
      { role: "system", content: "be" },
      { role: "user", content: "Is it cold?" },
      { role: "assistant", content: "Yes" },
    ],
    "Is it cold?",
  ],
  [{ newMessage: { parts: [{ text: "Is it cold?" }] } }, null],
  [{ new_message: { role: "user", parts: [{ text: "Is it cold?" }] } }, "Is it cold?"],
  [{ city: "Oslo" }, null],
  ["{}", null],
  [[{ role: "user", content: "{}" }], null],
  [[{ role: "user", parts: [{ type: "text", content: "[]" }] }], null],
  [7, "7"],
];
test.each(questions)("the question in %j is %j", (value, question) => {
  expect(questionIn(value)).toBe(question);
});

const answers: readonly (readonly [value: JsonValue | undefined, answer: string | null])[] = [
  ["Yes", "Yes"],
  [{ output: "no", final_output: "Yes" }, "Yes"],
  [
    {
      messages: [
        { type: "human", content: "cold?" },
        { type: "ai", content: "Yes" },
      ],
    },
    "Yes",
  ],
  [
    [
      {
        role: "assistant",
        parts: [
          { type: "text", content: "Wait" },
          { type: "tool_call", name: "f" },
        ],
      },
    ],
    null,
  ],
  [
    [
      { role: "assistant", content: "Yes" },
      { role: "assistant", content: "", tool_calls: [{ name: "f" }] },
    ],
    "Yes",
  ],
  ['{"raw":"Yes","pydantic":nul', "Yes"],
  ['{"messages":[{"role":"user","content":"cold?"},{"role":"assistant","content":"Ye', null],
  [`${"x".repeat(256)}...`, null],
  ["AgentOutput(response=ChatMessage(role='assistant', content='Yes'), structured=No...", "Yes"],
  [{ ok: true }, null],
];
test.each(answers)("the answer in %j is %j", (value, answer) => {
  expect(answerIn(value)).toBe(answer);
});

const wrapped: readonly (readonly [text: string, words: string])[] = [
  ["Is it cold?", "Is it cold?"],
  ["<system-reminder>be brief</system-reminder>\nIs it cold?", "Is it cold?"],
  [
    "<environment_context>\n<cwd>/</cwd>\n</environment_context>\n<user_instructions>x</user_instructions>\nIs it cold?",
    "Is it cold?",
  ],
  ["Is it cold?\n\n<system-reminder>\nbe brief\n</system-reminder>", "Is it cold?"],
  ["<context-files>a</context-files><user_query>\nIs it cold?\n</user_query>", "Is it cold?"],
  ["<environment_context>x</environment_context>", ""],
  ["<div>a</div> What is this?", "<div>a</div> What is this?"],
  ["New task:\nIs it cold?", "Is it cold?"],
  ["\nCurrent Task: Is it cold?\n\nThis is the expected criteria for your final answer", "Is it cold?"],
  [
    "[[ ## question ## ]]\nIs it cold?\n\nRespond with the corresponding output fields, starting",
    "Is it cold?",
  ],
  ["User: only one speaks", "User: only one speaks"],
];
test.each(wrapped)("the person's words in %j are %j", (text, words) => {
  expect(withoutWrapping(text, [/^New task:\n([\s\S]+)$/])).toBe(words);
});

test.each([
  ["Yes", "Yes"],
  ["Thought: hm\nFinal Answer: Yes", "Yes"],
  ["The Final Answer: format is old", "The Final Answer: format is old"],
  ["[[ ## reasoning ## ]]\nhm\n\n[[ ## answer ## ]]\nYes\n\n[[ ## completed ## ]]", "Yes"],
])("the plain answer of %j is %j", (text, answer) => {
  expect(plainAnswer(text)).toBe(answer);
});

test("structured answers are JSON, and what stands beside an answer is none", () => {
  expect(storedAnswer({ output: { structured_response: { cold: true } } })).toBe('{"cold":true}');
  expect(storedAnswer({ structured_response: "", output: "Yes" })).toBeNull();
  expect(structuredAnswer({ cold: true })).toBe('{"cold":true}');
  for (const value of [
    {},
    { input_tokens: 3 },
    { calls: [], approvals: [] },
    [],
    [{ role: "user", content: "hi" }],
    "It is... [truncated]",
  ])
    expect(structuredAnswer(value)).toBeNull();
});
