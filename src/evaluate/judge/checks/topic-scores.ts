export interface Classified {
  /** For each topic of the conversation: whether it is an allowed topic. */
  readonly onTopic: readonly boolean[];
  /** Indices of the allowed topics that occurred in the conversation, each once. */
  readonly covered: readonly number[];
  /** For each topic: whether the agent answered instead of declining. Null if the judge was not asked. */
  readonly answered: readonly boolean[] | null;
  readonly rationale: string;
}

export type TopicScores = Record<"precision" | "recall" | "f1", number | null>;

/** Returns the scores that Spring AI RAGAS defines for topics. A score whose divisor is 0 is 0. */
export function adherence(
  { onTopic, covered }: Classified,
  allowed: number,
): Record<keyof TopicScores, number> {
  const precision = onTopic.length === 0 ? 0 : onTopic.filter(Boolean).length / onTopic.length;
  const recall = allowed === 0 ? 0 : new Set(covered).size / allowed;
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { precision, recall, f1 };
}

/**
 * Returns the scores that Ragas (Python) defines. Precision: allowed and answered topics / answered topics. Recall: allowed and answered
 * topics / allowed topics. A score whose divisor is 0 is null; Ragas returns 0.
 */
export function answeredAdherence({ onTopic, answered }: Classified): TopicScores {
  const count = (isAllowed: boolean, isAnswered: boolean): number =>
    onTopic.filter((it, at) => it === isAllowed && (answered?.[at] ?? true) === isAnswered).length;
  const right = count(true, true);
  const astray = count(false, true);
  const declined = count(true, false);
  const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
  return {
    precision: share(right, right + astray),
    recall: share(right, right + declined),
    f1: share(2 * right, 2 * right + astray + declined),
  };
}
