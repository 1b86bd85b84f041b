import type { z } from "zod";
import type { Problem } from "./problem.ts";

/** A request to an endpoint, checked against its schemas. */
export interface EndpointRequest<Query, Body> {
  /** Parts of the path by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly headers?: Headers;
}

/** `text` is JSON that has been written already. */
export type Answer =
  | { readonly json: unknown; readonly status?: 200 | 201 }
  | { readonly text: string }
  | { readonly problem: Problem }
  | { readonly response: Response };

/** One operation of the API: the same description answers requests and makes the OpenAPI document. */
export interface Endpoint {
  readonly method: "get" | "post" | "delete";
  /** With parts in braces, as in `/api/v1/runs/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly query: z.ZodObject;
  /** Null: it takes none. */
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
  /** What it answers as JSON; another type where it says so. */
  readonly answer: z.ZodType | { readonly type: string };
  readonly handle: (asked: EndpointRequest<z.output<Query>, z.output<Body>>) => Promise<Answer>;
}

/** An endpoint whose handler gets what its schemas promise. */
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
