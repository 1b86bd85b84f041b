import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { packageFolder } from "../../support/process/package-folder.ts";
import { DEMO_ATTRIBUTE } from "../../model/demo-attribute.ts";
import { directFetch } from "../../support/http/send-request.ts";
import { PROBABLE_HOLDERS } from "../../support/security/addresses/address.ts";
import { freeOf } from "../inputs/busy-ports.ts";
import type { Listening } from "../inputs/live-port.ts";
import type { CollectorSettings } from "../settings/options.ts";

/** Recorded runs for the demo: one passes, one warns (budget), one fails (forbidden tool). */
const recordings = [
  "rag-weather-fixed.langgraph.jsonl",
  "rag-langgraph.langgraph.jsonl",
  "rag-weather-broken.langgraph.jsonl",
];

const folder = new URL("test/fixtures/runs/", packageFolder());

/** Returns the paths of the example specs, independent of the working directory. */
export function demoSpecs(): string[] {
  return [fileURLToPath(new URL("specs/*.yaml", packageFolder()))];
}

/** Returns settings for the demo: waits are shorter, nothing is stored on disk, and ports in use are replaced by free ports. */
export async function demoSettings(settings: CollectorSettings): Promise<CollectorSettings> {
  const { timeouts, store, http, grpc, admin } = settings;
  return {
    ...settings,
    http: await freeOf("receive.http", http),
    grpc: await freeOf("receive.grpc", grpc),
    admin: await freeOf("admin", admin),
    timeouts: { ...timeouts, rootQuietMs: 1_000, rootOpenMs: 4_000, idleMs: 20_000 },
    ...(store === undefined ? {} : { store: { ...store, mode: "memory" } }),
    journal: null,
    outputQueues: undefined,
  };
}

/**
 * Returns the start message of the demo.
 * @param wanted addresses in the configuration, before ports in use were replaced
 */
export function demoBeginning(
  { http, grpc, admin }: Listening,
  adminUrl: string | null,
  wanted: Pick<CollectorSettings, "http" | "grpc" | "admin">,
): string {
  const pairs = [[wanted.grpc, grpc] as const, [wanted.http, http] as const, [wanted.admin, admin] as const];
  const moved = pairs.flatMap(([from, to]) => {
    const [before, after] = [portOf(from), portOf(to ?? "")];
    return before === "0" || after === "" || before === after ? [] : [`${before} → ${after}`];
  });
  return [
    "",
    `Tracejury receives OTLP/HTTP on ${http ?? "no port"} and OTLP/gRPC on ${grpc ?? "no port"}. Ctrl+C stops it.`,
    ...(moved.length === 0 ? [] : [`Ports in use, ${PROBABLE_HOLDERS}: ${moved.join(", ")}`]),
    `Page, API and metrics: ${adminUrl === null ? "off" : `${adminUrl}/`}`,
    "\n",
  ].join("\n");
}

function portOf(address: string): string {
  return address.replace(/^.*:/, "");
}

/**
 * Sends the recorded runs to this process's receiver. Each line of a recording is one OTLP request, to which the demo attribute is added.
 * Returns the number of accepted requests.
 */
export async function sendRecordings(receiverUrl: string): Promise<number> {
  let taken = 0;
  for (const name of recordings) {
    // The published package has no recordings.
    if (!existsSync(new URL(name, folder))) continue;
    const text = await readFile(fileURLToPath(new URL(name, folder)), "utf8");
    for (const line of text.split("\n")) {
      if (line.trim() === "") continue;
      const answer = await directFetch()(`${receiverUrl}/v1/traces`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: markedAsDemo(line),
      });
      if (answer.ok) taken++;
    }
  }
  return taken;
}

/**
 * Adds the attribute `tracejury.demo` to the resources of an OTLP/JSON request, so that commands such as `tracejury init` can ignore demo
 * runs.
 */
function markedAsDemo(request: string): string {
  const opening = '"resource":{"attributes":[';
  return request.replaceAll(opening, `${opening}{"key":"${DEMO_ATTRIBUTE}","value":{"boolValue":true}},`);
}

type Commented = readonly [command: string, comment: string];

/** Returns the commands for creating a spec and a test for the user's own agent. */
export function ownAgentLines(endpoint: string, adminUrl: string | null): string {
  const path = (name: string): string => fileURLToPath(new URL(name, packageFolder()));
  const connecting: readonly Commented[] = [
    [`alias tracejury="node ${path("bin/tracejury.js")}"`, "in each terminal that uses the command"],
    [
      `OTEL_EXPORTER_OTLP_ENDPOINT=${endpoint} python agent.py "a query"`,
      "or: node agent.mjs, npx tsx agent.ts; three times with each query",
    ],
  ];
  const testing: readonly Commented[] = [
    [`tracejury init --from ${adminUrl}`, "writes specs/AGENT.yaml from these runs"],
    ["tracejury test --exec 'python agent.py {query}'", "or 'node agent.mjs {query}'; judges each run"],
  ];
  const commands = adminUrl === null ? connecting : [...connecting, ...testing];
  const width = Math.max(...commands.map(([command]) => command.length));
  return [
    "Now test your own agent: run these commands in its folder, in another terminal. How to instrument it is described in",
    path("docs/agents/README.md"),
    "",
    ...commands.map(([command, comment]) => `  ${command.padEnd(width)}   # ${comment}`),
    "\n",
  ].join("\n");
}
