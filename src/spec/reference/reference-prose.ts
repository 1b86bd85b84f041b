import type { PlainMode } from "../../evaluate/metrics/match-mode.ts";
import type { Layer } from "../../model/outcome.ts";

/* Prose of docs/spec.md between its generated tables. */

export const beginning = `<!-- Made from the check registry and src/spec by npm run generate. -->

# Write a spec

A spec is a YAML file that states, for each query, what you expect of an agent's run. After this
page you can write a spec, find the check for your requirement, and decide which violations fail a
build.

\`\`\`yaml file=specs/manual.yaml
version: 1
agent: rag-agent # name of the agent or of its service; "*" is any
defaults: # merged into every query, key by key; a value or list of the query replaces the default
  cost: { max_latency_ms: 20000 }
queries:
  - id: install # optional; default: an id made from the text of the query
    query: How do I install AgentCI?
    description: from the manual, with one look-up
    tags: [smoke] # selected with --tags
    correctness: { expected_in_answer: [pip install] }
    path: { expected_tools: [retriever_tool], max_tool_calls: 5 }
\`\`\`

\`\`\`sh
tracejury validate specs/manual.yaml
tracejury test test/fixtures/runs/rag-install.langgraph.jsonl --spec specs/manual.yaml
\`\`\`

Tracejury evaluates the checks in the spec, and always the check \`run_status\`: did the run end
without an error? A spec written for AgentCI (\`version: 1\`) is valid without changes.
\`tracejury validate\` reports all problems at once, with line, column and, if known, the fix.
\`tracejury validate --fix\` makes the correction of each problem that has only one possible
correction. Editors complete keys after the line \`# yaml-language-server: $schema=PATH\`;
\`tracejury schema spec\` prints the schema.

## Checks you will use

| you expect that | write |
|---|---|
| the answer contains these words | \`correctness: { expected_in_answer: [refund, "5 days"] }\` |
| the answer does not contain these words | \`correctness: { not_in_answer: [degrees] }\` |
| each number, date and id in the answer comes from a tool or the query | \`correctness: { grounded: { in: answer } }\` |
| a language model agrees that the answer is right | \`correctness: { llm_judge: [{ rule: "names the delivery day", threshold: 0.8 }] }\` |
| the agent calls these tools | \`path: { expected_tools: [look_up_order] }\` |
| one call of a tool has these arguments, among others | \`spans: [{ kind: tool, name: look_up_order, field: arguments, includes: { id: "1234" }, some: true }]\` |
| the agent makes these calls and no others, with exactly these arguments | \`path: { expected_tool_calls: [{ name: look_up_order, arguments: { id: "1234" } }] }\` |
| the agent does not call this tool | \`path: { forbidden_tools: [refund_order] }\` |
| the agent makes few calls, and never calls a tool twice in a row | \`path: { max_tool_calls: 4, max_loops: 0 }\` |
| the agent hands over to this agent | \`path: { expected_handoffs: [billing] }\` |
| the run stays within limits of cost, time and tokens | \`cost: { max_cost_usd: 0.02, max_latency_ms: 20000, max_total_tokens: 4000 }\` |

## Recipes

| task | write |
|---|---|
| judge all other queries by the same rules | \`query: "*"\` |
| set limits for all queries | the limits under \`defaults:\` |
| fail the build on a warning of one check | \`severity: { max_loops: fail }\` |
| fail the build on a warning of a layer | \`severity: { cost: fail }\` |
| accept a known failure | \`expected_fail: true\` ([details](#unfinished-queries-and-known-failures)) |
| judge repeated runs together | \`reliability: { min_pass_rate: 0.9, min_runs: 10 }\` |
| use a spreadsheet | \`queries_from: cases.csv\` ([tables.md](tables.md)) |
| test a conversation | the user's messages as \`turns\` ([conversations.md](conversations.md)) |
| limit the cost relative to a saved version | \`cost: { max_cost_multiplier: 1.2 }\` and \`baseline: v1\` |
| share blocks between queries or files | YAML anchors, \`!include path\`, \`$ref: "#/definitions/NAME"\`, \`$ref: "file.yaml#/NAME"\` |

Further keys at the top level of a spec are \`description\`, \`preset\`, \`baseline\`, \`baseline_dir\`,
\`judge_config\`, \`waivers\`, \`definitions\` and \`queries_from\`. At the top level, \`severity\`,
\`scoring\`, \`reliability\` and \`resilience\` apply to all queries; the values in a query take
precedence. Keys at the top level that begin with \`x-\` are ignored.

## Outcomes

| outcome | meaning |
|---|---|
| \`pass\` | the run meets the check |
| \`fail\`, \`warn\` | the run violates the check |
| \`skip\` | the check does not apply, or an earlier failure makes it pointless |
| \`incomplete\` | the telemetry lacks evidence; the remedy names the setting that records it |
| \`error\` | the check could not be evaluated, for example because a call of a judge failed |

A value that is equal to its limit passes. Values are not rounded before they are compared.`;

