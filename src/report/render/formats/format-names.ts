/**
 * Values of `test --format` and `--output FORMAT=PATH`. This file imports no reporter, so that `--help`
 * starts fast.
 */
export const formats = [
  "console",
  "json",
  "junit",
  "github",
  "markdown",
  "prometheus",
  "csv",
  "gitlab",
  "sarif",
  "html",
] as const;

export type Format = (typeof formats)[number];

/**
 * Parses `FORMAT=PATH`, such as `junit=report.xml`. Returns null if the text has another form, or the format
 * is unknown.
 */
export function parseFormatPath(text: string): { readonly format: Format; readonly path: string } | null {
  const at = text.indexOf("=");
  const format = formats.find((name) => name === text.slice(0, Math.max(at, 0)));
  const path = text.slice(at + 1);
  return format === undefined || path === "" ? null : { format, path };
}
