import { z } from "zod";
import { escapeControls } from "../../../support/structures/control-characters.ts";

/** The reason (`why`) in a 404 response: no record with the requested id is stored. */
export const forgotten = "The id is unknown, or its record is no longer stored.";

/** A validated request: its query parameters and body match the endpoint's schemas. */
export interface EndpointRequest<Query, Body> {
  /** Values of the path parameters, by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly headers?: Headers;
}

/** Response of an endpoint. `text` is JSON that is already encoded. */
export type Answer =
  | { readonly json: unknown }
  | { readonly text: string }
  | { readonly problem: Problem }
  | { readonly response: Response };

/** One operation of the API: how it answers requests, and its description in the OpenAPI document. */
export interface Endpoint {
  readonly method: "get" | "post" | "delete";
  /** Path with parameters in braces, such as `/api/v1/runs/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly query: z.ZodObject;
  /** Schema of the request body. Null for operations without a request body. */
  readonly body: z.ZodType | null;
  /** Status of all responses that are no errors. */
  readonly status: 200 | 201;
  readonly answer: { readonly type: string; readonly schema: z.ZodType | null };
  readonly handle: (request: EndpointRequest<never, never>) => Promise<Answer>;
}

interface Declared<Query extends z.ZodObject, Body extends z.ZodType> {
  readonly method?: Endpoint["method"];
  readonly path: string;
  readonly summary: string;
  readonly query?: Query;
  readonly body?: Body;
  /** Status of responses that are no errors. Default: 200. */
  readonly status?: Endpoint["status"];
  /** Schema of the JSON response, or another content type. */
  readonly answer: z.ZodType | { readonly type: string };
  readonly handle: (request: EndpointRequest<z.output<Query>, z.output<Body>>) => Promise<Answer>;
}

const none = z.strictObject({});

/** Creates an endpoint, whose handler receives validated values. Default: a GET request without query parameters and body. */
export function endpoint<Query extends z.ZodObject, Body extends z.ZodType>({
  method = "get",
  path,
  summary,
  query,
  body,
  status = 200,
  answer,
  handle,
}: Declared<Query, Body>): Endpoint {
  return {
    method,
    path,
    summary,
    query: query ?? none,
    body: body ?? null,
    status,
    answer:
      "type" in answer && typeof answer.type === "string" && !("parse" in answer)
        ? { type: answer.type, schema: null }
        : { type: "application/json", schema: answer },
    handle,
  };
}

/** Body of every error response: what failed, why, and how to fix it. */
export interface Problem {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 500 | 503;
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

export function problemResponse(
  { status, what, why, fix }: Problem,
  headers: Record<string, string> = {},
): Response {
  const text = escapeControls(JSON.stringify({ error: { what, why, fix } }));
  return new Response(text, { status, headers: { "content-type": "application/json", ...headers } });
}

export function badParameter(name: string, why: string, fix: string): Problem {
  return { status: 400, what: `The parameter "${name}" cannot be used.`, why: `The parameter ${why}.`, fix };
}

export function badCursor(): Problem {
  return badParameter(
    "cursor",
    "is not a cursor that a page returned in `next`",
    "Use the `next` of the previous page.",
  );
}

export function notFound(what: string, why: string): Problem {
  return {
    status: 404,
    what,
    why,
    fix: "/api/v1/openapi.json describes all paths; /api/v1/runs and /api/v1/verdicts list what is stored.",
  };
}