export const matching = `## Which query a run belongs to

A spec judges the runs of its \`agent\`. The *question* of a run is the text that the user sent; in
JSON output, it is the field \`query\` of the run. A query of the spec matches a run by one of the
following rules, and only if the run has the attributes in the query's \`match.where\`. Tracejury
tries the rules in this order and stops at the first rule that finds a query:

1. The query's id equals the run's span, resource or baggage attribute \`tracejury.query.id\`.
2. The query's text equals the run's question.
3. Text and question are equal if case, white space, Unicode form, typographic quotation marks and
   end punctuation are ignored.
4. The run's question matches \`match.pattern\`.
5. The similarity of text and question is at least \`match.similarity\`.
6. The query is \`"*"\`.

If one rule finds two queries, the run is ambiguous and is not judged. If the attribute of rule 1
names a query whose \`where\` excludes the run, no query matches the run. If the attribute of a single
run names a query about [conversations](#conversations), no query matches, either. If the attribute
names no query of the spec, rules 2 to 6 apply, and the report shows the unknown id. Old dumps
therefore stay usable after you rename a query's id.

A pattern captures parts of the question for checks. Example: with
\`match: { pattern: "Refund order {number}" }\`, the check \`expected_in_answer: ["{number}"]\` expects
the answer to contain the order number of the question. In the arguments of calls and in \`spans\`, a
captured number is text, which does not equal a number. \`validate\` rejects a \`{name}\` that no
pattern captures; write \`\\{name}\` for the literal text.`;

export const layers = `## Checks

By default, a violation in the layer **correctness** fails the run, and a violation in the layer
**path** or **cost** only warns. \`severity\` changes the outcome for a check or a layer, except for
\`forbidden_tools\`, which fails whatever \`severity\` is. \`severity\` is a key of a layer, a query, the
defaults or the spec. Its value names checks or layers: \`severity: { max_loops: fail }\`. In a layer,
the value can also be \`fail\` or \`warn\`, for the whole layer. A setting for a check takes precedence
over a setting for its layer. If several places set \`severity\` for one check or layer, the narrowest
place takes precedence: the layer, then its query, the defaults and the spec.

An incomplete run is a run of which some spans are missing. A violation in an incomplete run counts
only if no missing span can undo the violation: an exceeded limit stays exceeded, but an answer may
still change. All other violations of an incomplete run become \`incomplete\`, and so do all passes.

If the telemetry does not show whether a requested tool ran (\`executed: null\`), a check that depends
on this call is \`incomplete\`. Only \`forbidden_tools\` counts the call.

Some checks compare the run with a reference. The reference comes from the spec, or, if the spec has
none, from the baseline (\`baseline:\`, \`--baseline\`). A check that needs a reference is skipped if
there is no reference, and \`incomplete\` if the baseline has no run of the query.

For programs that read the JSON result, the field \`reasons\` of a check lists up to 16 violations
about tools. A reason has the step, the expected value, the actual value and one of the following
codes. A value is \`null\` if there is none. With a code \`CALL_…\`, the expected and the actual value
are calls with arguments, as text.

- \`TOOL_MISSING\`, \`TOOL_NAME_MISMATCH\`, \`TOOL_UNEXPECTED\`, \`TOOL_FORBIDDEN\`,
  \`CATEGORY_NOT_SATISFIED\`,
- \`SEQUENCE_LENGTH_MISMATCH\`, \`SEQUENCE_ORDER_VIOLATION\`, \`SEQUENCE_MISSING_TOOLS\`,
  \`SEQUENCE_TOOL_NOT_FOUND\`,
- \`CALL_ARGUMENTS_MISMATCH\`, \`CALL_MISSING\`, \`CALL_UNEXPECTED\`.

In the tables, a sentence without a subject, such as "Skipped if …", is about the check. Limits of
counts, costs and durations are at least 0. [parity.md](parity.md) names the tools that defined
these checks, [own-checks.md](own-checks.md) describes your own.`;

