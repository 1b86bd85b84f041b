/** Returns the message of an error. If the message is empty, returns the error's code or name. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  // If a host name has several addresses and all connections fail, Node throws an error with a code only.
  return "code" in error && typeof error.code === "string" ? error.code : String(error);
}
