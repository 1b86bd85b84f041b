/** Returns the message of an error, otherwise its code or name. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  // A failed connection to a name with several addresses gives one error, which has only a code.
  return "code" in error && typeof error.code === "string" ? error.code : String(error);
}