export const layerTitles: Readonly<Record<Layer, string>> = {
  correctness: "### correctness",
  path: "### path",
  cost: "### cost",
};

export const modes = `### How a run ends

Example: if a tool fails, and the model answers without the tool, the run does not end in an error.
For \`run_status\`, a run ends in an error if one of these conditions is true:

- its root span ended in an error,
- an agent, workflow or step of the run, but not one inside a tool call, ended in an error, and no
  model call started afterwards,
- its last model call failed, even if the call had already returned a part of an answer,
- a guardrail stopped the run,
- its last model call requested tools, and a span around the run then ended in an error,
- its last step is a failed tool call after a model call, and the run has no answer,
- the run has no model call spans, and its answer is the error message of a model server.

Some span processors copy the error of a failed tool or model call to enclosing and later spans.
Such a copy does not count if a later model call answered. Model calls of evaluations, guardrails
and memories neither end a run in an error nor show that the agent handled an error.

The status is unknown, and \`run_status\` is skipped, if only log records show the run, and they do
not show whether the last model call answered or requested a tool.

If a run ended in an error, Tracejury skips each check that lacks evidence because of the error.
Judges are skipped if the answer is missing. Checks and judges are skipped with \`run_status: any\`,
too, so a failed run without an answer can pass a query with \`expected_in_answer\`. If \`severity\` or
a waiver turns the failure of \`run_status\` into a warning, a check that lacks evidence is
\`incomplete\` instead of skipped. So if a run may fail, but must have an answer, write
\`severity: { run_status: warn }\` instead of \`run_status: any\`. A failure of \`run_status\` skips the
judges, as any failure does; checks that have evidence still apply.

### Grounded values

| answer | evidence | outcome |
|---|---|---|
| \`$1,200.50\`, \`1 200,50 USD\` | \`1200.5\` | pass: a number without a unit equals the same number with any unit |
| \`24 hours\`, \`2500\`, \`72 km/h\` | \`1 day\`, \`2.5k\`, \`20 m/s\` | pass: units and scales are converted |
| \`three days\`, \`drei Tage\`, \`三天\` | \`3 days\` | pass: number words before a unit are values |
| \`9 March 2025\` | \`03/09/2025\` | pass: the date may be in either order |
| \`2025-03-09\` | \`created_at: 1741521600\` | pass: a field named like a time is a UTC time stamp |
| \`€50\`, \`12%\`, \`5 m/s\` | \`$50\`, \`-12%\`, \`5 m/s²\` | violation: unit or sign differ |
| \`3.14\` | \`3.1416\` | violation: the rounded value differs |
| \`AF 1234\` | \`BA 1234\` | violation: capital letters belong to the number |
| \`1250\`, \`22:30\`, \`100 SEK\` | \`1.250\`, \`10:30\`, \`100 kr\` | \`incomplete\`: the evidence has two meanings |
| \`5 mg\`, \`15 km\`, \`42\` | \`5 mg/kg\`, \`15 users\`, \`0042\` | \`incomplete\`: only the numbers agree |
| \`1█ May\` | any | \`incomplete\`: unreadable digits or lost characters |

- Dates are compared by day, times by minute. Case and separators of ids and addresses make no
  difference.
- Prices per time, such as \`5 EUR/month\`, are not converted to other periods.
- Number words are read in English, German, French, Spanish, Italian, Portuguese, Dutch, Russian,
  Chinese and Japanese; Korean number words make the check \`incomplete\`. A fraction in words, such
  as \`two thirds of\`, needs evidence; \`half of\` needs none.
- Numbers of list items, steps (\`Step 2:\`) and sources (\`[2]\`) are no values if they count from 1.

### Modes

A mode is a rule that compares the called tools (P) with the reference (R). \`match_mode\` and
\`sequence_mode\` compare the names of the tools; \`call_mode\` compares calls, with their names and
arguments. A mode name in the first column of this table has the same meaning in every preset. The
meaning of a short mode name, such as \`subset\`, depends on the preset (default: AgentCI's meaning).
Without \`preset\`, \`validate\` warns about \`subset\`, \`superset\` and \`unordered\`, which other tools
define differently.`;

