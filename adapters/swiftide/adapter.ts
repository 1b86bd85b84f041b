import type { Adapter } from "../adapter-type.ts";

/** Swiftide for Rust. Its spans have no attributes; contents are in events of the debug level. */
export const swiftide: Adapter = {
  dialect: "swiftide",
  names: [
    { pattern: /^agent\.(?:query|run)(?:_once)?$/, role: "agent", own: true },
    { pattern: /^tool\.[\w-]+$/, role: "tool", own: true },
  ],
  events: [
    {
      name: "Completed tool call",
      fields: { tool: ["tool_name"], arguments: ["args"], result: ["output"] },
    },
    { name: "Tool parameters schema" },
    // The history is printed as Rust's debug format.
    { name: "No new messages for completion" },
  ],
};
