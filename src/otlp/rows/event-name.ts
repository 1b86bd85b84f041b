import { key } from "../../model/telemetry/attribute-key.ts";
import type { AttributesView } from "../../model/telemetry/span-view.ts";

const EVENT_NAME = key("event.name");

/** Matches event names that Rust's crate `tracing` creates from the source line: `event src/agent.rs:42`. */
const sourcePlace = /^event \S+:\d+$/;

/** Returns the name of an event: the recorded name, or the attribute `event.name` if the recorded name is absent or only a source line. */
export function eventNameOf(name: string, attributes: AttributesView): string {
  return name === "" || sourcePlace.test(name) ? (attributes.text(EVENT_NAME) ?? name) : name;
}
