import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const dir = temporaryFolder();

async function fixed(name: string, text: string) {
  const file = join(dir, name);
  writeFileSync(file, text);
  const { code, stderr } = await runCli("validate", "--fix", file);
  return { code, text: readFileSync(file, "utf8"), told: stderr.replaceAll(`${dir}/`, "") };
}

test("what a hint says for sure is mended, comments and line ends kept", async () => {
  const broken = `# ours
version: 1
agent: shop # the agent
queries:
  - query: 42
    tags: smoke
    path: { max_tool_cals: 3, maxLoops: 1, match_mode: subset }
    cost: { max_llm_calls: "3" }
`;
  const { code, text, told } = await fixed("spec.yaml", broken.replaceAll("\n", "\r\n"));

  expect(code).toBe(0);
  expect(text.replaceAll("\r\n", "\n")).toBe(`# ours
version: 1
agent: shop # the agent
queries:
  - query: "42"
    tags: ["smoke"]
    path: { max_tool_calls: 3, max_loops: 1, match_mode: contains }
    cost: { max_llm_calls: 3 }
`);
  expect(told).toContain("fixed spec.yaml:7:13: max_tool_cals → max_tool_calls\n");
});

test("what leaves a choice stays, and is told as ever", async () => {
  const broken = "version: 1\nagent: shop\nqueries:\n  - query: q\n    path: { max_total_tokens: 3 }\n";
  const { code, text, told } = await fixed("choice.yaml", broken);

  expect([code, text, told]).toEqual([1, broken, ""]);
});

test.each([
  ["[1.10]", '["1.10"]'],
  ["[0123]", '["0123"]'],
  ["[1e3, 0x1F]", '["1e3", "0x1F"]'],
  ["[12345678901234567890]", '["12345678901234567890"]'],
  ["[true, ~no]", '["true", ~no]'],
])("the text %s is put in quotes as it is written", async (written, quoted) => {
  const spec = (terms: string): string =>
    `version: 1\nagent: shop\nqueries:\n  - query: q\n    correctness: { not_in_answer: ${terms} }\n`;
  expect((await fixed("quotes.yaml", spec(written))).text).toBe(spec(quoted));
});

test.each([
  ["80", "0.8"],
  ["10.5", "0.105"],
  ["10", "10"],
  ["4", "4"],
  ["1.5", "1.5"],
])("a share of %s becomes %s: a small number may be a grade", async (written, expected) => {
  const spec = (min: string): string =>
    `version: 1\nagent: shop\nqueries:\n  - query: q\n    path: { expected_tools: [a], min_tool_recall: ${min} }\n`;
  expect((await fixed("share.yaml", spec(written))).text).toBe(spec(expected));
});

test("tabs before lines become blanks", async () => {
  const { code, text } = await fixed("tabs.yaml", "version: 1\nagent: shop\nqueries:\n\t- query: q\n");

  expect([code, text]).toEqual([0, "version: 1\nagent: shop\nqueries:\n  - query: q\n"]);
});

test("a valid file and one that cannot be read are left alone", async () => {
  const spec = "version: 1\nagent: shop\nqueries:\n  - query: q\n";

  expect(await fixed("good.yaml", spec)).toEqual({ code: 0, text: spec, told: "" });
  expect((await runCli("validate", "--fix", join(dir, "none.yaml"))).code).toBe(2);
});
