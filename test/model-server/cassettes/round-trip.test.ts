import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../../../src/model/json.ts";
import type { ModelAnswer } from "../../../src/model/model-exchange.ts";
import { readCassette } from "../../../src/model-server/cassettes/read-cassette.ts";
import { cassetteText } from "../../../src/model-server/cassettes/write-cassette.ts";
import { messageOf } from "../../../src/model-server/protocols/messages.ts";
import { protocols } from "../../../src/model-server/protocols/protocols.ts";
import { arbitraryAnswer } from "../protocols/arbitrary-answer.ts";
import { exchangeOf } from "../scripted.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const file = join(temporaryFolder(), "run.cassette.yaml");
const request = {
  model: "m",
  system: "You help.",
  messages: [messageOf("user", { text: "Hi" })],
  tools: [],
  parameters: {},
};

/** An answer that requests one tool with these arguments. */
function withArguments(text: string): ModelAnswer {
  const [answer] = fc.sample(arbitraryAnswer("openai-chat"), { seed: 1, numRuns: 1 });
  if (answer === undefined) throw new Error("no sample");
  return { ...answer, calls: [{ id: "c", name: "t", arguments: JSON.parse(text) as JsonValue }] };
}

test("a cassette gives each answer as it was recorded, but for the ids", () => {
  const answers = fc.oneof(...protocols.map(({ name }) => arbitraryAnswer(name)));
  fc.assert(
    fc.property(answers, (answer) => {
      const run = {
        id: "run",
        query: "Hi",
        exchanges: [exchangeOf(request, answer)],
        agent: null,
        service: null,
      };
      writeFileSync(file, cassetteText({ ...run, tokens: null, costUsd: null }, "none", null));

      const [read] = readCassette(file).run.exchanges;
      const calls = answer.calls.map((call) => ({ ...call, id: expect.any(String) as string }));
      expect(read?.answer).toEqual({ ...answer, id: null, calls });
    }),
    { examples: [[withArguments('{"a":{"__proto__":[]}}')]] },
  );
});

test("a cassette gives each request as it was recorded, and whether more tools may have been offered", () => {
  const answer = withArguments("{}");
  const asked = [request, { ...request, hasMoreTools: true }];
  const exchanges = asked.map((one) => exchangeOf(one, answer));
  const run = { id: "run", query: "Hi", exchanges, agent: null, service: null };
  writeFileSync(file, cassetteText({ ...run, tokens: null, costUsd: null }, "none", null));

  expect(readCassette(file).run.exchanges.map((one) => one.request)).toEqual(asked);
});
