/**
 * Returns the URL at which this machine reaches a listener, such as `https://127.0.0.1:4319`. For a listener
 * on all addresses, the loopback address is used.
 */
export function reachableUrl(listening: string, isTls: boolean): string {
  const host = listening.replace(/^(?:0\.0\.0\.0|\[::\])?(?=:\d+$)/, "127.0.0.1");
  return `${isTls ? "https" : "http"}://${host}`;
}
