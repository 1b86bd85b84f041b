/**
 * Values of `test --format` and `--output FORMAT=PATH`. The names are separate from the reporters, so that
 * `--help` loads none.
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

/** Parses `FORMAT=PATH`; null for another form or an unknown format. */
export function parseFormatPath(text: string): { readonly format: Format; readonly path: string } | null {
  const at = text.indexOf("=");
  const format = formats.find((name) => name === text.slice(0, Math.max(at, 0)));
  const path = text.slice(at + 1);
  return format === undefined || path === "" ? null : { format, path };
}
