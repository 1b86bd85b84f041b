/** Names of all properties that a JSON Schema describes. */
export function schemaKeys(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(schemaKeys);
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => [
    ...(keyword === "properties" ? Object.keys(value as object) : []),
    ...schemaKeys(value),
  ]);
}
