/** An attribute's name as its words, lower case: `ai.usage.promptTokens` is `ai usage prompt tokens`; numbers are `#`. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => (/^\d+$/.test(word) ? "#" : word));
}
