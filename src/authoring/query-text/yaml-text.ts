import { Document, visit } from "yaml";
import { escapeControls } from "../../support/structures/control-characters.ts";
import type { JsonValue } from "../../model/json.ts";

export interface YamlOptions {
  /** Comment above the whole. */
  readonly comment?: string;
  /** Longest line; 0 folds none. */
  readonly lineWidth: number;
}

/**
 * The value as YAML. Texts that hold control characters or marks that reorder text are written in double quotes with these escaped, so
 * that a reviewer sees the spec that is evaluated.
 */
export function yamlText(value: JsonValue, { comment, lineWidth }: YamlOptions): string {
  const document = new Document(value);
  if (comment !== undefined) document.commentBefore = comment;
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === "string" && escapeControls(node.value) !== node.value)
        node.type = "QUOTE_DOUBLE";
    },
  });
  return escapeControls(document.toString({ lineWidth }));
}
