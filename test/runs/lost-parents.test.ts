import { expect, test } from "vitest";
import {
  agentSpan,
  chatAttributes,
  inputMessages,
  outputMessages,
  toolAttributes,
  words,
} from "../support/genai.ts";
import { document, span, type Span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

type More = Readonly<Record<string, unknown>>;

const agent = (parent?: string): Span => agentSpan("agent", parent, "watcher", 10, 90);
const chat = span("chat", "agent", "chat", 20, 30, {
  ...chatAttributes("gpt-4o-mini"),
  ...inputMessages(words("user", "How high?")),
  ...outputMessages(words("assistant", "3.1 metres.")),
});
const tool = (parent: string, more: More = {}): Span =>
  span("tool", parent, "execute_tool gauge", 40, 50, toolAttributes("gauge"), more);
const request = (parent: string, more: More = {}): Span =>
  span("request", parent, "GET", 41, 49, { "http.request.method": "GET" }, { kind: 3, ...more });
const server = span("server", undefined, "POST /ask", 0, 99, { "http.request.method": "POST" }, { kind: 2 });

const services = (spans: readonly Span[], others: readonly Span[]) => [
  document(spans, { resource: { "service.name": "shop" } }),
  document(others, { resource: { "service.name": "stock" } }),
];
const whole = [agent(), chat];

test.each<[string, boolean, readonly unknown[]]>([
  ["all parents came", true, [document([...whole, tool("agent")])]],
  ["a tool's parent is lost", false, [document([...whole, tool("lost")])]],
  ["it is lost below a server", false, [document([server, agent("server"), chat, tool("lost")])]],
  ["it is lost with the agent's parent", false, [document([agent("above"), chat, tool("lost")])]],
  ["only the agent's own parent is lost", true, [document([agent("above"), chat, tool("agent")])]],
  ["a tool shares the agent's lost parent", true, [document([agent("above"), chat, tool("above")])]],
  ["an HTTP request's parent is lost", false, [document([...whole, request("lost")])]],
  ["it may be a server's request", true, [document([server, agent("server"), chat, request("lost")])]],
  ["a sampled client is above a server", true, [document([...whole, request("lost", { kind: 2 })])]],
  ["the flags name a remote parent", true, [document([...whole, tool("lost", { flags: 0x301 })])]],
  ["a parent of another service is unknown", true, services(whole, [tool("lost")])],
  ["the flags name its own parent", false, services(whole, [tool("lost", { flags: 0x101 })])],
])("%s: complete is %j", async (_, complete, documents) => {
  const [run, ...rest] = await replayed(...documents);

  expect(rest).toEqual([]);
  expect(run).toMatchObject({ answer: "3.1 metres.", status: "ok", complete });
  expect(run?.missing.filter(({ what }) => what === "spans").length).toBe(complete ? 0 : 1);
});
