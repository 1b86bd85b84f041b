import type { z } from "zod";
import type { Problem } from "./problem.ts";

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
  | { readonly json: unknown; readonly status?: 200 | 201 }
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
  readonly answer: { readonly type: string; readonly schema: z.ZodType | null };
  readonly handle: (asked: EndpointRequest<never, never>) => Promise<Answer>;
}

interface Declared<Query extends z.ZodObject, Body extends z.ZodType> {
  readonly method: Endpoint["method"];
  readonly path: string;
  readonly summary: string;
  readonly query?: Query;
  readonly body?: Body;
  /** Schema of the JSON response, or another content type. */
  readonly answer: z.ZodType | { readonly type: string };
  readonly handle: (asked: EndpointRequest<z.output<Query>, z.output<Body>>) => Promise<Answer>;
}

/** Creates an endpoint, whose handler receives validated values. */
export function endpoint<Query extends z.ZodObject, Body extends z.ZodType>(
  empty: z.ZodObject,
  declared: Declared<Query, Body>,
): Endpoint {
  const { method, path, summary, query, body, answer, handle } = declared;
  return {
    method,
    path,
    summary,
    query: query ?? empty,
    body: body ?? null,
    answer:
      "type" in answer && typeof answer.type === "string" && !("parse" in answer)
        ? { type: answer.type, schema: null }
        : { type: "application/json", schema: answer },
    handle,
  };
}
