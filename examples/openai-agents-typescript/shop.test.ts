import { startReceiver } from "tracejury";
import "tracejury/vitest";
import { afterAll, expect, test } from "vitest";

// The exporter reads its endpoint when the agent is imported, so the receiver must be started before the import.
const receiver = await startReceiver();
Object.assign(process.env, receiver.env);
const { ask } = await import("./shop-agent.ts");
afterAll(() => receiver.close());

test("an order is looked up", async () => {
  await ask("Where is my order 1234?");
  expect(await receiver.nextRun()).toMatchSpec("order", "specs/shop.yaml");
});

test("the return policy needs no tool", async () => {
  await ask("What is your return policy?");
  expect(await receiver.nextRun()).toMatchSpec("returns", "specs/shop.yaml");
});

test("other words, the same tool", async () => {
  await ask("My order 5678 has not come yet, where is it?");
  expect(await receiver.nextRun()).toUseExactlyTools(["find_order"]);
});
