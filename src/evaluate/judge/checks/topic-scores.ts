export interface Classified {
  /** On topic or not, one for each topic of the conversation. */
  readonly onTopic: readonly boolean[];
  /** Places in the list of allowed topics that the conversation touched; each once. */
  readonly covered: readonly number[];
  /** For each topic: whether the agent answered instead of declining; null if not asked. */
  readonly answered: readonly boolean[] | null;
  readonly rationale: string;
}

export type TopicScores = Record<"precision" | "recall" | "f1", number | null>;

/** Spring AI RAGAS: the scores of the topics that were talked about; 0 where a division has nothing to divide by. */
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
 * Ragas for Python: an allowed topic that was answered is right, another one that was answered and an allowed one that was declined are
 * wrong. precision = allowed of those answered, recall = answered of those allowed. Null where there are none, which Ragas counts as 0.
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
