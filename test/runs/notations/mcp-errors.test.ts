import { expect, test } from "vitest";
import { parseJson } from "../../../src/model/json.ts";
import { outcomeOf } from "../../../src/runs/notations/result.ts";

/* A result of the Model Context Protocol that its server marks as an error is one, whatever is written around it. */

const text = '[{"type":"text","text":"no such table"}]';
const failed: readonly string[] = [
  `{"content":${text},"isError":true}`,
  `{"content":[],"isError":true}`,
  `{"content":${text},"isError":true,"structuredContent":{"rows":0},"_meta":{}}`,
  `{"content":${text},"is_error":true}`,
  `{"result":{"content":${text},"isError":true}}`,
  `{"jsonrpc":"2.0","id":1,"result":{"content":${text},"isError":true}}`,
  `{"id":"7","jsonrpc":"2.0","result":{"content":[],"isError":true,"_meta":{}}}`,
  `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such table"}}`,
  `[{"content":${text},"isError":true}]`,
  `{"type":"tool_result","tool_use_id":"t1","content":"no such table","is_error":true}`,
  `[{"type":"tool_result","tool_use_id":"t1","content":${text},"is_error":true}]`,
  `{"type":"mcp_tool_result","tool_use_id":"t1","is_error":true,"content":${text}}`,
  "CallToolResult(meta=None, content=[TextContent(type='text', text='no such table')], isError=True)",
  "meta=None content=[TextContent(type='text', text='no such table')] structuredContent=None isError=True",
  "{'content': [{'type': 'text', 'text': 'no such table'}], 'isError': True}",
];
const fine: readonly string[] = [
  `{"content":${text},"isError":false}`,
  `{"jsonrpc":"2.0","id":1,"result":{"content":${text},"isError":false}}`,
  `{"jsonrpc":"2.0","id":1,"result":{"content":${text}}}`,
  `{"jsonrpc":"2.0","id":1,"result":{"content":${text}},"error":null}`,
  '{"content":[{"type":"text","text":"the server sets isError: true if it fails"}]}',
  '{"content":[{"type":"text","text":"isError=True"}],"isError":false}',
  '{"id":1,"is_error":true}',
  '[{"name":"is_error","value":true}]',
];

const asValueAndText = (results: readonly string[]) =>
  results.flatMap((result) => {
    const parsed = parseJson(result);
    return [
      ["text", result, result] as const,
      ["text in JSON", JSON.stringify(result), JSON.stringify(result)] as const,
      ...(parsed === undefined ? [] : [["value", result, parsed] as const]),
    ];
  });

test.each(asValueAndText(failed))("an error as %s: %s", (_, __, result) => {
  expect(outcomeOf(result).isError).toBe(true);
});

test.each(asValueAndText(fine))("no error as %s: %s", (_, __, result) => {
  expect(outcomeOf(result).isError).toBe(false);
});