export const modeMeanings: Readonly<Record<PlainMode, string>> = {
  "same-order": "P and R are the same sequence",
  "same-calls": "P and R are the same calls, in any order",
  "same-tools": "P and R contain the same tools, however often",
  contains: "every tool of R was called",
  "contains-calls": "every call of R was made, at least as often as in R",
  "contains-in-order": "the calls of R were made in the order of R; other calls may be between them",
  "only-allowed": "no tool outside R was called",
  "only-allowed-calls": "no call was made that is not in R, and none more often than in R",
};

export const judges = `## Judges

Checks marked *(judge)* call a language model, in three stages:

1. \`llm_judge\` (all rubrics in parallel), \`refutes_premise\`, \`goal_accuracy\`, \`topic_adherence\` and
   the rubrics of \`spans\`,
2. \`safety_check\`,
3. \`hallucination_check\`.

If a check without a judge has the outcome \`fail\`, all stages are skipped. After a \`fail\` in a
stage, later stages are skipped. Warnings skip nothing. \`--judge off\` skips all judge checks.
Otherwise, a judge check is \`incomplete\` if its judge cannot be called, evidence is missing or the
run is incomplete, and \`error\` if the call fails.

A judge replies with a score from 1 to 5, a label (\`pass\`, \`borderline\` or \`fail\`) and a reason.
With \`criteria\`, the judge grades each criterion instead.

- For a score from 1 to 5, a \`threshold\` t requires a score of at least clamp(floor(t·5 + 0.5), 1,
  5), such as \`0 → 1, 0.2 → 1, 0.5 → 3, 0.7 → 4, 0.8 → 4, 0.9 → 5, 1 → 5\`.
- Without an ensemble, the judge's score decides. If the judge's label contradicts the score, the
  report shows both.
- With \`majority_vote\`, an ensemble passes if the most frequent label is not \`fail\` and the
  unrounded mean reaches the required score. If two labels of an ensemble are equally frequent, the
  label is \`borderline\`, which does not fail. With another \`strategy\`, the combined score alone
  decides.
- The score of weighted \`criteria\` is Σ(score·weight) / Σ(weight) over the criteria that apply.

A rubric is a block of the keys below, or the name of a template such as \`polite_refusal@1\`
([judges.md](judges.md)). The prompt marks the judged text as data and limits its length.`;

export const retrieval = `## retrieval

\`retrieval\` checks retrieved documents, in the layer path. Example:
\`retrieval: { tool: search, forbid_empty: true, expected_sources: [manual.md] }\`.

The documents come from retrieval spans, or from the results of \`tool\`. Each key of \`retrieval\` is a
check, except \`tool\`, \`result_format\`, \`empty_markers\` and \`refusal_markers\`. These checks are
skipped if the run has no retrieval. A check of \`retrieval\` is \`incomplete\` if the documents of a
retrieval were not recorded, or if a text, score or retrieval may be missing that could change the
outcome.`;

