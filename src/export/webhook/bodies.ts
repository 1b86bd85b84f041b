import type { RecordedChangeJson } from "../../report/json/change-json.ts";
import type { VerdictJson } from "../../report/json/verdict-schema.ts";
import type { WebhookDestination } from "../settings.ts";
import { slackChangesBody } from "./change-bodies.ts";
import { slackBody } from "./slack.ts";

/** The body of a request about these verdicts, or changes; each record is one as JSON. */
export function webhookBody(
  { format, on }: Pick<WebhookDestination, "format" | "on">,
  records: readonly Uint8Array[],
  version: string,
): Uint8Array {
  if (format === "json") {
    const head = JSON.stringify({ format_version: 1, tool: { name: "tracejury", version } }).slice(0, -1);
    return Buffer.concat([Buffer.from(`${head},"${on}s":[`), ...joinedByCommas(records), Buffer.from("]}")]);
  }
  const parsed = records.map((record) => JSON.parse(Buffer.from(record).toString()) as unknown);
  const message =
    on === "change"
      ? slackChangesBody(parsed as readonly RecordedChangeJson[])
      : slackBody(parsed as readonly VerdictJson[]);
  return Buffer.from(JSON.stringify(message));
}

function joinedByCommas(records: readonly Uint8Array[]): Uint8Array[] {
  const comma = Buffer.from(",");
  return records.flatMap((record, at) => (at === 0 ? [record] : [comma, record]));
}
