import { sha256 } from "../../../support/structures/sha256.ts";

/** A named text for a judge. */
export interface Block {
  readonly name: string;
  readonly text: string;
}

export interface Fenced {
  readonly text: string;
  /** Beginning of `text`, up to the end of the common block. Empty if no block is common. */
  readonly prefix: string;
  /** Names of the blocks that were truncated. */
  readonly cut: readonly string[];
}

/**
 * Fences texts with a common block first, so that all texts with the same common block begin equally. The other blocks follow as in
 * `fence`. The code of the common block changes only if another block contains the code.
 */
export function fenceBehind(common: Block, blocks: readonly Block[], maxText: number): Fenced {
  const shown = cutMiddle(common, maxText);
  const code = unusedCode(
    [shown.text],
    [shown, ...blocks].map(({ text }) => text),
  );
  const prefix = `${common.name} stands between marker lines that carry the code ${code}.\n\n${between(shown, code)}\n\n`;
  const rest = fence(blocks, maxText);
  return {
    prefix,
    text: `${prefix}${rest.text}`,
    cut: [...(shown.note === "" ? [] : [common.name]), ...rest.cut],
  };
}

/**
 * Puts each block between markers with a code from the hash of all blocks, which no block contains. Long blocks are truncated in the
 * middle, with a note outside the markers.
 */
export function fence(blocks: readonly Block[], maxText: number): Fenced {
  const shown = blocks.map((block) => cutMiddle(block, maxText));
  const code = unusedCode(shown.map((it) => it.text));
  const parts = shown.map((block) => between(block, code));
  const intro = `The material stands between marker lines that carry the code ${code}.`;
  return {
    prefix: "",
    text: [intro, ...parts].join("\n\n"),
    cut: shown.filter((it) => it.note !== "").map((it) => it.name),
  };
}

function between({ name, text, note }: Shown, code: string): string {
  return `${note}<<<${name} ${code}>>>\n${text}\n<<<END ${name} ${code}>>>`;
}

/** Returns a code, derived from `texts`, that none of `others` contains. */
function unusedCode(texts: readonly string[], others: readonly string[] = texts): string {
  const seed = texts.join("\n");
  const all = others.join("\n").toLowerCase();
  for (let round = 0; ; round++) {
    const code = sha256(`fence ${round} ${seed}`).slice(0, 16);
    if (!all.includes(code)) return code;
  }
}

interface Shown extends Block {
  readonly note: string;
}

function cutMiddle({ name, text }: Block, maxText: number): Shown {
  if (text.length <= maxText) return { name, text: wellFormed(text), note: "" };
  const tail = Math.floor(maxText / 3);
  const shown = wellFormed(`${text.slice(0, maxText - tail)}\n[…]\n${text.slice(text.length - tail)}`);
  const note = `(${name} is too long: its first ${maxText - tail} and last ${tail} of ${text.length} characters are shown)\n`;
  return { name, text: shown, note };
}

/** Replaces unpaired surrogates, which JSON parsers of providers may reject. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "\ufffd");
}
