import type { PlainMode } from "../../evaluate/metrics/match-mode.ts";
import type { Layer } from "../../model/outcome.ts";

/* Prose of docs/spec.md between its generated tables. */

export const beginning = `<!-- Made from the check registry and src/spec by npm run generate. -->

# Write a spec

A spec is a YAML file that describes, for each query, what you expect of an agent's answer. After
this page you can:

- write a spec and validate it before a run,
- find the check for your requirement,
- decide which violations fail a build, and which only warn.

\`\`\`yaml file=specs/manual.yaml
version: 1
agent: rag-agent # agent name, else service name; "*" is any
defaults: # merged into every query: maps deeply, lists as a whole; the query's own values win
  cost: { max_latency_ms: 20000 }
queries:
  - id: install # optional; made from the text of the query
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

Tracejury evaluates the checks that a spec writes, and \`run_status\`. AgentCI specs with \`version: 1\`
are valid.

- \`tracejury validate\` reports all problems of a spec at once, each with line, column and fix.
- \`tracejury validate --fix\` applies the fixes that are certain.
- Editors complete the keys of a spec if its first line is \`# yaml-language-server: $schema=PATH\`.
  \`tracejury schema spec\` prints the schema.

## Ten checks you will use

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
| the agent makes few calls and repeats none | \`path: { max_tool_calls: 4, max_loops: 0 }\` |
| the agent hands over to this agent | \`path: { expected_handoffs: [billing] }\` |
| the run stays below limits of cost, time and tokens | \`cost: { max_cost_usd: 0.02, max_latency_ms: 20000, max_total_tokens: 4000 }\` |

## Recipes

- **Judge every query by the same rules.** \`query: "*"\` applies to each run that no other query of
  the spec matches.
- **Set the same limits for all queries.** Write the limits under \`defaults:\`. A query's own value
  takes precedence.
- **Fail the build on a warning.** Write \`severity: { max_loops: fail }\` for one check, or
  \`severity: { cost: fail }\` for a layer.
- **Accept a known failure.** Write \`expected_fail: true\` in the query. A failure then only warns,
  and a pass fails the build.
- **Judge repeated runs together.** Write \`reliability: { min_pass_rate: 0.9, min_runs: 10 }\`.
- **Use a spreadsheet.** Write \`queries_from: cases.csv\` ([tables.md](tables.md)).
- **Test a conversation.** Write the user's messages as \`turns\`
  ([conversations.md](conversations.md)).
- **Limit the cost relative to a saved version.** Write \`cost: { max_cost_multiplier: 1.2 }\` and
  \`baseline: v1\`.

## Other keys at the top

- A spec can also have \`description\`, \`preset\`, \`baseline_dir\`, \`baseline\`, \`judge_config\`,
  \`waivers\` and \`definitions\`.
- \`severity\`, \`scoring\`, \`reliability\` and \`resilience\` at the top apply to all queries.
- Tracejury ignores keys that begin with \`x-\`.

YAML anchors, \`!include path\`, \`$ref: "#/definitions/NAME"\` and \`$ref: "file.yaml#/NAME"\` share
blocks between queries or files.

## Outcomes

| outcome | meaning |
|---|---|
| \`pass\` | the run meets the check |
| \`fail\`, \`warn\` | the run violates the check |
| \`skip\` | the check does not apply to the run, or an earlier failure makes it pointless |
| \`incomplete\` | the telemetry lacks evidence; the message names the setting that records it |
| \`error\` | the check itself failed, for example because a call of a judge failed |

A value that equals its limit passes. Tracejury compares limits with unrounded values.`;

export const matching = `## Which query a run belongs to

Tracejury tries these rules in order. The first rule that finds a query decides.

1. The span, resource or baggage attribute \`tracejury.query.id\` equals the id of the query.
2. The question of the run equals the text of the query.
3. The two texts are equal without case, white space, Unicode form and end punctuation.
4. The question of the run matches \`match.pattern\`.
5. The similarity of the two texts is at least \`match.similarity\`.
6. \`query: "*"\` matches a run that no other rule matches.

If one rule finds two queries, the run is ambiguous, and Tracejury does not judge the run. If the
spec has no query with the run's id, the text of the question decides, and the report notes the
unknown id. Dumps therefore stay usable after you rename an id.

A pattern can capture text for checks. Example: \`match: { pattern: "Refund order {number}" }\` with
\`expected_in_answer: ["{number}"]\`. \`validate\` rejects a name in braces that no pattern captures.
\`\\{name}\` is the literal text \`{name}\`.`;

