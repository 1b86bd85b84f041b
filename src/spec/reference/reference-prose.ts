import type { PlainMode } from "../../evaluate/metrics/match-mode.ts";
import type { Layer } from "../../model/outcome.ts";

/* Prose of docs/spec.md between its generated tables. */

export const beginning = `<!-- Made from the check registry and src/spec by npm run generate. -->

# Write a spec

A spec is a YAML file. The file names an agent and describes the answer that you expect for each
query. After this page you can:

- write a spec and check it before a run,
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

Tracejury checks only the keys that you write. A \`version: 1\` spec of AgentCI is valid without
changes.

- \`validate\` reports all problems at once, each with its line, its column and a fix.
- \`validate --fix\` applies the fixes that are certain.
- An editor completes keys with \`# yaml-language-server: $schema=PATH\` and the output of
  \`tracejury schema spec\`.

## Ten checks you will use

| you expect that | write |
|---|---|
| the answer contains these words | \`correctness: { expected_in_answer: [refund, "5 days"] }\` |
| the answer does not contain these words | \`correctness: { not_in_answer: [degrees] }\` |
| each number, date and id in the answer comes from a tool or the query | \`correctness: { grounded: { in: answer } }\` |
| a language model agrees that the answer is right | \`correctness: { llm_judge: [{ rule: "names the delivery day", threshold: 0.8 }] }\` |
| these tools are called | \`path: { expected_tools: [look_up_order] }\` |
| a call of this tool has these arguments, among others | \`spans: [{ kind: tool, name: look_up_order, field: arguments, includes: { id: "1234" }, some: true }]\` |
| these calls are made and no others, with all their arguments | \`path: { expected_tool_calls: [{ name: look_up_order, arguments: { id: "1234" } }] }\` |
| this tool is never called | \`path: { forbidden_tools: [refund_order] }\` |
| the agent makes few calls and repeats none | \`path: { max_tool_calls: 4, max_loops: 0 }\` |
| the agent hands over to this agent | \`path: { expected_handoffs: [billing] }\` |
| the run stays below limits of cost, time and tokens | \`cost: { max_cost_usd: 0.02, max_latency_ms: 20000, max_total_tokens: 4000 }\` |

## Recipes

- **Judge every query by the same rules.** \`query: "*"\` applies to each run that no other query
  matches.
- **Set the same limits for all queries.** Write the limits under \`defaults:\`. A query's own value
  takes precedence.
- **Fail the build on a warning.** Write \`severity: { max_loops: fail }\`, or
  \`severity: { cost: fail }\` for a whole layer.
- **Accept a known failure.** Write \`expected_fail: true\` in the query. A failure of the query then
  only warns. If the query passes, the build fails until you remove the key.
- **Judge repeated runs together.** Write \`reliability: { min_pass_rate: 0.9, min_runs: 10 }\`.
- **Use a spreadsheet.** Write \`queries_from: cases.csv\` ([tables.md](tables.md)).
- **Test a conversation.** Write the user's messages as \`turns\`
  ([conversations.md](conversations.md)).
- **Limit the cost relative to a saved version.** Write \`cost: { max_cost_multiplier: 1.2 }\` and
  \`baseline: v1\`.

## Other keys at the top

- \`description\`, \`preset\`, \`baseline_dir\`, \`baseline\`, \`judge_config\`, \`waivers\`, \`definitions\`,
- for all queries: \`severity\`, \`scoring\`, \`reliability\`, \`resilience\`,
- keys that begin with \`x-\`. Tracejury ignores them.

To share blocks, use YAML anchors, \`!include path\`, \`$ref: "#/definitions/NAME"\` or
\`$ref: "file.yaml#/NAME"\`.

## Outcomes

| outcome | meaning |
|---|---|
| \`pass\` | the run meets the check |
| \`fail\`, \`warn\` | the run violates the check |
| \`skip\` | the run contains nothing that the check applies to |
| \`incomplete\` | the telemetry lacks the evidence; the message names the setting that records it |
| \`error\` | the check itself failed, for example because a call of a judge failed |

A value that is equal to its limit passes. Limits are compared with unrounded values.`;

