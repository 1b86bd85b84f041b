/** Whether an argument is a URL of a running collector, and not a file. */
export function isCollectorAddress(argument: string): boolean {
  return /^https?:\/\//i.test(argument);
}
