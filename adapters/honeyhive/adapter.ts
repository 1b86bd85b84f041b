import type { Adapter } from "../adapter-type.ts";

/** HoneyHive's decorators around other instrumentations. */
export const honeyhive: Adapter = {
  dialect: "honeyhive",
  markers: ["honeyhive_event_type", "honeyhive.session_id"],
  fields: { error: ["honeyhive_error"], errorType: ["honeyhive_error_type"] },
  // A failed function has a second span, `NAME_error`. For the outermost function, this second span is in a separate trace.
  role: ({ span }, role) =>
    span.name.endsWith("_error") && span.named("honeyhive_event_name") === undefined ? "copy" : role,
};
