import { escapeControlsInValue } from "../../support/structures/control-characters.ts";
import { type Outcome, outcomes, checksOf, isUnmet } from "../../model/outcome.ts";
import type { VerdictJson } from "../../report/json/verdict-schema.ts";

/** Maximum number of verdicts in one message. Slack accepts 50 blocks; the summary is one block. */
export const mostSlackVerdicts = 40;
const longestName = 150;
const longestError = 400;
/** Maximum characters of a section. Slack accepts 3,000 characters. */
const longestSection = 2900;
const mostChecks = 5;

export interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly Block[];
}

type Block = { readonly type: "section"; readonly text: { readonly type: "mrkdwn"; readonly text: string } };

const signs: Readonly<Record<Outcome, string>> = {
  pass: ":white_check_mark:",
  warn: ":warning:",
  fail: ":x:",
  error: ":boom:",
  incomplete: ":grey_question:",
  skip: ":fast_forward:",
};

/**
 * Returns a message for Slack's incoming webhooks: a summary for notifications, and a section for each verdict. Names from telemetry are
 * escaped, so that they cannot mention users.
 */
export function slackBody(verdicts: readonly VerdictJson[]): SlackMessage {
  const summary = summaryOf(verdicts);
  const shown = verdicts.slice(0, mostSlackVerdicts);
  const more = verdicts.length - shown.length;
  return {
    text: summary,
    blocks: [
      section(more === 0 ? summary : `${summary} (${more} not shown)`),
      ...shown.map((one) => section(verdictText(one))),
    ],
  };
}

function summaryOf(verdicts: readonly VerdictJson[]): string {
  const counts = outcomes.flatMap((outcome) => {
    const count = verdicts.filter((verdict) => verdict.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${outcome}`];
  });
  return `Tracejury: ${counts.join(", ")}`;
}

function verdictText(verdict: VerdictJson): string {
  const { outcome, agent, query_id: queryId, query, run_id: runId, revision, error } = verdict;
  const about = [
    `*${slackName(queryId)}*`,
    `agent ${slackName(agent ?? "unknown")}`,
    `run \`${slackName(runId)}\``,
  ];
  if (revision > 1) about.push(`revision ${revision}`);
  const lines = [`${signs[outcome]} *${outcome.toUpperCase()}* ${about.join(" · ")}`];
  if (error !== null)
    lines.push(`*Error:* ${escapedForSlack(cut(error.replaceAll(/\s+/g, " "), longestError))}`);
  if (query !== null) lines.push(`> ${slackName(query.replaceAll(/\s+/g, " "))}`);
  const bad = checksOf(verdict).filter((check) => isUnmet(check) && check.message !== error);
  for (const check of bad.slice(0, mostChecks))
    lines.push(`• ${slackName(check.check)}: ${escapedForSlack(check.message)}`);
  if (bad.length > mostChecks) lines.push(`• and ${bad.length - mostChecks} more`);
  return lines.join("\n");
}

export function section(text: string): Block {
  return { type: "section", text: { type: "mrkdwn", text: cut(text, longestSection) } };
}

/** Returns a name from telemetry or a spec on one line, shortened and escaped. */
export function slackName(text: string): string {
  return escapedForSlack(cut(text.replaceAll(/[\n\r`]/g, " "), longestName));
}

/**
 * Escapes the three characters of Slack's markup. Control characters, and characters that reorder or hide
 * text, become `\uXXXX`.
 */
export function escapedForSlack(text: string): string {
  return escapeControlsInValue(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
