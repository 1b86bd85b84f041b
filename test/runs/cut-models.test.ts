import { expect, it } from "vitest";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Names of models that were cut off are unknown. */

it.each([
  ["within a word", "gpt-4.1-min", "gpt-4.1-mini-2025-04-14", [], ["gpt-4.1-mini-2025-04-14"]],
  ["behind a point", "gpt-4.", "gpt-4.1-mini", [], ["gpt-4.1-mini"]],
  ["in the response", "gpt-4.1-mini", "gpt-4.1-mi", ["gpt-4.1-mini"], []],
  [
    "nowhere: a version",
    "gpt-4.1-mini",
    "gpt-4.1-mini-2025-04-14",
    ["gpt-4.1-mini"],
    ["gpt-4.1-mini-2025-04-14"],
  ],
  ["nowhere: another model", "gpt-4", "gpt-4o", ["gpt-4"], ["gpt-4o"]],
])("a name that was cut %s: %s and %s", async (_, request, response, models, responseModels) => {
  const [run] = await replayed(
    document([
      span("a", undefined, "chat", 0, 9, {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": request,
        "gen_ai.response.model": response,
      }),
    ]),
  );
  expect(run).toMatchObject({ models, responseModels });
});
