import { key } from "../../model/telemetry/attribute-key.ts";
import type { AttributesView } from "../../model/telemetry/span-view.ts";

const EVENT_NAME = key("event.name");

/** Matches names that Rust's tracing gives to events, after the source line: `event src/agent.rs:42`. */
const sourcePlace = /^event \S+:\d+$/;

/** Name of an event: the recorded name, or the attribute `event.name` if the recorded name is absent or a source line. */
export function eventNameOf(name: string, attributes: AttributesView): string {
  return name === "" || sourcePlace.test(name) ? (attributes.text(EVENT_NAME) ?? name) : name;
}
