/** Whether an argument is the URL of a running collector instead of a file. */
export function isCollectorAddress(argument: string): boolean {
  return /^https?:\/\//i.test(argument);
}
