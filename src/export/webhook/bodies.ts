import type { VerdictJson } from "../../json/verdict-schema.ts";
import { slackBody } from "./slack.ts";

/** The body of a request about these verdicts; each record is a verdict as JSON. */
export function webhookBody(
  format: "json" | "slack",
  records: readonly Uint8Array[],
  version: string,
): Uint8Array {
  if (format === "json") {
    const head = JSON.stringify({ format_version: 1, tool: { name: "tracejury", version } }).slice(0, -1);
    return Buffer.concat([
      Buffer.from(`${head},"verdicts":[`),
      ...joinedByCommas(records),
      Buffer.from("]}"),
    ]);
  }
  const verdicts = records.map((record) => JSON.parse(Buffer.from(record).toString()) as VerdictJson);
  return Buffer.from(JSON.stringify(slackBody(verdicts)));
}

function joinedByCommas(records: readonly Uint8Array[]): Uint8Array[] {
  const comma = Buffer.from(",");
  return records.flatMap((record, at) => (at === 0 ? [record] : [comma, record]));
}
