/** What went wrong, in words: of an error without a message its name. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}