export const spans = `## spans

\`spans\` lists conditions on single steps of a run, in the layer path. Every step of the given \`kind\`
and \`name\` must meet the condition, and at least one such step must exist. \`min_count\` and
\`max_count\` limit the number of steps of this kind and name; with \`max_count\` and without
\`min_count\`, the run may have no such step. With \`some: true\`, one step that meets the condition is
enough.

| step | fields |
|---|---|
| tool | \`name\`, \`arguments\`, \`result\`, \`error\`, \`agent\`, \`duration_ms\` |
| model | \`model\`, \`response_model\`, \`finish_reason\`, \`agent\`, \`error\`, \`input_tokens\`, \`output_tokens\`, \`cost_usd\`, \`duration_ms\` |
| retrieval | \`query\`, \`documents\` (a list; of each: \`id\`, \`content\`, \`score\`) |
| agent | \`name\` |
| handoff | \`from\`, \`to\`, \`kind\`, \`tool\` |
| guardrail | \`name\`, \`triggered\` |

Without \`field\`, the conditions apply to the name and all fields of the step. \`contains\`,
\`not_contains\` and \`regex\` search the JSON text of a value, and also this text with the escapes of
JSON (\`\\u00e9\`, \`\\n\`, \`\\\\\`) decoded. A value that the step does not have, such as the result of a
failed call, is null: it contains no text and matches no pattern. The check is \`incomplete\` if a
missing part of the value could change the outcome, or if steps of this \`kind\` never have the given
\`field\`.

AgentCI's names for kinds are also valid: TOOL (\`tool\`), NODE (\`agent\`), HANDOFF (\`handoff\`),
GUARDRAIL (\`guardrail\`) and LLM (\`model\`).`;

export const scoring = `## scoring

\`scoring\` adds EvalView's score from 0 to 100 to a verdict. By default, the score is 100·(tool
accuracy·0.3 + sequence·0.2) + output quality·0.5. The score has these three parts:

- Tool accuracy is the share of expected tools and categories that the run used, from 0 to 1. Tool
  accuracy is 1 if no tool or category is expected.
- Sequence is the share of the expected tool sequence that the run followed, from 0 to 1. Sequence
  is 1 if no sequence is expected. \`sequence_mode\` sets the comparison; in \`scoring\`, the default of
  \`sequence_mode\` is \`contains-in-order\`, and short mode names without \`preset\` have EvalView's
  meaning.
- Output quality is a judge's score from 0 to 100, by the rubric \`output_quality@1\`.

If the judge has not replied, EvalView's score is a range. \`min_score\` passes or is violated only if
the whole range is on one side of the limit. If the limit is in the range, \`min_score\` is
\`incomplete\`, or skipped if judges are off or an earlier check failed.`;

export const reliability = `## reliability

\`reliability\` is a gate for repeated runs of a query: the gate passes or fails for all runs
together. Example: with 9 passes in 10 runs, \`reliability: { min_pass_rate: 0.9, min_runs: 10 }\`
passes. With fewer runs than \`min_runs\`, the gate is undecided, and the report shows how many runs
are missing.

If \`reliability\` has \`min_pass_rate\`, \`pass_at_k\` or \`pass_hat_k\`, the gate decides: a failed run
alone does not give exit code 1, unless the run called a forbidden tool. If \`reliability\` has none
of these three keys, each failed run gives exit code 1.

A query with \`"*"\`, \`match.pattern\` or \`match.similarity\` matches several questions. Each question
has a separate gate, so a question that often fails stays visible. The report also shows the pass
rate of all runs of the query. \`pool: true\` makes one gate for all questions, for example for
\`Where is order {id}?\`.

Runs whose question was not recorded cannot be assigned to a question, and share one gate. The
shared gate fails if too few of these runs pass. If enough of them pass, the shared gate is usually
\`incomplete\`, because too few runs of one question may have passed. The shared gate passes if no run
failed and the limits need only one run of each question.`;

