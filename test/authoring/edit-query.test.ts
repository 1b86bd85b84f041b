import { describe, expect, it } from "vitest";
import { editQuery } from "../../src/authoring/query-text/edit-query.ts";

const spec = `version: 1
agent: shop   # the shop
queries:
  - id: order
    query: "Where is order 17?"
    correctness: { expected_in_answer: ["{id}", Friday] }
    path: {expected_tools: [ find_order ], max_tool_calls: 1}   # one call

  # refunds are for people
  - id: refund
    query: 'Give me a refund'
    path: { forbidden_tools: [refund_order] }   # never
  - id: last
    query: hi
    tags: [a,   b]
`;

describe("editQuery", () => {
  it("changes only the query, and preserves its lists and maps in flow style", () => {
    expect(editQuery(spec, 1, [{ path: ["path", "max_tool_calls"], value: 1 }])).toBe(
      spec.replace(
        "{ forbidden_tools: [refund_order] }   # never",
        "{ forbidden_tools: [refund_order], max_tool_calls: 1 } # never",
      ),
    );
  });

  it("preserves the other queries if keys are added or removed, at any place", () => {
    const first = editQuery(spec, 0, [{ path: ["expected_fail"], value: true }]);
    expect(first).toContain("    path: {expected_tools: [ find_order ], max_tool_calls: 1} # one call\n");
    expect(first).toContain("    expected_fail: true\n\n  # refunds are for people\n");
    expect(first).toContain("    path: { forbidden_tools: [refund_order] }   # never\n");
    const last = editQuery(spec, 2, [{ path: ["expected_fail"], value: true }]);
    expect(last).toBe(`${spec.replace("[a,   b]", "[a, b]")}    expected_fail: true\n`);
    expect(editQuery(last ?? "", 2, [{ path: ["expected_fail"], value: undefined }])).toBe(
      spec.replace("[a,   b]", "[a, b]"),
    );
  });

  it("preserves a list of queries that is not indented, line ends, and text without a last line feed", () => {
    const flat = spec.replaceAll("\n  - ", "\n- ").replaceAll("\n    ", "\n  ");
    const edits = [{ path: ["path", "max_tool_calls"], value: 1 }];
    expect(editQuery(flat, 1, edits)).toBe(
      flat.replace("[refund_order] }   # never", "[refund_order], max_tool_calls: 1 } # never"),
    );
    const windows = spec.replaceAll("\n", "\r\n");
    expect(editQuery(windows, 1, edits)?.replaceAll("\r\n", "\n")).toBe(editQuery(spec, 1, edits));
    expect(editQuery(windows, 1, edits)?.replaceAll("\r\n", "")).not.toContain("\n");
    expect(editQuery("queries:\n  - query: a", 0, [{ path: ["tags"], value: ["x"] }])).toBe(
      "queries:\n  - query: a\n    tags:\n      - x",
    );
  });
});
