/** The address at which a listener is reached from this machine, as `https://127.0.0.1:4319`: one that listens everywhere by the loopback address. */
export function reachableUrl(listening: string, isTls: boolean): string {
  const host = listening.replace(/^(?:0\.0\.0\.0|\[::\])?(?=:\d+$)/, "127.0.0.1");
  return `${isTls ? "https" : "http"}://${host}`;
}