export const resilience = `## resilience

\`resilience\` is a gate for the command \`tracejury resilience\`, which runs an agent while its model
fails on purpose; other commands ignore \`resilience\`. Example:
\`resilience: { expect: recovered, faults: [rate-limit, stream-cut] }\`. An outcome worse than
\`expect\` gives exit code 1. [resilience.md](resilience.md) lists faults and outcomes.`;

export const conversations = `## Conversations

With \`scope: conversation\`, all runs of one service and conversation id are judged together. A
conversation ends with a pause longer than \`assemble.conversation_idle\`; \`serve\` judges the
conversation after this pause. \`turns\` lists the user's messages, each with optional checks; \`turns\`
and \`simulate\` imply the scope \`conversation\`. The first question decides which query a conversation
belongs to. The checks of a turn that did not take place are \`incomplete\`, and the conversation is
then an incomplete run. Checks outside \`turns\` count the tools, tokens and costs of all turns, but
read only the last answer: if an earlier answer contains a term of \`not_in_answer\`, the check
passes.

\`\`\`yaml
queries:
  - query: I want to cancel my subscription
    scope: conversation
    correctness: { goal_accuracy: the subscription is cancelled }
    turns:
      - query: I want to cancel my subscription
        path: { max_tool_calls: 0 }
      - query: Yes, go ahead
        path: { expected_tools: [cancel_subscription] }
\`\`\`

\`tracejury test --exec\` and \`--url\` send the turns to the agent. \`capture: { ticket: "T-[0-9]+" }\`
in a turn defines \`{ticket}\` for later turns and checks ([conversations.md](conversations.md)).

With \`simulate\`, a judge model plays the user after the written turns, until the model ends the
conversation or \`max_turns\` is reached. \`simulate\` has no effect on recorded conversations.`;

export const known = `## Unfinished queries and known failures

With \`todo: TEXT\`, no run of the query can pass. A run without a failed check is \`incomplete\`, and
its remedy is TEXT; a failed check still fails the run. Remove the key \`todo\` when the query is
finished. \`tracejury promote\` writes \`todo\` if it finds nothing that a run of the query should do.

\`expected_fail: true\` marks a query that the agent is known to fail.

- A failure, even a call of a forbidden tool, is a warning. Such a warning never changes the exit
  code, not even with \`--fail-on warn\`, and skips no later check or judge. In JSON, a check that
  failed as expected has \`expected_fail: true\`.
- If no check of a run failed as expected, and the run passes or warns, the check \`expected_fail\`
  fails, with exit code 1. Then remove the key \`expected_fail\`, or run \`tracejury promote --flip
  QUERY --spec FILE\`.
- If no check of a run failed and the outcome is \`incomplete\` or \`error\`, \`expected_fail\` does not
  change this outcome.
- A query with \`expected_fail\` ignores \`reliability:\`. \`report\` counts the outcomes that the runs
  would have without \`expected_fail\`.`;

export const waivers = `## waivers

A waiver turns a failure into a warning with owner and reason, until the end of the day \`expires\`
(UTC). A waived failure skips no later judge.`;

