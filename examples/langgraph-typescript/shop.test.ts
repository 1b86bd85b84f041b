import { after, test } from "node:test";
import { startReceiver } from "tracejury";
import { assertMatchesSpec, assertUsesTools } from "tracejury/assert";

// The exporter reads its endpoint when the agent is imported, so the receiver must be started before the import.
const receiver = await startReceiver();
Object.assign(process.env, receiver.env);
const { ask } = await import("./shop-agent.ts");
after(() => receiver.close());

test("an order is looked up", async () => {
  await ask("Where is my order 1234?");
  assertMatchesSpec(await receiver.nextRun(), "order", "specs/shop.yaml");
});

test("the return policy needs no tool", async () => {
  await ask("What is your return policy?");
  assertMatchesSpec(await receiver.nextRun(), "returns", "specs/shop.yaml");
});

test("other words, the same tool", async () => {
  await ask("My order 5678 has not come yet, where is it?");
  assertUsesTools(await receiver.nextRun(), ["find_order"]);
});
