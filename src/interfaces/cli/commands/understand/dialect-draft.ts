import { stringify } from "yaml";
import type { ProposedDialect } from "../../../../authoring/doctor/propose-dialect.ts";
import { writtenField } from "../../../../config/schema/dialects.ts";

/** The drafts as a section of a configuration, with what is to be decided by hand as comments. */
export function dialectDraft(proposals: readonly ProposedDialect[]): string {
  const remarks = proposals.flatMap(({ name, scope, spans, untold }) => [
    `${name}: ${spans} ${spans === 1 ? "span" : "spans"} of scope "${scope}"`,
    ...Array.from(
      untold,
      ([attribute, values]) => `  ${attribute} has other values, too: ${values.join(", ")}`,
    ),
  ]);
  const header = [
    "A draft, made from what names and values look like. Keep what is right, and look at the runs again:",
    "tracejury inspect DUMP --explain --config THIS_FILE",
    ...remarks,
  ];
  return `${header.map((line) => `# ${line}\n`).join("")}${stringify({ dialects: proposals.map(written) })}`;
}

function written({ name, scope, marker, roles, fields }: ProposedDialect): object {
  return {
    name,
    ...(marker === null ? {} : { markers: [marker] }),
    ...(scope === "" ? {} : { scopes: [scope] }),
    ...(roles.size === 0
      ? {}
      : { roles: Object.fromEntries(Array.from(roles, ([at, values]) => [at, Object.fromEntries(values)])) }),
    fields: Object.fromEntries(
      Array.from(fields, ([field, attributes]) => [writtenField(field), attributes]),
    ),
  };
}
