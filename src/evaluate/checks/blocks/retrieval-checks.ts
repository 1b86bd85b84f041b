import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import type { RetrievedDocument } from "../../../model/run.ts";
import type { CompiledQuery } from "../../query/compiled.ts";
import { type Check, type CheckContext, defineCheck, type Finding } from "../check.ts";
import { incomplete, pass, skip, spanIdsOf, violated } from "../../result/finding.ts";
import { withoutAnswer } from "../correctness/answer.ts";
import { type ComparedText, comparedText, shownText } from "../correctness/compared-text.ts";
import { occursAsWhole } from "../../rules/whole-values.ts";
import { plainQuotes } from "../../rules/plain-quotes.ts";
import { count, quoted, share } from "../../rules/text.ts";
import { retrievedBy, type Retrieved } from "./retrieved.ts";
import { jsonValue } from "../../../support/structures/json-schema.ts";

export type RetrievalBlock = NonNullable<CompiledQuery["retrieval"]>;

/** Input of a retrieval rule: one or more retrievals, all with captured documents. */
interface Found {
  readonly context: CheckContext;
  readonly block: RetrievalBlock;
  readonly retrievals: readonly (Retrieved & { readonly documents: readonly RetrievedDocument[] })[];
  readonly documents: readonly RetrievedDocument[];
}

/** Rule for one key of the `retrieval` block. */
interface Rule {
  readonly summary: string;
  /** True if the rule is about the documents of all retrievals together; otherwise the rule is about each retrieval separately. */
  readonly isOfAny?: boolean;
  /** True if further documents of a retrieval can only violate the rule; otherwise they can only fulfil it. */
  readonly isMaximum?: boolean;
  readonly judge: (found: Found) => Finding;
}

/**
 * Creates the check for one key of AgentCI's `retrieval` layer, in the path layer. The check is `incomplete` if documents were not
 * captured, or if the telemetry may lack retrievals that could change the result. Without any retrieval, the check is skipped.
 */
function retrievalCheck(
  key: string,
  { summary, judge, isOfAny = false, isMaximum = false }: Rule,
  block: RetrievalBlock,
): Check {
  return defineCheck({
    key: `retrieval.${key}`,
    layer: "path",
    metric: `retrieval.${key}`,
    summary,
    limit: jsonValue,
    evaluate(context, limit) {
      const retrievals = retrievedBy(context.run, block);
      const hidden = (what: string): Finding => incomplete("retrievals", what, context.run);
      const { metrics } = context;
      const mayLack =
        block.tool === undefined ? metrics.lacks("retrievals") : metrics.toolsMissing !== undefined;
      if (retrievals.length === 0)
        return mayLack
          ? hidden("the telemetry may lack retrievals")
          : skip("nothing was retrieved in this run");
      const known = retrievals.flatMap(({ documents, ...one }) =>
        documents === undefined ? [] : [{ ...one, documents }],
      );
      const unread = hidden("the result of a retrieval was not captured");
      if (known.length === 0) return unread;
      // The limit has the captured text in place of variables.
      const filled = { ...block, [key]: limit };
      const findingOf = (of: typeof known): Finding =>
        judge({ context, block: filled, retrievals: of, documents: of.flatMap((it) => it.documents) });
      let finding = findingOf(known);
      let isUnread = known.length < retrievals.length;
      const whole = known.filter(({ isPartial }) => isPartial === undefined);
      const isCertain = finding.outcome === (isMaximum ? "violated" : "pass") || finding.outcome === "skip";
      if (whole.length < known.length && !isCertain) {
        // The missing documents of a truncated list can change the finding.
        if (isOfAny || whole.length === 0) return unread;
        finding = findingOf(whole);
        isUnread = true;
      }
      // True if a further retrieval cannot change the finding.
      const isDecided = isOfAny ? finding.outcome === "pass" : finding.outcome === "violated";
      if (isDecided || finding.outcome === "skip" || !(mayLack || isUnread)) return finding;
      return isUnread ? unread : hidden("the telemetry may lack retrievals");
    },
  });
}

/** Compares the number of documents of each retrieval with a limit. One retrieval with a wrong number violates the check. */
function each(
  { retrievals }: Found,
  holds: (documents: number) => boolean,
  limit: string,
  worst: (counts: readonly number[]) => number,
): Finding {
  const counts = retrievals.map(({ documents }) => documents.length);
  const value = worst(counts);
  const measure = `${count(value, "document")} in a retrieval, ${limit}`;
  const wrong = retrievals.filter(({ documents }) => !holds(documents.length));
  if (wrong.length === 0) return pass(value, measure);
  return violated(value, measure, { spanIds: spanIdsOf(wrong), final: true });
}

const least = (counts: readonly number[]): number =>
  counts.reduce((least, one) => Math.min(least, one), Infinity);
const most = (counts: readonly number[]): number =>
  counts.reduce((most, one) => Math.max(most, one), -Infinity);

const declines = [
  "i don't know",
  "i do not know",
  "could not find",
  "couldn't find",
  "did not find",
  "didn't find",
  "i cannot find",
  "i can't find",
  "unable to find",
  "found nothing",
  "nothing found",
  "no results",
  "no information",
];

function forbidEmpty(found: Found): Finding {
  const { context, block } = found;
  if (block.forbid_empty !== true) return skip("empty retrievals are allowed");
  const { answer: whole, answerBegin } = context.run;
  const answer = plainQuotes(whole ?? answerBegin ?? "").toLowerCase();
  const markers = block.refusal_markers ?? declines;
  const refused = markers.some((marker) => occursAsWhole(answer, plainQuotes(marker).toLowerCase()));
  const finding = each(found, (documents) => documents > 0, "each retrieval must return documents", least);
  if (finding.outcome !== "violated") return finding;
  if (refused)
    return pass(finding.value, "a retrieval was empty, and the answer says that nothing was found");
  // If the answer is unknown, it may say that nothing was found, so the check is `incomplete`. A later answer may say so, too, so a
  // violation is not final.
  return whole === null ? withoutAnswer(context) : { ...finding, final: false };
}

