import { nodeAt, type DocumentNode } from "../../spec/document/node.ts";

/** Source of a value: the default, or a position in a file. For `--set`, `file` is "--set …". */
export type Origin =
  | { readonly kind: "default" }
  | { readonly kind: "written"; readonly file: string; readonly line: number; readonly column: number };

/** Returns the source of each value of a document that contains all defaults, by dotted path. A list counts as one value. */
export function originsOf(document: object, written: DocumentNode): ReadonlyMap<string, Origin> {
  const origins = new Map<string, Origin>();
  const visit = (value: unknown, path: readonly string[]) => {
    if (
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      Object.keys(value).length > 0
    ) {
      for (const [key, child] of Object.entries(value)) visit(child, [...path, key]);
      return;
    }
    const node = nodeAt(written, path);
    origins.set(path.join("."), node ? place(node) : { kind: "default" });
  };
  visit(document, []);
  return origins;
}

function place({ at }: DocumentNode): Origin {
  return { kind: "written", file: at.file, line: at.line, column: at.column };
}
