import type { PlainMode } from "../../evaluate/metrics/match-mode.ts";
import type { Layer } from "../../model/outcome.ts";

/* What the reference of the spec language says between its tables. */

export const beginning = `<!-- Made from the check registry and src/spec by npm run generate. -->

# The spec language

A spec is a YAML file: whose runs are judged (\`agent\`), and what is expected of each (\`queries\`). A \`version: 1\` spec of AgentCI is one as
it is. \`tracejury validate FILE\` shows every problem at once with its place and a fix, \`validate --fix\` mends what is certain, and
\`# yaml-language-server: $schema=…\` with the output of \`tracejury schema spec\` lets an editor complete keys.

\`\`\`yaml
version: 1
agent: rag-agent # agent name, else service name; "*" is any
defaults: # merged into every query: maps deeply, lists are replaced, the query wins
  cost: { max_latency_ms: 20000 }
queries:
  - id: install # made from the text when absent
    query: How do I install it?
    description: from the manual, with one look-up
    tags: [smoke] # what --tags selects by
    correctness: { expected_in_answer: [pip install] }
    path: { expected_tools: [retriever_tool], max_tool_calls: 5 }
\`\`\`

Nothing is asserted that is not written.

## Ten checks you will use

| to say | write |
|---|---|
| the answer holds these words | \`correctness: { expected_in_answer: [refund, "5 days"] }\` |
| the answer does not hold them | \`correctness: { not_in_answer: [degrees] }\` |
| every number, date and id in the answer comes from a tool or the query | \`correctness: { grounded: { in: answer } }\` |
| a model agrees that the answer is right | \`correctness: { llm_judge: [{ rule: "names the delivery day", threshold: 0.8 }] }\` |
| these tools are used | \`path: { expected_tools: [look_up_order] }\` |
| with these arguments | \`path: { expected_tool_calls: [{ name: look_up_order, arguments: { id: "1234" } }] }\` |
| this tool is never used | \`path: { forbidden_tools: [refund_order] }\` |
| the agent does not wander | \`path: { max_tool_calls: 4, max_loops: 0 }\` |
| control goes to this agent | \`path: { expected_handoffs: [billing] }\` |
| a run costs at most so much | \`cost: { max_cost_usd: 0.02, max_latency_ms: 20000, max_total_tokens: 4000 }\` |

## Recipes

- **One spec for every question**: \`query: "*"\` is about each run that no other query matches.
- **The same limits everywhere**: write them under \`defaults:\`; a query's own value wins.
- **A warning must fail the build**: \`severity: { max_loops: fail }\`, or \`severity: { cost: fail }\` for a layer.
- **A known failure must not block**: \`expected_fail: true\` on the query: a failure warns, and a pass fails until the key is removed.
- **Repeated runs**: \`reliability: { min_pass_rate: 0.9, min_runs: 10 }\` judges them together.
- **Many questions from a spreadsheet**: \`queries_from: cases.csv\` (\`tables.md\`). **A conversation**: \`turns\` (\`conversations.md\`).
- **Cheaper than the saved version**: \`cost: { max_cost_multiplier: 1.2 }\` with \`baseline: v1\`.

## The rest of a spec

At the root there may also be \`description\`, \`preset\`, \`baseline_dir\` and \`baseline\`, \`judge_config\`, \`waivers\`, \`definitions\`, and, for all
queries, \`severity\`, \`scoring\`, \`reliability\` and \`resilience\`. Blocks are shared with YAML anchors, \`!include path\` and \`$ref: "#/definitions/NAME"\` (or
\`$ref: "file.yaml#/NAME"\`); \`queries_from: cases.csv\` makes a query of each row of a table (see \`tables.md\`); root keys that begin with \`x-\` are left alone.

Each check comes to one outcome: \`pass\`; \`fail\` or \`warn\`, a violation; \`skip\`, nothing to judge; \`incomplete\`, the telemetry does not tell, with
what to switch on; \`error\`, the evaluator itself failed. Reaching a limit exactly holds, and nothing is rounded before it is compared.`;

