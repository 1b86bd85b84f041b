import { z } from "zod";
import type { Endpoint } from "./endpoint.ts";

/**
 * Returns the API as an OpenAPI 3.1 document. The document is generated from the schemas that validate
 * requests.
 */
export function openApi(endpoints: readonly Endpoint[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const one of endpoints) {
    (paths[one.path] ??= {})[one.method] = operation(one);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Tracejury", version, description: "Verdicts, runs, and human labels." },
    paths,
    components: {
      schemas: { Problem: jsonSchema(problem) },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        basic: { type: "http", scheme: "basic" },
      },
    },
  };
}

const problem = z.strictObject({
  error: z.strictObject({ what: z.string(), why: z.string(), fix: z.string() }),
});

function operation({ method, path, summary, query, body, status, answer }: Endpoint): object {
  const scope = method === "get" ? "read" : "admin";
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  const inPath = names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  const schema = answer.schema === null ? {} : { schema: jsonSchema(answer.schema) };
  return {
    summary,
    operationId: operationId(method, path),
    security: [{ bearer: [scope] }, { basic: [scope] }],
    parameters: [...inPath, ...queryParameters(query)],
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: jsonSchema(body, "input") } },
          },
        }),
    responses: {
      [status]: { description: "Done", content: { [answer.type]: schema } },
      default: {
        description: "What went wrong, why, and what to do",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

function queryParameters(query: z.ZodObject): object[] {
  const { properties = {}, required = [] } = jsonSchema(query, "input") as {
    properties?: Record<string, { description?: string }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

/** Returns the operation id. Example: `getRunsIdSpans` for `get /api/v1/runs/{id}/spans`. */
function operationId(method: string, path: string): string {
  const words = path
    .replace("/api/v1/", "")
    .split(/\W+/)
    .filter((word) => word !== "");
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function jsonSchema(schema: z.ZodType, io: "input" | "output" = "output"): object {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io,
    unrepresentable: "any",
  });
  return made;
}
