import type { Collector } from "../inputs/live-port.ts";

const EVERY_MS = 250;

/** Shows the number of open runs on one terminal line while runs are open. */
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
