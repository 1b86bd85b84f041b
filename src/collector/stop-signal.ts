/** Resolves at the first SIGINT or SIGTERM. A second signal ends the process at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      resolve(signal);
      for (const each of signals) {
        process.removeListener(each, onSignal);
        process.once(each, () => process.exit(130));
      }
    };
    for (const each of signals) process.on(each, onSignal);
  });
}

const signals = ["SIGINT", "SIGTERM"] as const;
