import { z } from "zod";
import { parseJsonText, roundedIntegerIn, valueBounds } from "../../../model/json.ts";
import type { AgentRun } from "../../../model/run.ts";
import { type CheckContext, defineCheck, type Finding } from "../check.ts";
import { incomplete, pass, violated } from "../../result/finding.ts";
import { compileSchema, type SchemaProblem } from "../../rules/json-schema.ts";
import { rootSpan, withoutAnswer } from "./answer.ts";

const schemaText = z.record(z.string(), z.unknown()).superRefine((schema, problems) => {
  const compiled = compileSchema(schema);
  if (!compiled.ok)
    problems.addIssue({ code: "custom", message: `the JSON Schema cannot be used: ${compiled.reason}` });
});

/** Check for AgentCI's `json_schema`. */
export const jsonSchema = defineCheck({
  key: "json_schema",
  layer: "correctness",
  summary: "The answer is JSON that validates against this JSON Schema.",
  details:
    "Drafts 4, 6, 7, 2019-09 and 2020-12 (default). JSON in a Markdown code fence is not JSON. If the schema compares numbers, an integer in the answer that is too large for an exact comparison (beyond 2^53) makes the check `incomplete`.",
  limit: schemaText,
  evaluate(context, limit) {
    const answer = context.run.answer;
    if (answer === null) return withoutAnswer(context);
    const schema = compileSchema(limit);
    if (!schema.ok)
      return { outcome: "error", value: null, message: `the schema cannot be used: ${schema.reason}` };
    const parsed = parseJsonText(answer, rounding);
    if (parsed.problem === "syntax")
      return faulty(`the answer is not JSON${fenced(answer)}`, ["not JSON"], context);
    if (parsed.problem !== undefined) return unread(context.run);
    const rounded = roundedIntegerIn(answer);
    const problems = schema.validate(parsed.value);
    if (rounded !== undefined && comparesNumbers.test(JSON.stringify(limit)))
      return inexact(rounded, context.run);
    if (problems.length === 0) return pass(true, "the answer validates against the schema");
    const all = answer.length > LONGEST_READ_AGAIN ? problems : schema.allProblems(parsed.value);
    const faults = [...new Set(all.map(fieldAtFault))];
    return faulty(shown(all), faults.slice(0, MOST_FAULTS), context);
  },
});

/** Parser options that read large integers as rounded numbers instead of texts, because schemas describe numbers. */
const rounding = { ...valueBounds, exact: false };

/** Maximum length of an answer whose invalid fields are all reported. For a longer answer, only the first invalid field is reported. */
const LONGEST_READ_AGAIN = 65_536;

/** Maximum number of fields in `faults`. */
const MOST_FAULTS = 256;

function faulty(message: string, faults: readonly string[], context: CheckContext): Finding {
  return violated(false, message, { ...rootSpan(context), faults });
}

/** Matches schema keywords that compare a number with another number. `uniqueItems` compares the items of a list with each other. */
const comparesNumbers =
  /"(?:const|enum|multipleOf|(?:exclusive)?(?:Minimum|Maximum)|minimum|maximum)":|"uniqueItems":true/;

function inexact(integer: string, run: AgentRun): Finding {
  const message = `the answer has the integer ${integer.slice(0, 40)}, which is rounded when it is read`;
  return { ...incomplete("answer", message, run), remedy: "Have the agent write such integers as strings." };
}

function unread(run: AgentRun): Finding {
  const { levels, nodes } = valueBounds;
  return {
    ...incomplete(
      "answer",
      `the answer is JSON of more than ${levels} levels or ${nodes} values, which is not parsed`,
      run,
    ),
    remedy: "Have the agent answer with a smaller document.",
  };
}

/** Returns a problem with `#` instead of list indices, so that the same problem in each item has the same text. */
function fieldAtFault({ path, message }: SchemaProblem): string {
  return `${path.replaceAll(/\/\d+(?=\/|$)/g, "/#")} ${message}`.trim();
}

/** Maximum number of problems in a message. */
const MOST_SHOWN = 8;

function shown(problems: readonly SchemaProblem[]): string {
  const rest = problems.length - MOST_SHOWN;
  return problems.slice(0, MOST_SHOWN).map(described).join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}

function described({ path, message }: SchemaProblem): string {
  return `${path === "" ? "the answer" : path} ${message}`;
}

function fenced(answer: string): string {
  return answer.trimStart().startsWith("```") ? ": it is wrapped in a Markdown code fence" : "";
}
