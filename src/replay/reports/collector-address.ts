/** Whether an argument is the address of a running collector, and not a file. */
export function isCollectorAddress(argument: string): boolean {
  return /^https?:\/\//i.test(argument);
}