export const matching = `## Which query a run belongs to

Tracejury tries these rules in order. The first rule that finds a query decides.

1. The attribute \`tracejury.query.id\` of a span, the resource or the baggage is the query's id.
2. The run's question is equal to the query's text.
3. The two texts are equal if case, white space, Unicode form and end punctuation are ignored.
4. The run's question matches \`match.pattern\`.
5. The similarity of the two texts reaches \`match.similarity\`.
6. \`query: "*"\` matches every other run.

If two queries match by the same rule, the run is ambiguous and not judged. If no query has the
run's id, the question's text decides, and the report says so. Old dumps therefore stay usable after
you rename an id.

A pattern can capture text for checks: \`match: { pattern: "Refund order {number}" }\` and
\`expected_in_answer: ["{number}"]\`. A name in braces that no pattern captures is an error. To write
braces as text, write \`\\{name}\`.`;

export const layers = `## Checks

Checks belong to three layers:

- A violation in **correctness** fails the run.
- A violation in **path** or **cost** warns. A forbidden tool always fails the run.

\`severity\` changes the effect of a violation. Write \`severity: { max_loops: fail }\` in a layer, a
query, the defaults or the spec. The narrowest place takes precedence. \`severity: { cost: fail }\`
changes a whole layer.

In an incomplete run, a violation counts only if missing spans cannot undo it.

Some checks compare the run with a reference. The reference comes from the spec, otherwise from the
baseline (\`baseline:\`, \`--baseline\`). If neither has a reference, the check is skipped. If the
baseline has no file for the query, the check is \`incomplete\`. To write your own checks, see
[own-checks.md](own-checks.md).

A program can read violations about tools and their order from the field \`reasons\` of a check. Each
reason has a code, the step, the expected value and the actual value. The codes are \`TOOL_MISSING\`,
\`TOOL_NAME_MISMATCH\`, \`TOOL_UNEXPECTED\`, \`TOOL_FORBIDDEN\`, \`CATEGORY_NOT_SATISFIED\`,
\`SEQUENCE_LENGTH_MISMATCH\`, \`SEQUENCE_ORDER_VIOLATION\`, \`SEQUENCE_MISSING_TOOLS\` and
\`SEQUENCE_TOOL_NOT_FOUND\`. \`CALL_ARGUMENTS_MISMATCH\`, \`CALL_MISSING\` and \`CALL_UNEXPECTED\` also have
the calls and their arguments as text.`;

export const layerTitles: Readonly<Record<Layer, string>> = {
  correctness: "### correctness",
  path: "### path",
  cost: "### cost",
};

export const modes = `### Modes

A mode compares the called tools (P) with the reference (R). \`match_mode\` and \`sequence_mode\`
compare tool names; \`call_mode\` compares whole calls.

The names on the left have the same meaning in every preset. The meaning of the short words depends
on the preset; without a preset, AgentCI's meaning applies. \`validate\` warns about words that other
tools use in the opposite sense.`;

export const modeMeanings: Readonly<Record<PlainMode, string>> = {
  "same-order": "P = R",
  "same-calls": "P and R are the same calls, in any order",
  "same-tools": "P and R are the same tools; repeats do not count",
  contains: "every tool of R was called",
  "contains-calls": "every call of R was made, at least as often as in R",
  "contains-in-order": "the calls of R were made in the order of R; other calls may be between them",
  "only-allowed": "no tool outside R was called",
  "only-allowed-calls": "no call was made that is not in R, and none more often than in R",
};