function minScore({ context, block, retrievals }: Found): Finding {
  const limit = block.min_score ?? 0;
  const retrieved = retrievals.filter(({ documents }) => documents.length > 0);
  if (retrieved.length === 0) return skip("no document was retrieved in this run");
  const bests = retrieved.flatMap(({ documents }) => bestScore(documents, limit) ?? []);
  const worst = bests.length === 0 ? null : bests.reduce((least, one) => Math.min(least, one), Infinity);
  const measure = `best document of the worst retrieval: score ${worst === null ? "unknown" : share(worst, limit)}, at least ${limit} required`;
  if (worst !== null && !isAtLeast(worst, limit)) return violated(worst, measure);
  if (bests.length === retrieved.length) return pass(worst, measure);
  return incomplete("retrievals", "a document of a retrieval has no score", context.run);
}

/** Returns the best score; null if a score is unknown and the known scores are below the limit, so that the best may be above it. */
function bestScore(documents: readonly RetrievedDocument[], limit: number): number | null {
  const known = documents.flatMap(({ score }) => score ?? []);
  const best = known.reduce((most, one) => Math.max(most, one), -Infinity);
  return known.length > 0 && (known.length === documents.length || isAtLeast(best, limit)) ? best : null;
}

/** Returns the texts that occur in no document (`lost`). `known` is false if a document's text was not captured. */
function lacking(
  { documents }: Found,
  texts: readonly string[],
  { of, holds }: Sought,
): { lost: readonly string[]; known: boolean } {
  const shown = documents.map((document) => of(document).map((text) => shownText(plainQuotes(text))));
  const forms = shown.flat().flatMap((it) => (it.unmarked === undefined ? [it] : [it, it.unmarked]));
  const lost = texts.filter((text) => {
    const { visible } = comparedText(plainQuotes(text));
    return !forms.some((it) => holds(it, visible));
  });
  return { lost, known: shown.every((own) => own.length > 0) };
}

/**
 * How a rule searches documents. `of` returns the searched texts of a document; empty if not captured. `holds` returns whether such a text
 * contains the wanted `text`, which is in the `visible` form.
 */
interface Sought {
  readonly of: (document: RetrievedDocument) => readonly string[];
  readonly holds: (shown: ComparedText, text: string) => boolean;
}

/** Whether an id equals the source or contains the source as a whole part: `docs/doc-1.md` contains `doc-1`; `doc-12` does not. */
function namesSource(id: string, source: string): boolean {
  for (let at = id.indexOf(source); at >= 0; at = id.indexOf(source, at + 1)) {
    const end = at + source.length;
    if (!isWithinWord(id, at) && !isWithinWord(id, end)) return true;
  }
  return false;
}

/** Whether a position of a text is inside a word: the characters on both sides are letters or digits. */
function isWithinWord(text: string, at: number): boolean {
  return at > 0 && at < text.length && /^[\p{L}\p{N}]{2}$/u.test(text.slice(at - 1, at + 1));
}

function allThere(found: Found, texts: readonly string[], sought: Sought, what: string): Finding {
  const { lost, known } = lacking(found, texts, sought);
  const value = texts.length - lost.length;
  if (lost.length === 0) return pass(value, `${value} of ${count(texts.length, what)} retrieved`);
  const message = `not retrieved: ${quoted(lost)}`;
  return known
    ? violated(value, message, { faults: lost })
    : incomplete("retrievals", message, found.context.run);
}

function documentNamesOf({ id, sources = [] }: RetrievedDocument): readonly string[] {
  return id === null ? sources : [id, ...sources];
}

const rules: Readonly<Record<string, Rule>> = {
  forbid_empty: {
    summary: "Each retrieval returned a document, or the answer says that nothing was found.",
    judge: forbidEmpty,
  },
  min_results: {
    summary: "Each retrieval returned at least this many documents.",
    judge: (found) => {
      const limit = found.block.min_results ?? 0;
      return each(found, (documents) => documents >= limit, `at least ${limit} required`, least);
    },
  },
  max_results: {
    summary: "Each retrieval returned at most this many documents.",
    isMaximum: true,
    judge: (found) => {
      const limit = found.block.max_results ?? Infinity;
      return each(found, (documents) => documents <= limit, `at most ${limit} allowed`, most);
    },
  },
  min_score: { summary: "The best document of each retrieval has at least this score.", judge: minScore },
  expected_sources: {
    summary: "These sources were retrieved.",
    isOfAny: true,
    judge: (found) =>
      allThere(
        found,
        found.block.expected_sources ?? [],
        { of: documentNamesOf, holds: ({ visible }, text) => namesSource(visible, text) },
        "source",
      ),
  },
  facts_in_context: {
    summary: "These texts were retrieved.",
    isOfAny: true,
    judge: (found) =>
      allThere(
        found,
        found.block.facts_in_context ?? [],
        {
          of: ({ content }) => (content === null ? [] : [content]),
          holds: ({ visible, numbers }, text) => occursAsWhole(visible, text, numbers),
        },
        "text",
      ),
  },
};

export function retrievalChecksOf(block: RetrievalBlock): readonly (readonly [key: string, check: Check])[] {
  return Object.entries(rules)
    .filter(([key]) => Object.hasOwn(block, key))
    .map(([key, rule]) => [key, retrievalCheck(key, rule, block)] as const);
}
