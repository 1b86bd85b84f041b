/** Returns the URL of a listener for this machine: `https://127.0.0.1:4319`. For a listener on all addresses, uses the loopback address. */
export function reachableUrl(listening: string, isTls: boolean): string {
  const host = listening.replace(/^(?:0\.0\.0\.0|\[::\])?(?=:\d+$)/, "127.0.0.1");
  return `${isTls ? "https" : "http"}://${host}`;
}