export const judges = `## Judges

Checks marked *(judge)* ask a language model, in three stages:

1. \`llm_judge\` (all rubrics in parallel), \`refutes_premise\`, \`goal_accuracy\`, \`topic_adherence\`,
2. \`safety_check\`,
3. \`hallucination_check\`.

If a check in a stage or any check without a judge fails, the later stages are skipped. If a judge
cannot be called, its checks are \`incomplete\`. If a call of a judge fails, its checks are \`error\`.
Neither outcome passes or fails a run.

A judge replies with a score of 1 to 5, a label and a reason, at temperature 0.

- A \`threshold\` t needs a score of clamp(floor(t·5 + 0.5), 1, 5): 0 → 1, 0.2 → 1, 0.5 → 3, 0.7 → 4,
  0.8 → 4, 0.9 → 5, 1 → 5.
- The score of a single judge decides. If the judge's label contradicts the score, the report shows
  the contradiction.
- With \`majority_vote\`, several judges pass if most labels are not \`fail\` and the unrounded mean
  reaches the score. A tie of labels counts as borderline.
- With fewer replies than the quorum, the check is \`error\` if calls failed, and \`incomplete\` if API
  keys are missing. The quorum is more than half of the judges, or \`ensemble.quorum\`.
- Weighted \`criteria\` give Σ(score·weight) / Σ(weight) over the criteria that apply, from 0 to 1.

A rubric is a text, a block of keys, or the name of a template such as \`polite_refusal@1\`. Further
keys beside \`rubric: NAME@VERSION\` replace the keys of the template. [judges.md](judges.md) lists
templates for the metrics of DeepEval and Ragas. In the judge's prompt, the judged text is marked as
data, limited in length, and never used as an instruction.`;

export const retrieval = `## retrieval

The block \`retrieval\` has checks of retrieved documents. The checks belong to the path layer. The
documents come from the run's retrieval spans, or from the results of \`tool\`. Each key is a check,
except \`tool\`, \`result_format\`, \`empty_markers\` and \`refusal_markers\`. If the run retrieved nothing,
the checks are skipped.`;

export const spans = `## spans

The block \`spans\` is a list of conditions on single steps. The conditions belong to the path layer.
Each step of the given \`kind\` and \`name\` must meet the condition, and at least one such step must
exist. \`min_count\` and \`max_count\` change the required number of steps. With \`some: true\`, one step
that meets the condition is enough.

| step | fields |
|---|---|
| tool | \`arguments\`, \`result\`, \`error\`, \`agent\`, \`duration_ms\` |
| model | \`model\`, \`response_model\`, \`finish_reason\`, \`input_tokens\`, \`output_tokens\`, \`cost_usd\` |
| retrieval | \`query\`, \`documents\` |

AgentCI's kinds TOOL, NODE, HANDOFF, GUARDRAIL and LLM are accepted.`;

export const scoring = `## scoring

The block \`scoring\` adds EvalView's score from 0 to 100 to the layers. The score is 100·(tool
accuracy·0.3 + sequence·0.2) + output quality·0.5.

- Tool accuracy is the share of expected tools and categories that were used.
- Sequence is the share of the expected sequence that was followed, by \`sequence_mode\`.
- Output quality is a judge's score, by the rubric \`output_quality@1\`.

Without a judge, the score is a range. \`min_score\` passes only if the whole range is above the
limit, and fails only if the whole range is below the limit.`;

export const reliability = `## reliability

The block \`reliability\` is a gate for repeated runs of a query. The outcome of the gate is pass,
fail, or too few runs. In the last case, the report gives the number of missing runs.

With \`min_pass_rate\`, \`pass_at_k\` or \`pass_hat_k\`, the gate decides instead of the failures of
single runs. Only forbidden tools still fail single runs. With only \`min_runs\`, \`confidence\` or
limits on scores, failures of single runs still count. \`tracejury report\` compares groups of runs.

A query with \`"*"\`, \`match.pattern\` or \`match.similarity\` can match several texts. Each text
has its own gate, so that other texts cannot hide a text that always fails. The report also shows
the pass rate of all runs. With \`pool: true\`, the rate of all runs decides the gate. Use
\`pool: true\` for patterns such as \`Where is order {id}?\`.

If the question's text of some runs was not captured, the gate is \`incomplete\`. The exceptions are
that all these runs passed, or that enough of them failed to decide.`;

export const resilience = `## resilience

The block \`resilience\` is a gate for the command \`tracejury resilience\`, which runs the agent with
faults of its model. Example: \`resilience: { expect: recovered, faults: [rate-limit, stream-cut] }\`.
If the outcome after a fault is worse than \`expect\`, the command ends with exit code 1. Other
commands ignore the block.

At the top of the spec or in \`defaults\`, the block applies to all queries.
[resilience.md](resilience.md) lists faults and outcomes.`;

