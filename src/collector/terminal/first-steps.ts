import type { Log } from "../../support/telemetry/log/log.ts";
import { agentlessText, noSpecText } from "../../report/render/commands/first-steps.ts";
import type { Collector, FirstStepsState } from "../inputs/live-port.ts";

const EVERY_MS = 1_000;

/**
 * Reports runs without any spec, and spans without an agent while there is no run. Repeats a report when the number of runs or spans in the
 * report has grown tenfold.
 */
export class FirstSteps {
  readonly #address: string | null;
  #runsSaid = 0;
  #spansSaid = 0;

  /** @param address URL of the admin port, such as `http://127.0.0.1:4319`; null if it is off */
  constructor(address: string | null) {
    this.#address = address;
  }

  /** Returns the messages that are due now. */
  due({ runs, specs, withoutAgent }: FirstStepsState): readonly string[] {
    const due: string[] = [];
    if (specs === 0 && runs >= Math.max(1, this.#runsSaid * 10)) {
      this.#runsSaid = runs;
      due.push(noSpecText(runs, `tracejury init --from ${this.#address ?? "DUMP"}`));
    }
    const spans = withoutAgent.reduce((sum, group) => sum + group.spans, 0);
    if (runs === 0 && spans >= Math.max(1, this.#spansSaid * 10)) {
      this.#spansSaid = spans;
      due.push(agentlessText(withoutAgent, `tracejury doctor ${this.#address ?? "DUMP"}`, true));
    }
    return due;
  }
}

/**
 * Logs the messages that are due, until `stop` is called.
 * @param adminUrl URL of the admin port; null if it is off
 */
export function logFirstSteps(
  live: Pick<Collector, "firstSteps">,
  adminUrl: string | null,
  log: Pick<Log, "warn">,
): { stop(): void } {
  const steps = new FirstSteps(adminUrl);
  const timer = setInterval(() => {
    for (const message of steps.due(live.firstSteps())) log.warn(message);
  }, EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}
