import { expect, test } from "vitest";
import { ResponseStore } from "../../src/model-server/server/response-store.ts";

const message = (id: string, content: string) => ({ id, type: "message", role: "user", content });

test("what is stored stays within its bytes, and the newest is kept", () => {
  const store = new ResponseStore({ entries: 1_000, bytes: 10_000 });
  for (let at = 0; at < 100; at++) {
    store.open(`conv_${at}`, { items: [message(`msg_${at}`, "x".repeat(1_000))] });
    store.append("conv_shared", []);
    expect(store.keptBytes).toBeLessThanOrEqual(10_000);
  }

  expect(store.items("conv_0")).toBeNull();
  expect(store.items("conv_99")).toHaveLength(1);
});

test("an item of a dropped response is no longer referred to", () => {
  const store = new ResponseStore({ entries: 1, bytes: 10_000 });
  const reference = { input: [{ type: "item_reference", id: "msg_a" }] };
  store.add({ input: "q" }, { id: "resp_a", output: [message("msg_a", "first")] });
  expect(store.expand(reference)).toMatchObject({ input: [{ content: "first" }] });
  store.add({ input: "q" }, { id: "resp_b", output: [message("msg_b", "second")] });

  expect(store.expand(reference)).toMatchObject({ input: [{ type: "item_reference" }] });
  expect(store.response("resp_a")).toBeNull();
});
