import type { Collector } from "../inputs/live-port.ts";

const EVERY_MS = 250;

/** Keeps one line on a terminal that says how many runs are open, while there are any. */
export function assemblingLine(
  live: Pick<Collector, "openTraces">,
  terminal: NodeJS.WriteStream,
): { stop(): void } {
  let shown = "";
  const show = (): void => {
    const open = live.openTraces();
    const text = open === 0 ? "" : `assembling… ${open} open ${open === 1 ? "trace" : "traces"}`;
    if (text === shown) return;
    shown = text;
    terminal.write(`\r\u001b[2K${text}`);
  };
  const timer = setInterval(show, EVERY_MS).unref();
  return {
    stop() {
      clearInterval(timer);
      if (shown !== "") terminal.write("\r\u001b[2K");
    },
  };
}
