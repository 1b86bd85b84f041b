import { z } from "zod";

/** Error of a tool. Its message contains the cause, the position and the next step, and is sent to the model unchanged. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  /** Status of the HTTP response that caused the error. Undefined if there was no response. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** A tool, with the fields that the MCP protocol needs. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: unknown };
  readonly readOnly: boolean;
  /**
   * Runs the tool and returns the text for the model.
   * @throws ToolError if the tool fails
   */
  call(input: unknown): Promise<string>;
}

interface Definition<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Shape;
  /** Whether the tool changes files or runs programs. If absent, the tool only reads. */
  readonly hasEffects?: boolean;
  readonly run: (input: z.infer<z.ZodObject<Shape>>) => Promise<string>;
}

/** Creates a tool. The arguments are validated before the tool runs. */
export function defineTool<Shape extends z.ZodRawShape>(definition: Definition<Shape>): Tool {
  const { name, title, description, run } = definition;
  const schema = z.strictObject(definition.input);
  return {
    name,
    title,
    description,
    inputSchema: { ...z.toJSONSchema(schema, { io: "input" }), type: "object" },
    readOnly: definition.hasEffects !== true,
    async call(input) {
      const read = schema.safeParse(input);
      if (read.success) return run(read.data);
      const problems = read.error.issues.map(
        ({ path, message }) => `${path.length === 0 ? "arguments" : path.map(String).join(".")}: ${message}`,
      );
      throw new ToolError(`${name} was called with invalid arguments: ${problems.join("; ")}`);
    },
  };
}
