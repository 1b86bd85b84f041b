import { expect, test } from "vitest";
import { MisspeltTools, slipOf } from "../../src/authoring/doctor/misspelt-tools.ts";
import { runOf } from "../support/run-of.ts";
import { specOf } from "../support/spec-of.ts";

const offered = new Set(["find_booking", "room_price", "cancel_booking", "get_user", "readFile"]);

test.each([
  ["cancel_boking", "cancel_booking"],
  ["cancle_booking", "cancel_booking"],
  ["room_prices", "room_price"],
  ["readFille", "readFile"],
  ["reedFile", "readFile"],
  ["cancel-booking", null],
  ["CancelBooking", null],
  ["set_user", null],
  ["delete_booking", null],
  ["cancel_*", null],
  ["drop_database", null],
])("%s is a slip for %s", (name, near) => {
  expect(slipOf(name, offered)).toBe(near);
});

const spec = specOf(`agent: hotel
queries:
  - query: When?
    path: { expected_tools: [find_bookings], forbidden_tools: [cancel_boking, drop_database] }
`);
const definitions = ["find_booking", "cancel_booking"].map((name) => ({ type: "function", name }));

test("the place of each misspelt name is given", () => {
  const tools = new MisspeltTools();
  tools.add(runOf({ toolDefinitions: definitions }), spec.queries);
  tools.add(runOf({ toolDefinitions: definitions }), spec.queries);
  const lines = tools.warnings();
  expect(lines).toEqual([
    expect.stringMatching(/:4: the agent has no tool find_bookings; did you mean find_booking\?$/),
    expect.stringMatching(/:4: the agent has no tool cancel_boking; did you mean cancel_booking\?$/),
  ]);
});

test.each(["accepted_tool_sequences: [[find_bookings]]", "expected_tool_sequence: [find_bookings]"])(
  "%s",
  (path) => {
    const tools = new MisspeltTools();
    const { queries } = specOf(`agent: hotel\nqueries: [{ query: When?, path: { ${path} } }]\n`);
    tools.add(runOf({ toolDefinitions: definitions }), queries);
    expect(tools.warnings()).toHaveLength(1);
  },
);

test.each([
  "cost: { tool_budgets: { find_bookings: { max_calls: 1 }, find_booking: { max_calls: 1 } } }",
  "spans: [{ kind: tool, name: find_bookings, max_count: 0 }, { kind: agent, name: find_bookings }]",
  "retrieval: { tool: find_bookings, forbid_empty: true }",
])("%s", (block) => {
  const tools = new MisspeltTools();
  tools.add(
    runOf({ toolDefinitions: definitions }),
    specOf(`agent: hotel\nqueries: [{ query: When?, ${block} }]\n`).queries,
  );
  expect(tools.warnings()).toHaveLength(1);
});

test("without tool definitions nothing is said", () => {
  const tools = new MisspeltTools();
  tools.add(runOf({ tools: ["find_booking"] }), spec.queries);
  expect(tools.warnings()).toEqual([]);
});