export const metrics = `## Metrics

The field \`metrics\` of a verdict has the values of this table, whether or not a check uses them.
Only the value of a judge needs the judge's check in the spec. A metric is \`null\` if its value is
unknown, or if its reference is missing. \`report --format json\` has each metric of each group of
runs.

| metric | meaning |
| --- | --- |
| \`tool_recall\`, \`tool_precision\`, \`tool_f1\`, \`tool_call_accuracy\`, \`loops\`, \`anomalies\`, \`progress\`, \`strategic_drift\`, \`cfp\`, \`pr_revert_rate\`, \`schema_overhead\`, \`skill_efficiency\`, \`token_efficiency\`, \`goal_accuracy\`, \`topic_adherence\` | value of the check of this name, such as \`min_tool_recall\` |
| \`trust\`, \`coherence\` | value of the check of this name; \`trust\` only if the spec has \`min_trust\`, \`coherence\` only for conversations |
| \`tool_calls\`, \`tool_errors\`, \`handoffs\`, \`llm_calls\` | number of executed tool calls (repeats included); of failed tool calls; of hand-offs; of completed model calls |
| \`progress_raw\` | \`progress\`, but each repetition of a step counts again |
| \`sequence_similarity\`, \`edit_similarity\` | 2·LCS / (\\|P\\|+\\|R\\|), and 1 − Levenshtein / max(\\|P\\|, \\|R\\|) |
| \`same_argument_loops\` | series of three or more adjacent calls of one tool with equal arguments |
| \`cycle_repeats\` | repeats of the longest cycle over several tools: 2 for A, B, A, B, A, B |
| \`retries\` | failed calls that were made again |
| \`stalled_calls\` | calls that repeat an earlier successful call with equal arguments |
| \`unrecovered_errors\` | tools whose last call ended in an error |
| \`skipped_steps\` | \`expected_steps\` that the run did not take |
| \`total_tokens\`, \`input_tokens\`, \`output_tokens\` | tokens of all model calls, counted as by \`max_total_tokens\` |
| \`cached_tokens\`, \`cache_write_tokens\`, \`reasoning_tokens\` | parts of \`input_tokens\` (the first two) and \`output_tokens\` |
| \`cached_share\`, \`cache_write_share\`, \`reasoning_share\` | share of \`cached_tokens\`, \`cache_write_tokens\`, \`reasoning_tokens\` in \`total_tokens\`, 0–1 |
| \`latency_ms\` | duration in milliseconds: last end − first start |
| \`cost_usd\` | cost in US dollars |
| \`cost_multiplier\` | cost divided by the cost of the baseline |
| \`token_ratio\`, \`latency_ratio\` | tokens divided by \`max_total_tokens\`, latency divided by \`max_latency_ms\` |
| \`token_share.PART\` | share of a part that the root span reports, 0–1 |
| \`score\` | EvalView's score, if the spec has \`scoring\` |
| \`impl_rate\` | ProjectScylla's Σ(score·weight) / Σ(weight) of a rubric with \`criteria\`, 0–1. For several such rubrics, their mean |
| \`rubric.ID\` | score of each judged rubric: 1–5; for \`criteria\` and shares 0–1 |

\`report\` adds ProjectScylla's \`composite\` of each decided run with an \`impl_rate\`: (pass +
\`impl_rate\`) / 2. The judged part of \`score\` and of \`composite\` is 0 if the run failed before its
judge was called. The grade of a group depends on the median of its composites, or on its pass rate
if some runs have no \`impl_rate\`: A from 0.95, B from 0.85, C from 0.75, D from 0.65, otherwise F.`;

export const presets = `## preset

A preset gives keys and mode names of a spec the meaning that they have in another tool.

| preset | effect |
|---|---|
| \`agentci\` | adds \`max_loops: 3\` and \`match_mode: subset\` to a \`path\` block, as AgentCI's code does |
| \`evalview\` | EvalView's mode names; \`expected_in_answer\` and \`not_in_answer\` ignore only case; in regular expressions, case is ignored and \`.\` matches line breaks; a violation of \`max_cost_usd\`, \`max_latency_ms\` or \`min_score\` fails the run; a forbidden tool makes the score 0 |
| \`langchain\` | LangChain's mode names |
| \`ragas\` | mode names of Ragas |
| \`promptfoo\` | JavaScript's syntax in \`regex_match\`, \`not_regex_match\` and \`regex\` of a step; names in \`expected_tools\`, tool sequences and \`spans\` are patterns with \`*\` and \`?\` that ignore case; \`expected_in_answer\` and \`not_in_answer\` ignore only case |`;
