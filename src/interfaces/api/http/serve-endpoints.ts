import { createHash } from "node:crypto";
import type { Context, Hono } from "hono";
import { z } from "zod";
import { escapeControls } from "../../../support/structures/control-characters.ts";
import { parseJsonText, valueBounds } from "../../../model/json.ts";
import { type Answer, badParameter, type Endpoint, type Problem, problemResponse } from "./endpoint.ts";
import { suggest } from "../../../spec/document/problems/suggest.ts";

const json = "application/json; charset=utf-8";
const MOST_BODY = 256 * 1024;
const unparsed = {
  syntax: "the body is not JSON",
  depth: `the body is JSON of more than ${valueBounds.levels} levels`,
  nodes: `the body is JSON of more than ${valueBounds.nodes} values`,
};

/** Registers endpoints. Each request is validated against the schemas of its endpoint. A JSON response that is no error has an ETag. */
export function serveEndpoints(app: Hono, endpoints: readonly Endpoint[]): void {
  for (const one of endpoints) {
    const path = one.path.replaceAll(/\{(\w+)\}/g, ":$1");
    app.on(one.method.toUpperCase(), path, (context) => answer(one, context));
  }
}

async function answer(one: Endpoint, context: Context): Promise<Response> {
  const query = parseQuery(one.query, new URL(context.req.url).searchParams);
  if ("problem" in query) return problemResponse(query.problem);
  const body = one.body === null ? { body: undefined } : await readBody(one.body, context);
  if ("problem" in body) return problemResponse(body.problem);
  const path = context.req.param();
  const headers = context.req.raw.headers;
  const given = await one.handle({ path, query: query.query as never, body: body.body as never, headers });
  return responseTo(given, one.status, context.req.header("if-none-match"));
}

function responseTo(given: Answer, status: Endpoint["status"], known: string | undefined): Response {
  if ("problem" in given) return problemResponse(given.problem);
  if ("response" in given) return given.response;
  const text = escapeControls("text" in given ? given.text : JSON.stringify(given.json));
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
  const headers = { "content-type": json, etag, "cache-control": "no-cache, private" };
  if (status === 200 && known?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag) === true) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(text, { status, headers });
}

async function readBody(
  schema: NonNullable<Endpoint["body"]>,
  context: Context,
): Promise<{ readonly body: unknown } | { readonly problem: Problem }> {
  const type = context.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") return { problem: notJson };
  if (Number(context.req.header("content-length") ?? "0") > MOST_BODY) return { problem: tooLong };
  const text = await readText(context.req.raw);
  if (text === undefined) return { problem: tooLong };
  const parsed = parseJsonText(text);
  if (parsed.problem !== undefined) return { problem: badBody(unparsed[parsed.problem], "Send JSON.") };
  const read = schema.safeParse(parsed.value);
  if (read.success) return { body: read.data };
  const [issue] = read.error.issues;
  const where = issue?.path.map(String).join(".") ?? "";
  return {
    problem: badBody(`${where === "" ? "" : `${where}: `}${issue?.message}`, "See /api/v1/openapi.json."),
  };
}

/** Reads the request body as text. Resolves to undefined if the body is too long. */
async function readText(request: Request): Promise<string | undefined> {
  if (request.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MOST_BODY) return undefined;
  }
  return text + decoder.decode();
}

const notJson = badBody(
  "The body is not declared as JSON.",
  "Send the body with content-type: application/json.",
  415,
);

const tooLong = badBody(`The body is longer than ${MOST_BODY} bytes.`, "Send a shorter body.", 413);

function badBody(why: string, fix: string, status: 400 | 413 | 415 = 400): Problem {
  return { status, what: "The body cannot be used.", why, fix };
}

/**
 * Parses the query parameters. An unknown parameter is an error: if a misspelt filter was ignored, the response would contain results that
 * the client did not request.
 */
function parseQuery<Query extends z.ZodObject>(
  schema: Query,
  parameters: URLSearchParams,
): { readonly query: z.output<Query> } | { readonly problem: Problem } {
  const known = Object.keys(schema.shape);
  const given = new Map<string, string | string[]>();
  for (const [name, value] of parameters) {
    if (!known.includes(name)) return { problem: unknown(name, known) };
    const before = given.get(name);
    if (isRepeatable(schema.shape[name])) given.set(name, [before ?? [], value].flat());
    else if (before === undefined) given.set(name, value);
    else return { problem: badParameter(name, "is given twice", "Give the parameter once.") };
  }
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return { query: parsed.data };
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? "");
  const value = given.get(name);
  const why = value === undefined ? "is missing" : `is "${String(value).slice(0, 100)}"`;
  return { problem: badParameter(name, why, `${issue?.message ?? "Use another value"}.`) };
}

function isRepeatable(type: unknown): boolean {
  return type instanceof z.ZodArray || (type instanceof z.ZodOptional && type.unwrap() instanceof z.ZodArray);
}

function unknown(name: string, known: readonly string[]): Problem {
  const near = suggest(name, known);
  if (near !== undefined) return badParameter(name, "is not known", `Did you mean ${near}?`);
  const fix = known.length === 0 ? "Leave it out." : `Use ${known.join(", ")}.`;
  return badParameter(name, "is not known", fix);
}
