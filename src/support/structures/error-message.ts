/** Returns the message of an error. Without a message, returns the error's code or name. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  // If connections to all addresses of a name fail, Node throws one error that has only a code.
  return "code" in error && typeof error.code === "string" ? error.code : String(error);
}
