import type { Explanation, Precedence, Source } from "../../../model/explanation.ts";
import type { Missing } from "../../../model/run.ts";
import { dollars } from "../../../evaluate/rules/text.ts";
import { printable, type Theme } from "../terminal/printable.ts";
import { isDetail } from "./run-tree.ts";

/**
 * Returns the output of `inspect --explain`: the source of each fact, the sources that were rejected, and why
 * details are unknown.
 */
export function explainConsole(
  explanations: readonly Explanation[],
  missing: readonly Missing[],
  theme: Theme,
): string {
  const unknown = missing
    .filter(isDetail)
    .map(
      ({ what, why }) =>
        `  ${printable(what)}  ${theme.unsure("unknown")}\n${theme.dim(`    ${printable(why)}`)}`,
    );
  const cited = new Set<number>();
  return [...explanations.flatMap((one) => lines(one, cited, theme)), ...unknown].join("\n");
}

const mostSources = 6;

/**
 * Returns the lines that explain one fact.
 * @param cited numbers of the rules whose sentences the output already contains
 */
function lines(
  { fact, value, from, passedOver, note, precedence }: Explanation,
  cited: Set<number>,
  theme: Theme,
): string[] {
  return [
    `  ${fact}  ${value === null ? theme.unsure("unknown") : printable(amount(fact, value))}`,
    ...shorten(from).map((source) => `    ${theme.good("from")} ${place(source)}`),
    ...(from.length > mostSources ? [theme.dim(`    and ${from.length - mostSources} more`)] : []),
    ...shorten(passedOver).map((source) =>
      theme.dim(
        `    not  ${place(source)} = ${printable(source.value)}: ${source.why}${source.precedence === null ? "" : ` (${ruleText(source.precedence, cited)})`}`,
      ),
    ),
    ...(passedOver.length > mostSources
      ? [theme.dim(`    and ${passedOver.length - mostSources} more`)]
      : []),
    ...(note === null ? [] : [theme.dim(`    ${note}`)]),
    ...(precedence === null ? [] : [theme.dim(`    ${ruleText(precedence, cited)}`)]),
  ];
}

/** Returns a cost in dollars. A source's cost and the JSON output have all digits. */
function amount(fact: string, value: string): string {
  return fact === "cost_usd" ? dollars(Number(value)) : value;
}

/**
 * Returns the number of a rule. At the first mention of a rule, the text also contains the rule's sentence.
 */
function ruleText({ number, sentence }: Precedence, cited: Set<number>): string {
  if (cited.has(number)) return `rule ${number}`;
  cited.add(number);
  return `rule ${number}: ${sentence}`;
}

function shorten<T>(list: readonly T[]): readonly T[] {
  return list.slice(0, mostSources);
}

function place({ attribute, span, spanId, dialect }: Source): string {
  const where = `span ${printable(span)} (${spanId})`;
  const how = dialect === null ? "by inference" : dialect;
  return attribute === null ? `${where}, ${how}` : `${printable(attribute)} of ${where}, ${how}`;
}

/** Returns the output of `inspect --explain --format json`. */
export function explainJson(explanations: readonly Explanation[]): object[] {
  const json = ({ spanId, traceId, span, attribute, dialect, value }: Source): object => ({
    trace_id: traceId,
    span_id: spanId,
    span,
    attribute,
    dialect,
    value,
  });
  return explanations.map(({ fact, value, from, passedOver, note, precedence }) => ({
    fact,
    value,
    from: from.map(json),
    passed_over: passedOver.map((source) => ({
      ...json(source),
      why: source.why,
      rule: source.precedence?.number ?? null,
    })),
    note,
    rule: precedence?.number ?? null,
  }));
}
