import type { RecordedChangeJson } from "../../report/json/change-json.ts";
import type { VerdictJson } from "../../report/json/verdict-schema.ts";
import type { WebhookDestination } from "../settings.ts";
import { escapedForSlack, section, slackBody, type SlackMessage, slackName } from "./slack.ts";

/**
 * Returns the body of a webhook request.
 * @param records verdicts or changes, each as JSON
 */
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

/** Returns a message for Slack's incoming webhooks: a summary for notifications, and a section for each change. */
function slackChangesBody(changes: readonly RecordedChangeJson[]): SlackMessage {
  const worse = changes.filter(({ worse: isWorse }) => isWorse).length;
  const counts = [
    ...(worse === 0 ? [] : [`${worse} for the worse`]),
    ...(worse === changes.length ? [] : [`${changes.length - worse} for the better`]),
  ];
  const summary = `Tracejury: ${changes.length === 1 ? "1 change" : `${changes.length} changes`}, ${counts.join(", ")}`;
  return { text: summary, blocks: [section(summary), ...changes.map((one) => section(changeText(one)))] };
}

function changeText({ worse, text, query_id: queryId, spec, agents }: RecordedChangeJson): string {
  const about = [`*${slackName(queryId)}*`, `spec ${slackName(spec)}`];
  if (agents.length > 0) about.push(`agent ${agents.slice(0, 3).map(slackName).join(", ")}`);
  return `${worse ? ":x:" : ":white_check_mark:"} ${about.join(" · ")}\n${escapedForSlack(text)}`;
}
