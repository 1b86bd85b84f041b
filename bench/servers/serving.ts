import { PerformanceObserver } from "node:perf_hooks";
import type { Served, Usage } from "../harness/served.ts";
import { live, relay } from "./live.ts";
import { discard, grpcJs, objects, type Ports, receive } from "./peers.ts";

/** A server to be measured, told by its parent over IPC what it has used: `node serving.js '{"kind":"live","holdMs":500}'`. */
const served = JSON.parse(process.argv[2] ?? '{"kind":"live"}') as Served;

let longestPauseMs = 0;
const pauses = new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longestPauseMs = Math.max(longestPauseMs, duration);
});
pauses.observe({ entryTypes: ["gc"] });

function start({ kind }: Served): Promise<Ports> {
  switch (kind) {
    case "live":
      return live(served);
    case "relay":
      return relay(served);
    case "discard":
      return discard();
    case "receive":
      return receive();
    case "objects":
      return objects();
    case "grpc-js":
      return grpcJs();
  }
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  const told = { cpu: user + system, rss: process.memoryUsage.rss(), longestPauseMs };
  longestPauseMs = 0;
  return told;
}

const ports = await start(served);
process.on("message", () => process.send?.(usage()));
process.on("disconnect", () => process.exit());
process.send?.(ports);