export const layers = `## Checks

Every check belongs to a layer, and the layer sets the effect of a violation.

- A violation in the layer **correctness** fails the run.
- A violation in the layer **path** or **cost** warns. The exception is \`forbidden_tools\`, which
  fails the run.

\`severity: { max_loops: fail }\` changes the effect of one check, \`severity: { cost: fail }\` of a
whole layer. You can write \`severity\` in a layer, a query, the defaults or the spec. The narrowest
place takes precedence.

In an incomplete run, a violation counts only if the missing spans cannot undo the violation. A
check of an incomplete run that would otherwise pass or fail is \`incomplete\`.

Some checks compare the run with a reference. The spec gives the reference, otherwise the baseline
(\`baseline:\`, \`--baseline\`). Without a reference, the check is skipped. If the baseline has no file
for the query, the check is \`incomplete\`. [own-checks.md](own-checks.md) describes checks that you
write yourself.

Programs can read violations about tools in the field \`reasons\` of a check. A reason has a code, the
step, the expected value and the actual value. The codes are \`TOOL_MISSING\`, \`TOOL_NAME_MISMATCH\`,
\`TOOL_UNEXPECTED\`, \`TOOL_FORBIDDEN\`, \`CATEGORY_NOT_SATISFIED\`, \`SEQUENCE_LENGTH_MISMATCH\`,
\`SEQUENCE_ORDER_VIOLATION\`, \`SEQUENCE_MISSING_TOOLS\` and \`SEQUENCE_TOOL_NOT_FOUND\`. The codes
\`CALL_ARGUMENTS_MISMATCH\`, \`CALL_MISSING\` and \`CALL_UNEXPECTED\` also carry the calls with their
arguments as text.

In the tables below, a name in parentheses, such as (AgentCI), is the tool that defined the check.`;

export const layerTitles: Readonly<Record<Layer, string>> = {
  correctness: "### correctness",
  path: "### path",
  cost: "### cost",
};

export const modes = `### How a run ends

Example: a tool fails, and the model answers without the tool. The run did not fail. \`run_status\`
sees an error in these cases:

- The root span ended in an error.
- An agent, workflow or step ended in an error, and no model call started afterwards.
- The last model call failed, or a guardrail stopped the run.
- The last step is a failed tool, and the run has no answer.
- The answer of a run without model call spans is the error message of a model server.

If a failed run has no answer, Tracejury skips judges. Checks of a failed run whose evidence is
missing because of the error are skipped, too. Other checks still apply.

### Grounded values

\`grounded\` compares values in the answer with values in the evidence.

| answer | evidence | outcome |
|---|---|---|
| \`$1,200.50\`, \`1 200,50 USD\` | \`1200.5\` | pass: a number without a unit equals one with any unit |
| \`24 hours\`, \`2500\`, \`72 km/h\` | \`1 day\`, \`2.5k\`, \`20 m/s\` | pass: units and scales are converted |
| \`three days\`, \`drei Tage\`, \`三天\` | \`3 days\` | pass: number words before a unit count |
| \`9 March 2025\` | \`03/09/2025\` | pass: the date may be in either order |
| \`2025-03-09\` | \`created_at: 1741521600\` | pass: a field named like a time is a UTC time stamp |
| \`€50\`, \`12%\`, \`5 m/s\` | \`$50\`, \`-12%\`, \`5 m/s²\` | violation: unit or sign differ |
| \`3.14\` | \`3.1416\` | violation: a rounded value is not equal to the exact value |
| \`AF 1234\` | \`BA 1234\` | violation: capital letters belong to the number |
| \`1250\`, \`22:30\`, \`100 SEK\` | \`1.250\`, \`10:30\`, \`100 kr\` | \`incomplete\`: the evidence has two meanings |
| \`5 mg\`, \`15 km\`, \`42\` | \`5 mg/kg\`, \`15 users\`, \`0042\` | \`incomplete\`: only the numbers agree |

- Dates are compared by day and times by minute. Ids and addresses are compared without case and
  separators.
- Prices per time, such as \`5 EUR/month\`, are not converted to other periods.
- Number words count in English, German, French, Spanish, Italian, Portuguese, Dutch, Russian,
  Chinese and Japanese. Korean number words are undecided. Fractions in words count, except halves.
- A value with unreadable digits or lost characters, such as \`1█ May\`, makes the check \`incomplete\`.

### Modes

A mode compares the called tools (P) with the reference (R). \`match_mode\` and \`sequence_mode\`
compare tool names. \`call_mode\` compares whole calls.

The mode names in the first column mean the same in every preset. Short words such as \`subset\`
depend on the preset; the default is AgentCI's meaning. \`validate\` warns about short words that
other tools use in the opposite sense.`;

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