export const conversations = `## Conversations

With \`scope: conversation\`, Tracejury judges all runs of a conversation together, after the
conversation had no runs for \`assemble.conversation_idle\`. \`turns\` lists the user's messages in
order; each turn can have its own checks. The first turn decides which query a conversation belongs
to. If a turn was not asked, its checks are \`incomplete\`.

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

With \`simulate\`, a judge model plays the user after the written turns, or after \`query\`. The
simulation stops when the simulated user ends the conversation, or after \`max_turns\` messages.
\`simulate\` does not affect recorded conversations.`;

export const known = `## Unfinished queries and known failures

\`todo: TEXT\` marks an unfinished query. Until you remove the key, runs of the query are
\`incomplete\`, and the report shows TEXT as the remedy. Existing checks still run. If
\`tracejury promote\` finds no expectation for a query, the command writes \`todo\`.

\`expected_fail: true\` marks a query that the agent is known to fail.

- A failure of this query, even because of a forbidden tool, is only a warning. The warning does not
  change the exit code, not even with \`--fail-on warn\`. The JSON output marks the failure with
  \`expected_fail\`.
- A run that passes or warns fails the check \`expected_fail\` with exit code 1. In this case remove
  the key, or run \`tracejury promote --flip QUERY --spec FILE\`.
- Later checks and judges still run. The outcomes \`incomplete\` and \`error\` do not change.
- \`reliability:\` does not apply to the query. \`report\` counts its runs by their real outcomes.`;

export const waivers = `## waivers

A waiver accepts a failure until a date. The failure only warns, and the report shows the owner and
the reason. From the day after \`expires\`, the failure counts again. A waiver applies only to its own
check, and later judges still run.`;

export const metrics = `## Metrics

Every verdict has these values in \`metrics\`, even if no check uses them. \`report\` compares the
values of groups of runs. A value is \`null\` if it is unknown, or if there is no reference for it.

| metric | meaning |
| --- | --- |
| \`tool_calls\` | executed tool calls, repeats included |
| \`tool_errors\` | tool calls that ended in an error |
| \`tool_recall\`, \`tool_precision\`, \`tool_f1\` | measured as by \`min_tool_recall\`, \`min_tool_precision\` and \`min_tool_f1\` |
| \`tool_call_accuracy\` | measured as by the check of that name |
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
| \`schema_overhead\`, \`skill_efficiency\`, \`token_efficiency\` | measured as by the checks of these names |
| \`token_share.PART\` | share of all tokens of a part that the root span reports, 0–1 |
| \`score\` | EvalView's score, if the spec has \`scoring\` |
| \`impl_rate\` | ProjectScylla's Σ(score·weight) / Σ(weight) of a rubric with \`criteria\`, 0–1. For several such rubrics, their mean |
| \`rubric.ID\` | score of each judged rubric: 1–5; for \`criteria\` and shares 0–1 |
| \`goal_accuracy\`, \`topic_adherence\` | measured as by the checks of these names |

\`report\` adds ProjectScylla's \`composite\`: (pass + \`impl_rate\`) / 2 of each decided run with an
\`impl_rate\`. If a run failed before its judge was asked, the judged part is 0. The grade of a group
is the grade of its median composite: A from 0.95, B from 0.85, C from 0.75, D from 0.65, otherwise
F. If the group has runs without an \`impl_rate\`, the grade is the grade of the group's pass rate.`;

export const presets = `## preset

| preset | effect |
|---|---|
| \`agentci\` | a \`path\` block also has \`max_loops: 3\` and \`match_mode: subset\`, as in AgentCI's code |
| \`evalview\` | EvalView's mode names; terms of the answer are compared as written, in lower case; \`regex_match\` ignores case and \`.\` matches line breaks; \`max_cost_usd\`, \`max_latency_ms\` and \`min_score\` fail; a forbidden tool makes the score 0 |
| \`langchain\` | LangChain's mode names |
| \`ragas\` | the mode names of Ragas |
| \`promptfoo\` | \`regex_match\`, \`not_regex_match\` and \`regex\` of a step use JavaScript's syntax; names in \`expected_tools\`, \`expected_tool_sequence\` and \`spans\` are patterns with \`*\` and \`?\` that ignore case; terms of the answer are compared as written, in lower case |`;
