import { describe, expect, test } from "vitest";
import type { CheckResult } from "../../src/model/verdict.ts";
import { runOf, type RunText } from "../support/run-of.ts";
import { specOf } from "../support/spec-of.ts";
import { evaluatedBy } from "./support/judging.ts";
import { replied, said, scriptedPort } from "./support/scripted-port.ts";

const spec = specOf(`agent: "*"
queries:
  - query: "*"
    spans:
      - { kind: tool, name: mail, field: arguments.body, contains: order, judge: { rule: It is kind., model: openai/mail-judge } }`);

/** A judge that finds texts with "thanks" in them kind. */
async function judged(run: RunText) {
  const port = scriptedPort(({ user }) => replied(said(user.includes("thanks") ? 5 : 1)));
  const { layers } = await evaluatedBy(spec, port, runOf(run));
  const found: readonly CheckResult[] = layers.path.checks;
  return { port, found, outcomes: found.map(({ check, outcome }) => `${check} ${outcome}`) };
}

const mail = (body: string) => ({ name: "mail", arguments: { body } });

describe("a judge on a field of a step (AgentCI's span assertions)", () => {
  test("is asked about every such step, with the query beside it, and all must pass", async () => {
    const { port, outcomes } = await judged({
      tools: [mail("order 1, thanks"), mail("order 2, thanks"), "other"],
    });
    expect(outcomes).toEqual(["spans pass", "spans pass"]);
    expect(port.asked).toHaveLength(2);
    expect(port.asked[0]?.user).toContain("Where is my order?");
    expect(port.asked.map(({ model }) => model)).toEqual(["openai/mail-judge", "openai/mail-judge"]);
  });

  test("one that does not pass warns, and says which", async () => {
    const { found, outcomes } = await judged({ tools: [mail("order 1, thanks"), mail("order 2, go away")] });
    expect(outcomes).toEqual(["spans pass", "spans warn"]);
    expect(found[1]?.message).toContain("step 2 of 2");
  });

  test("a field that was not captured leaves it open; no such step is the assertion's own matter", async () => {
    expect((await judged({ tools: [{ name: "mail", arguments: undefined }] })).outcomes).toEqual([
      "spans incomplete",
      "spans incomplete",
    ]);
    const { port, outcomes } = await judged({ tools: ["other"] });
    expect(outcomes).toEqual(["spans warn", "spans skip"]);
    expect(port.asked).toEqual([]);
  });

  test("of very many steps the first are judged, and a pass of those is not one of all", async () => {
    const { port, outcomes } = await judged({
      tools: Array.from({ length: 100 }, () => mail("order, thanks")),
    });
    expect(port.asked).toHaveLength(8);
    expect(outcomes).toEqual(["spans pass", "spans incomplete"]);
  });
});
