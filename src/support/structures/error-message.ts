/** Message of an error, otherwise its code or name. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  // Connecting to a name with several addresses fails with one error for all of them, which has a code alone.
  return "code" in error && typeof error.code === "string" ? error.code : String(error);
}
