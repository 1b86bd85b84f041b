import { z } from "zod";

/** A tool failed. The message has the cause, the place and the next step, and goes to the model unchanged. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  /** Of the HTTP response that is the cause, where one is. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** A tool as the protocol sees it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: unknown };
  readonly readOnly: boolean;
  /** Gives the text that the model reads. @throws ToolError */
  call(input: unknown): Promise<string>;
}

interface Definition<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Shape;
  /** Changes files, or runs programs that may; read-only when absent. */
  readonly hasEffects?: boolean;
  readonly run: (input: z.infer<z.ZodObject<Shape>>) => Promise<string>;
}

/** Makes a tool whose arguments are checked before it runs. */
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
      throw new ToolError(`${name} was called with arguments it does not take: ${problems.join("; ")}`);
    },
  };
}