export const matching = `## Which runs a query is about

In this order, the first that finds one decides; two on one level are ambiguous, which is said and not guessed: the id of the query in the
attribute \`tracejury.query.id\` of a span, the resource or the baggage; the same text; the same text but for case, white space, Unicode form and
end punctuation; \`match.pattern\`; \`match.similarity\`; \`query: "*"\`, for whatever nothing else is about. Where the spec has no query of
the id, the text decides, and the report notes it: an id can be renamed, and old dumps stay usable. What a pattern captures can stand in
checks as \`{name}\`: \`match: { pattern: "Refund order {number}" }\` and \`expected_in_answer: ["{number}"]\`.
A name that nothing captures is an error; \`\\{name}\` stands for these characters themselves.`;

export const layers = `## Checks

Three layers: a violation in **correctness** fails the run; one in **path** or **cost** warns, but for a forbidden tool, which fails it always.
\`severity\` changes that, nearest first: \`severity: { max_loops: fail }\` in a layer, a query, the defaults or the spec; \`severity: { cost: fail }\`
for a whole layer. Of a run that is not complete only violations count that more spans could not undo.

Checks that compare with a reference take it from the spec, else from the baseline asked for (\`baseline:\`, \`--baseline\`), else they are
skipped; a baseline that has no file for the query makes them \`incomplete\`. Checks of your own: \`checks:\`, see \`own-checks.md\`.

What is wrong with tools and their order is in the \`reasons\` of a check as well, one by one and for programs: a code (\`TOOL_MISSING\`,
\`TOOL_NAME_MISMATCH\`, \`TOOL_UNEXPECTED\`, \`TOOL_FORBIDDEN\`, \`CATEGORY_NOT_SATISFIED\`, \`SEQUENCE_LENGTH_MISMATCH\`,
\`SEQUENCE_ORDER_VIOLATION\`, \`SEQUENCE_MISSING_TOOLS\`, \`SEQUENCE_TOOL_NOT_FOUND\`; with calls and their arguments as text, \`CALL_ARGUMENTS_MISMATCH\`, \`CALL_MISSING\`, \`CALL_UNEXPECTED\`), the step, what was expected and what happened.`;

export const layerTitles: Readonly<Record<Layer, string>> = {
  correctness: "### correctness",
  path: "### path",
  cost: "### cost",
};

export const modes = `### Modes

How the tools called (P) relate to the reference (R), for \`match_mode\` and \`sequence_mode\`, and for whole calls \`call_mode\`. The names on the left mean the same everywhere; the
bare words mean what the preset says, AgentCI's without one, and \`validate\` points at those that other tools use the other way round.`;

export const modeMeanings: Readonly<Record<PlainMode, string>> = {
  "same-order": "P = R",
  "same-calls": "P and R are the same calls, in any order",
  "same-tools": "P and R are the same tools, repeats aside",
  contains: "every tool of R was called",
  "contains-calls": "every call of R was made, as often as R has it",
  "contains-in-order": "the calls of R were made in this order; others may stand between",
  "only-allowed": "no tool outside R was called",
  "only-allowed-calls": "no call beyond those of R was made",
};

export const judges = `## Judges

Checks marked *(judge)* ask a language model, in three stages: \`llm_judge\` (all rubrics side by side), \`refutes_premise\`, \`goal_accuracy\`
and \`topic_adherence\`; then \`safety_check\`; then \`hallucination_check\`. A failure in a stage, or in any check without a judge, skips the later
ones. A judge that cannot be asked leaves its checks \`incomplete\`, one that fails makes them an \`error\`: neither ever passes or fails a run.

A judge gives a score of 1 to 5, a label and its reason, at temperature 0. A \`threshold\` t asks for a score of
clamp(floor(t·5 + 0.5), 1, 5): 0 → 1, 0.2 → 1, 0.5 → 3, 0.7 → 4, 0.8 → 4, 0.9 → 5, 1 → 5. One judge passes by its score; a label that
contradicts it is shown. Under \`majority_vote\` several judges pass when most labels are not \`fail\` (a tie counts as borderline) and the
unrounded mean reaches the score. Fewer replies than the quorum (more than half of the judges, or \`ensemble.quorum\`) decide nothing: the check is
\`error\` where calls failed, \`incomplete\` where keys are missing. Weighted \`criteria\` give Σ(score·weight) / Σ(weight) over those that
apply, 0 to 1.

A rubric is written as text and keys, as the name of a template (\`polite_refusal@1\`; \`judges.md\` lists those that measure what DeepEval and Ragas do), or as
\`rubric: NAME@VERSION\` with keys beside it that replace the template's. What is judged is fenced and cut to length, and never an instruction.`;

