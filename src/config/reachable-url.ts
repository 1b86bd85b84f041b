/**
 * Returns the URL by which this machine reaches a listener, such as `https://127.0.0.1:4319`. If the listener is on all addresses, the URL
 * contains the loopback address.
 */
export function reachableUrl(listening: string, isTls: boolean): string {
  const host = listening.replace(/^(?:0\.0\.0\.0|\[::\])?(?=:\d+$)/, "127.0.0.1");
  return `${isTls ? "https" : "http"}://${host}`;
}
