/** A header's value as one text; several of one name are joined by commas. */
export function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}