export const retrieval = `## retrieval

What a retriever returned, from the run's retrieval spans or the results of \`tool\`. Each key but \`tool\`, \`result_format\` and the markers is a
check of the path layer. A run that retrieved nothing is skipped.`;

export const spans = `## spans

A list of assertions on single steps, in the path layer: every step of the \`kind\` and \`name\` must hold what is asserted, and there must be
one at least, unless \`min_count\` or \`max_count\` says otherwise; with \`some: true\` one step that holds is enough. Fields: of a tool \`arguments\`, \`result\`, \`error\`, \`agent\`, \`duration_ms\`;
of a model \`model\`, \`response_model\`, \`finish_reason\`, \`input_tokens\`, \`output_tokens\`, \`cost_usd\`; of a retrieval \`query\`, \`documents\`.
AgentCI's kinds TOOL, NODE, HANDOFF, GUARDRAIL and LLM are understood.`;

export const scoring = `## scoring

EvalView's score, 0 to 100, beside the layers: 100·(tool accuracy·0.3 + sequence·0.2) + output quality·0.5. Tool accuracy is the share of expected
tools and categories that were used; the sequence is the share of the expected one that was followed, by \`sequence_mode\`; output quality is
a judge's, by the rubric \`output_quality@1\`. Without a judge the score is a range, and only a range that decides holds or breaks \`min_score\`.`;

export const reliability = `## reliability

What repeated runs of a query must reach together. Where \`min_pass_rate\`, \`pass_at_k\` or \`pass_hat_k\` is written, the gate replaces the failures of single
runs (forbidden tools excepted); \`min_runs\`, \`confidence\` and limits on scores alone replace nothing. Three outcomes: pass, fail, or not enough
runs to say, with how many more it takes. \`tracejury report\` compares groups of runs.

A query that matches several texts (\`"*"\`, \`match.pattern\`, \`match.similarity\`) is gated text by text: a question that always fails is not made up for
by others. The rate of all runs together is shown. \`pool: true\` makes that rate the gate, which fits patterns such as \`Where is order {id}?\`.
Runs whose text was not captured leave the gate \`incomplete\`, unless all of them passed or too many failed.`;

export const resilience = `## resilience

What becomes of a run whose model fails. \`resilience: { expect: recovered, faults: [rate-limit, stream-cut] }\` is a gate for
\`tracejury resilience\`: a fault after which the run is worse than \`expect\` ends it with exit code 1. No other command reads the block. It
holds for all queries where it is at the top of the spec or in \`defaults\`. The kinds of faults and the outcomes are in \`resilience.md\`.`;

export const conversations = `## Conversations

\`scope: conversation\` judges the runs of one conversation as a whole, once it is quiet; \`turns\` says what the user asks one after the other,
each with layers of its own. Found by its first turn. A turn nobody asked leaves its checks \`incomplete\`.
\`tracejury test --exec\` and \`--url\` put the turns to the agent; what a turn captures (\`capture: { ticket: "T-[0-9]+" }\`) stands for
\`{ticket}\` in later turns and in checks (see \`conversations.md\`).

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

\`simulate\` has a judge model play the user, after the turns that are written, or after \`query\`: until the user is done, or has said
\`max_turns\` messages. Recorded conversations are judged as they are.`;

export const known = `## Unfinished queries and known failures

\`todo: TEXT\` on a query says what is still to be written. Its runs are \`incomplete\`, with the text as the remedy, until the key is removed; what the
query asserts already is checked all the same. \`tracejury promote\` writes it where it has nothing to expect.

\`expected_fail: true\` on a query says that the agent is known to fail it. A failure, a forbidden tool included, is shown as a warning and marked
(\`expected_fail\` in JSON), and does not count for the exit code, not even under \`--fail-on warn\`. A run that does not fail, warnings included, fails
the check \`expected_fail\` with exit code 1, so that the key is removed once the agent is fixed: \`tracejury promote --flip QUERY --spec FILE\` does it.
Later checks and judges are asked all the same. What is unknown stays so. \`reliability:\` does not apply to such a query, and \`report\` counts its runs by what they did.`;

export const waivers = `## waivers

Failures accepted for a while: what a waiver covers warns, and says who accepted it and why. From the day after \`expires\` it counts again.
A waived failure keeps no judge from being asked, and covers no other check.`;

