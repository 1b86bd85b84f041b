/** Matches placeholders, which code, schemas and templates contain in place of a credential. */
const placeholder =
  /^(?:\[[\w -]{1,20}\]|\*+|<[^>]{0,80}>|\$\{?[\w.:]{1,80}\}?|\{\{?.{0,80}\}\}?|%\w{1,40}%|null|none|nil|true|false|undefined|string|str|number|integer|boolean|object|array|bytes|secretstr|required|optional|redacted|masked|hidden|bearer|basic|token|password|process\.env.{0,80}|os\.(?:environ|getenv).{0,80})$/i;

export function isPlaceholder(value: string): boolean {
  return placeholder.test(value);
}

/**
 * Whether the value has six or more words. A value of six or more words counts as prose, not as a credential.
 */
export function isSentence(value: string): boolean {
  return /^\S+(?:\s+\S+){5}/.test(value);
}

export function isWord(value: string): boolean {
  return /^[\p{L}\d]+$/u.test(value);
}

/** Whether the value mixes letters with digits or signs, which an ordinary word does not. */
export function mixesCharacters(value: string): boolean {
  return /\d/.test(value) || /[^\p{L}\d.,:;!?)\]-](?=.)/u.test(value) || /\p{Ll}\p{Lu}/u.test(value);
}

/** Whether the value is one long word with a digit, as keys and ids are that a service issues. False for dates, versions and URLs. */
export function looksIssued(value: string): boolean {
  return (
    /^[\w=/+.:~%|-]{12,}$/.test(value) &&
    /\d/.test(value) &&
    !/^\d{4}-\d\d-\d\d|:\/\/|^\d+(?:\.\d+)+$/.test(value)
  );
}