Checks marked *(judge)* call a language model. Tracejury evaluates judge checks in three stages:

1. \`llm_judge\` (all rubrics in parallel), \`refutes_premise\`, \`goal_accuracy\`, \`topic_adherence\` and
   the rubrics of \`spans\`,
2. \`safety_check\`,
3. \`hallucination_check\`.

If any check has the outcome \`fail\`, Tracejury skips the judge stages after it. Warnings skip
nothing. Checks of a judge that cannot be called are \`incomplete\`. Checks of a judge whose call
fails are \`error\`. Judge checks of an incomplete run are \`incomplete\`.

A judge replies with a score from 1 to 5, a label and a reason. The default temperature is 0.

- A \`threshold\` t from 0 to 1 requires the score clamp(floor(t·5 + 0.5), 1, 5):
  \`0 → 1, 0.2 → 1, 0.5 → 3, 0.7 → 4, 0.8 → 4, 0.9 → 5, 1 → 5\`.
- The score of a single judge decides. If the label of a judge contradicts its score, the report
  shows both.
- With \`majority_vote\`, an ensemble passes under two conditions: the most frequent label is not
  \`fail\`, and the unrounded mean reaches the required score. A tie of labels counts as borderline.
- If fewer judges than the quorum reply, the check is \`error\`. If too few judges have an API key,
  the check is \`incomplete\`. The default quorum is more than half of the judges.
- The score of weighted \`criteria\` is Σ(score·weight) / Σ(weight) over the criteria that apply.

A rubric is a text, a block of the keys below, or the name of a template such as \`polite_refusal@1\`.
Keys beside \`rubric: NAME@VERSION\` replace the keys of the template. [judges.md](judges.md) lists
the templates, with metrics of DeepEval and Ragas. The prompt of a judge marks the judged text as
data and limits its length.`;

export const retrieval = `## retrieval

The block \`retrieval\` checks retrieved documents, in the layer path. Example:
\`retrieval: { tool: search, forbid_empty: true, expected_sources: [manual.md] }\`.

The documents come from the retrieval spans of the run, or from the results of \`tool\`. Each key of
\`retrieval\` is a check, except \`tool\`, \`result_format\`, \`empty_markers\` and \`refusal_markers\`. If
the run retrieved nothing, the checks of \`retrieval\` are skipped.`;

export const spans = `## spans

The block \`spans\` lists conditions on single steps, in the layer path. By default, every step of the
given \`kind\` and \`name\` must meet the condition, and at least one such step must exist. \`min_count\`
and \`max_count\` change the required number of steps. With \`some: true\`, one step that meets the
condition is enough.

| step | fields |
|---|---|
| tool | \`arguments\`, \`result\`, \`error\`, \`agent\`, \`duration_ms\` |
| model | \`model\`, \`response_model\`, \`finish_reason\`, \`input_tokens\`, \`output_tokens\`, \`cost_usd\` |
| retrieval | \`query\`, \`documents\` |

AgentCI's kinds TOOL, NODE, HANDOFF, GUARDRAIL and LLM are valid, too.`;

export const scoring = `## scoring

The block \`scoring\` adds EvalView's score from 0 to 100 to a verdict. By default, the score is
100·(tool accuracy·0.3 + sequence·0.2) + output quality·0.5.

- Tool accuracy is the share of expected tools and categories that the run used.
- Sequence is the share of the expected sequence that the run followed, by \`sequence_mode\`.
- Output quality is a judge's score from 0 to 100, by the rubric \`output_quality@1\`.

Without a judge's reply, the score is a range. \`min_score\` passes if the whole range reaches the
limit, and is violated if the whole range is below the limit. Otherwise \`min_score\` is undecided.`;

