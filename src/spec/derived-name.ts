const PREFIX = "like ";

/**
 * Returns the name of a spec that is derived from the good runs of an agent in dumps. Reports show this name instead of
 * a file name.
 */
export function derivedSpecName(dumps: readonly string[], agent: string): string {
  return `${PREFIX}${dumps.join(", ")} (${agent})`;
}

/** Whether a spec's name is that of a derived spec, which no command can read from a file. */
export function isDerivedSpec(file: string): boolean {
  return file.startsWith(PREFIX);
}
