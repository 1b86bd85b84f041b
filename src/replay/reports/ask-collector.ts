import type { z } from "zod";
import { createCollector, withoutAdvice } from "../../interfaces/mcp/collector.ts";
import { ToolError } from "../../interfaces/mcp/tool.ts";
import { documentBounds, parseJson } from "../../model/json.ts";
import { UserError } from "../../support/process/exit-code.ts";

/** Gets a path of the API, as text and checked against a schema. */
export interface AskedCollector {
  readonly text: (path: string) => Promise<string>;
  readonly json: <Schema extends z.ZodType>(path: string, schema: Schema) => Promise<z.output<Schema>>;
}

const HINT = "give the address that `admin` has in its configuration, such as http://127.0.0.1:4319";

/**
 * Result of `read` for the responses of a running collector's admin port.
 * @param expected server, for the message
 * @throws UserError when no server answers there, or not a collector
 */
export async function askCollector<Result>(
  { url, token, what }: { readonly url: string; readonly token: string | undefined; readonly what: string },
  read: (collector: AskedCollector) => Promise<Result>,
): Promise<Result> {
  const collector = createCollector(url, token);
  try {
    return await read({
      text: (path) => collector.get(path),
      json: async (path, schema) => schema.parse(parseJson(await collector.get(path), documentBounds)),
    });
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (error instanceof ToolError) throw new UserError(withoutAdvice(error.message), HINT);
    throw new UserError(`${url} does not answer like ${what}`, HINT);
  }
}

/** The collector whose runs are read. */
export const STORE_PORT = "a collector's admin port with a store";