export const reliability = `## reliability

The block \`reliability\` is a gate for repeated runs of a query. Example: 9 of 10 runs pass, so the
gate \`reliability: { min_pass_rate: 0.9, min_runs: 10 }\` passes. With fewer runs than \`min_runs\`,
the report gives the number of missing runs.

With \`min_pass_rate\`, \`pass_at_k\` or \`pass_hat_k\`, the gate replaces the failures of single runs.
Calls of forbidden tools still fail. With other keys only, failures of single runs still count.

A query with \`"*"\`, \`match.pattern\` or \`match.similarity\` matches several texts. By default, each
text has its own gate, so a text that often fails stays visible. The report also shows the pass rate
of all runs. \`pool: true\` gates all texts together, for example for \`Where is order {id}?\`.

If the question of some runs was not captured, the gate is \`incomplete\`, unless these runs cannot
change the result. \`tracejury report\` compares groups of runs.`;

export const resilience = `## resilience

The command \`tracejury resilience\` runs an agent while its model fails on purpose. The block
\`resilience\` is a gate for \`tracejury resilience\`. Example:
\`resilience: { expect: recovered, faults: [rate-limit, stream-cut] }\`. An outcome worse than
\`expect\` ends the command with exit code 1. Other commands ignore the block.

At the top of a spec or in \`defaults\`, the block applies to all queries.
[resilience.md](resilience.md) lists faults and outcomes.`;

export const conversations = `## Conversations

With \`scope: conversation\`, Tracejury judges all runs of a conversation together. The collector does
so when the conversation had no runs for \`assemble.conversation_idle\`. \`turns\` lists the user's
messages in order, each with optional checks. The first question decides which query a conversation
belongs to. The checks of a turn that did not take place are \`incomplete\`.

\`tracejury test --exec\` and \`--url\` send the turns to the agent. A turn can capture text for later
turns and checks: \`capture: { ticket: "T-[0-9]+" }\` defines \`{ticket}\`
([conversations.md](conversations.md)).

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

With \`simulate\`, a judge model plays the user after the written turns. The simulation stops when the
simulated user ends the conversation, or after \`max_turns\` messages. \`simulate\` has no effect on
recorded conversations.`;

export const known = `## Unfinished queries and known failures

\`todo: TEXT\` marks an unfinished query. Runs of the query are \`incomplete\`, with TEXT as the remedy,
until you remove the key. Other checks of the query still run. If \`tracejury promote\` finds no
expectation for a query, it writes \`todo\`.

\`expected_fail: true\` marks a query that the agent is known to fail.

- With \`expected_fail\`, a failure is a warning, even after a call of a forbidden tool. The warning
  of an expected failure does not change the exit code, not even with \`--fail-on warn\`. The JSON
  output marks the failure with \`expected_fail\`.
- A run that passes or only warns fails the check \`expected_fail\`, with exit code 1. Remove the key
  from the query, or run \`tracejury promote --flip QUERY --spec FILE\`.
- An expected failure does not skip later checks and judges. \`expected_fail\` does not change the
  outcomes \`incomplete\` and \`error\`.
- A query with \`expected_fail\` ignores \`reliability:\`. \`report\` counts its runs by their real
  outcomes.`;

export const waivers = `## waivers

A waiver accepts a failure until a date. Until then, the failure is a warning with owner and reason.
From the day after \`expires\`, the failure counts again. A waived failure does not skip later judges.`;

