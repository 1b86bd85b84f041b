const PREFIX = "like ";

/**
 * Returns the name of a spec that Tracejury derives from the passing runs of an agent in dumps. Reports show the derived name instead of a
 * file name.
 */
export function derivedSpecName(dumps: readonly string[], agent: string): string {
  return `${PREFIX}${dumps.join(", ")} (${agent})`;
}

/** Whether the name belongs to a derived spec, for which no file exists. */
export function isDerivedSpec(file: string): boolean {
  return file.startsWith(PREFIX);
}