export const metrics = `## Metrics

Every verdict has these in \`metrics\`, asserted or not; \`report\` compares them over groups of runs. What could not be computed, or has nothing
to be compared with, is \`null\`.

| metric | what it is |
| --- | --- |
| \`tool_calls\` | tool calls, repeats counted; not those that nobody ran |
| \`tool_errors\` | tool calls that ended in an error |
| \`tool_recall\`, \`tool_precision\`, \`tool_f1\` | as \`min_tool_recall\` and its neighbours measure them |
| \`tool_call_accuracy\` | as the check of that name |
| \`sequence_similarity\`, \`edit_similarity\` | 2·LCS / (\\|P\\|+\\|R\\|), and 1 − Levenshtein / max(\\|P\\|, \\|R\\|) |
| \`loops\` | as \`max_loops\` counts them |
| \`same_argument_loops\` | maximal runs of three or more adjacent calls of one tool with equal arguments |
| \`cycle_repeats\` | how often the longest cycle over several tools came round again: 2 for A, B, A, B, A, B |
| \`retries\` | calls that failed and were made again |
| \`stalled_calls\` | calls with the arguments of an earlier one that had succeeded |
| \`unrecovered_errors\` | tools whose last call ended in an error |
| \`skipped_steps\` | \`expected_steps\` left out |
| \`anomalies\` | as \`max_anomalies\` counts them |
| \`trust\`, \`coherence\` | as \`min_trust\` and \`min_coherence\` measure them; trust where the check is written, coherence of conversations |
| \`progress\`, \`progress_raw\` | as \`expected_steps\` measures it, and with repeats counted again |
| \`strategic_drift\` | as \`max_strategic_drift\` measures it |
| \`handoffs\` | hand-offs |
| \`cfp\`, \`pr_revert_rate\` | as \`max_cfp\` and \`max_pr_revert_rate\` measure them |
| \`total_tokens\`, \`input_tokens\`, \`output_tokens\` | each model call once; input includes cached and cache-write tokens, output includes reasoning |
| \`cached_tokens\`, \`cache_write_tokens\`, \`reasoning_tokens\` | parts of these |
| \`cached_share\`, \`cache_write_share\`, \`reasoning_share\` | their shares of all tokens, 0–1 |
| \`llm_calls\` | completions served |
| \`latency_ms\` | last end − first start |
| \`cost_usd\` | as the telemetry says, else by the price table |
| \`cost_multiplier\` | cost over the baseline's |
| \`token_ratio\`, \`latency_ratio\` | tokens over \`max_total_tokens\`, latency over \`max_latency_ms\` |
| \`schema_overhead\`, \`skill_efficiency\`, \`token_efficiency\` | as the checks of these names measure them |
| \`token_share.PART\` | of each part that the root tells, 0–1 |
| \`score\` | EvalView's score, where \`scoring\` is written |
| \`impl_rate\` | ProjectScylla's: Σ(score·weight) / Σ(weight) of a rubric with \`criteria\`, 0–1; the mean of several such rubrics |
| \`rubric.ID\` | the score of each rubric that a judge was asked about: 1–5, of \`criteria\` and shares 0–1 |
| \`goal_accuracy\`, \`topic_adherence\` | as the checks of these names measure them |

\`report\` adds \`composite\`, ProjectScylla's (pass + \`impl_rate\`) / 2 of each decided run, where an \`impl_rate\` is known: a run that failed before its judge
counts 0 for the judged part. The grade is that of the median composite, A from 0.95, B 0.85, C 0.75, D 0.65, else F; where runs of a group have no
\`impl_rate\` it is that of the pass rate.`;

export const presets = `## preset

| preset | what it changes |
|---|---|
| \`agentci\` | a \`path\` block also asserts \`max_loops: 3\` and \`match_mode: subset\`, as AgentCI's code does |
| \`evalview\` | its mode names; \`regex_match\` ignores case and \`.\` matches line breaks; \`max_cost_usd\`, \`max_latency_ms\` and \`min_score\` fail; a forbidden tool makes the score 0 |
| \`langchain\` | its mode names |
| \`ragas\` | its mode names |
| \`promptfoo\` | \`regex_match\`, \`not_regex_match\` and \`regex\` of a step are JavaScript's; names in \`expected_tools\`, \`expected_tool_sequence\` and \`spans\` are patterns with \`*\` and \`?\`, case ignored |`;
