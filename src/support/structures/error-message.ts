/** Returns the message of an error. If the message is empty, returns the error's code or name. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  // The message is empty, for example, if a host name has several addresses and all connections fail; Node's error then has only a code.
  return "code" in error && typeof error.code === "string" ? error.code : String(error);
}
