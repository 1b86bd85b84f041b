/** A text with named variables: `Where is order {number}?`. */
export interface Template {
  /** Texts before, between and after the variables, one more than variables; the first and last text can be empty. */
  readonly literals: readonly string[];
  readonly variables: readonly string[];
}

export type TemplateResult =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly message: string; readonly hint: string };

/** Matches `{name}`, but not the braces of `\p{Greek}`, `\x{e9}` and `\{`. */
const variable = /(?<!\\|\\[pPx])\{([A-Za-z_]\w*)\}/g;

/** Whether a `match.pattern` is a template. A pattern without `{name}` is a regular expression, whose braces contain numbers. */
export function isTemplate(pattern: string): boolean {
  return pattern.search(variable) >= 0;
}

export function parseTemplate(pattern: string): TemplateResult {
  const literals: string[] = [];
  const variables: string[] = [];
  let end = 0;
  for (const match of pattern.matchAll(variable)) {
    literals.push(pattern.slice(end, match.index));
    variables.push(match[1] ?? "");
    end = match.index + match[0].length;
  }
  literals.push(pattern.slice(end));
  const touching = variables.findIndex(
    (_, index) => index > 0 && literals[index]?.trim() === "" && literals[index] === "",
  );
  if (touching > 0) {
    const pair = `{${variables[touching - 1]}}{${variables[touching]}}`;
    return {
      ok: false,
      message: `no text separates ${pair}, so the end of the first value is unknown`,
      hint: "write the text that separates the two values, or use one variable",
    };
  }
  if (literals.every((literal) => !/[\p{L}\p{N}]/u.test(literal)))
    return {
      ok: false,
      message: "the pattern matches every question, because it has no text around its variables",
      hint: 'write `query: "*"` for runs that no other query matches',
    };
  return { ok: true, template: { literals, variables } };
}
