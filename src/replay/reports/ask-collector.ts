import type { z } from "zod";
import { createCollector, withoutAdvice } from "../../interfaces/mcp/collector.ts";
import { ToolError } from "../../interfaces/mcp/tool.ts";
import { documentBounds, parseJson } from "../../model/json.ts";
import { UserError } from "../../support/process/io.ts";

/** Requests paths of a collector's API. Returns responses as text, or validated by a schema. */
export interface AskedCollector {
  readonly text: (path: string) => Promise<string>;
  readonly json: <Schema extends z.ZodType>(path: string, schema: Schema) => Promise<z.output<Schema>>;
}

const HINT = "use the address of `admin` in the collector's configuration, such as http://127.0.0.1:4319";

/**
 * Calls `read` with access to a running collector's admin port, and returns its result.
 * @param what name of the expected server, for messages
 * @throws UserError if no server responds, or the server is not a collector
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
    throw new UserError(`${url} responds, but not like ${what}`, HINT);
  }
}

/** Description of the address from which stored runs can be read, for error messages. */
export const STORE_PORT = "the admin port of a collector that stores runs";

/** Maximum number of runs to read, newest first. */
export const MOST_RUNS = 10_000;
const PAGE = 500;

/** Yields the pages of a list, newest items first. */
export async function* pagesOf<Page extends { readonly next: string | null }>(
  { json }: Pick<AskedCollector, "json">,
  path: string,
  schema: z.ZodType<Page>,
  filter: Readonly<Record<string, string>> = {},
): AsyncGenerator<Page> {
  for (let cursor: string | null = ""; cursor !== null;) {
    const parameters = { ...filter, limit: `${PAGE}`, ...(cursor === "" ? {} : { cursor }) };
    const page: Page = await json(`${path}?${new URLSearchParams(parameters)}`, schema);
    yield page;
    cursor = page.next;
  }
}
