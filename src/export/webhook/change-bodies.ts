import type { RecordedChangeJson } from "../../report/json/change-json.ts";
import { escapedForSlack, section, slackName, type SlackMessage } from "./slack.ts";

/** What Slack's incoming webhooks take: a summary for notifications, and a section for each change. */
export function slackChangesBody(changes: readonly RecordedChangeJson[]): SlackMessage {
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