export const metrics = `## Metrics

The field \`metrics\` of a verdict has the values of this table, whether or not a check uses them.
\`report\` compares the values of groups of runs. A metric is \`null\` if its value is unknown or
nothing can be compared with it.

| metric | meaning |
| --- | --- |
| \`tool_calls\` | executed tool calls, repeats included |
| \`tool_errors\` | tool calls that ended in an error |
| \`tool_recall\`, \`tool_precision\`, \`tool_f1\` | measured as by \`min_tool_recall\`, \`min_tool_precision\` and \`min_tool_f1\` |
| \`tool_call_accuracy\` | accuracy of the calls, as the check \`tool_call_accuracy\` defines it |
| \`sequence_similarity\`, \`edit_similarity\` | 2·LCS / (\\|P\\|+\\|R\\|), and 1 − Levenshtein / max(\\|P\\|, \\|R\\|) |
| \`loops\` | counted as by \`max_loops\` |
| \`same_argument_loops\` | maximal runs of three or more adjacent calls of one tool with equal arguments |
| \`cycle_repeats\` | repeats of the longest cycle over several tools: 2 for A, B, A, B, A, B |
| \`retries\` | failed calls that were made again |
| \`stalled_calls\` | calls that repeat an earlier successful call with equal arguments |
| \`unrecovered_errors\` | tools whose last call ended in an error |
| \`skipped_steps\` | \`expected_steps\` that the run did not take |
| \`anomalies\` | counted as by \`max_anomalies\` |
| \`trust\`, \`coherence\` | measured as by \`min_trust\` (only if the spec has that check) and \`min_coherence\` (only for conversations) |
| \`progress\`, \`progress_raw\` | measured as by \`expected_steps\`; \`progress_raw\` counts repeats again |
| \`strategic_drift\` | measured as by \`max_strategic_drift\` |
| \`handoffs\` | number of hand-offs |
| \`cfp\`, \`pr_revert_rate\` | measured as by \`max_cfp\` and \`max_pr_revert_rate\` |
| \`total_tokens\`, \`input_tokens\`, \`output_tokens\` | tokens of all model calls; each call counts once. Input tokens include cached and cache-write tokens; output tokens include reasoning tokens |
| \`cached_tokens\`, \`cache_write_tokens\`, \`reasoning_tokens\` | parts of \`input_tokens\` (the first two) and of \`output_tokens\` |
| \`cached_share\`, \`cache_write_share\`, \`reasoning_share\` | shares of \`total_tokens\` that are cached, cache-write and reasoning tokens, 0–1 |
| \`llm_calls\` | completed model calls |
| \`latency_ms\` | duration of the run in milliseconds: last end − first start |
| \`cost_usd\` | cost in US dollars, from the telemetry, otherwise from the price table |
| \`cost_multiplier\` | cost of the run divided by the cost of the baseline |
| \`token_ratio\`, \`latency_ratio\` | tokens divided by \`max_total_tokens\`, latency divided by \`max_latency_ms\` |
| \`schema_overhead\`, \`skill_efficiency\`, \`token_efficiency\` | measured as by \`max_schema_overhead\`, \`min_skill_efficiency\` and \`max_token_efficiency\` |
| \`token_share.PART\` | share of all tokens of a part that the root span reports, 0–1 |
| \`score\` | EvalView's score, if the spec has \`scoring\` |
| \`impl_rate\` | ProjectScylla's Σ(score·weight) / Σ(weight) of a rubric with \`criteria\`, 0–1. For several such rubrics, their mean |
| \`rubric.ID\` | score of each judged rubric: 1–5; for \`criteria\` and shares 0–1 |
| \`goal_accuracy\`, \`topic_adherence\` | values of the checks \`goal_accuracy\` and \`topic_adherence\` |

\`report\` adds ProjectScylla's \`composite\`: (pass + \`impl_rate\`) / 2 of each decided run with an
\`impl_rate\`. In \`composite\`, the judged part of a run that failed before the judge call is 0. The
grade of a group is the grade of its median composite: A from 0.95, B from 0.85, C from 0.75, D from
0.65, otherwise F. If the group has runs without an \`impl_rate\`, the grade is the grade of the
group's pass rate.`;

export const presets = `## preset

A preset gives words of a spec the meaning that another tool gives them.

| preset | effect |
|---|---|
| \`agentci\` | adds \`max_loops: 3\` and \`match_mode: subset\` to a \`path\` block, as AgentCI's code does |
| \`evalview\` | EvalView's mode names; \`expected_in_answer\` and \`not_in_answer\` ignore only case; in regular expressions, case is ignored and \`.\` matches line breaks; \`max_cost_usd\`, \`max_latency_ms\` and \`min_score\` fail; a forbidden tool makes the score 0 |
| \`langchain\` | LangChain's mode names |
| \`ragas\` | mode names of Ragas |
| \`promptfoo\` | JavaScript's syntax in \`regex_match\`, \`not_regex_match\` and \`regex\` of a step; names in \`expected_tools\`, \`expected_tool_sequence\` and \`spans\` are patterns with \`*\` and \`?\` that ignore case; \`expected_in_answer\` and \`not_in_answer\` ignore only case |`;
