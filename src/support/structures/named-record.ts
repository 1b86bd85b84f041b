import { z } from "zod";

/**
 * Schema of a map whose keys the user chooses, such as names of tools. The key `__proto__` is an error,
 * because `z.record()` would silently drop it.
 */
export function namedRecord<Value extends z.ZodType>(
  name: z.ZodType<string, string>,
  value: Value,
): z.ZodType<Record<string, z.output<Value>>> {
  return z.preprocess(
    (written, context) => {
      if (typeof written === "object" && written !== null && Object.hasOwn(written, "__proto__"))
        context.addIssue({ code: "custom", path: ["__proto__"], message: "`__proto__` cannot be a name" });
      return written;
    },
    z.record(name, value),
  );
}
