/** Colours of the console output. No meaning is expressed by colour alone: a word or symbol repeats it. */
export interface Theme {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  /** Colour of warnings and undecided results. */
  readonly unsure: (text: string) => string;
  /** Colour of paths, commands and hints. */
  readonly hint: (text: string) => string;
  /** Colour of less important text. */
  readonly dim: (text: string) => string;
}

function plain(text: string): string {
  return text;
}

function colour(code: number): (text: string) => string {
  return (text) => `\u001b[${code}m${text}\u001b[39m`;
}

export const plainTheme: Theme = { good: plain, bad: plain, unsure: plain, hint: plain, dim: plain };

export const colourTheme: Theme = {
  good: colour(32),
  bad: colour(31),
  unsure: colour(33),
  hint: colour(36),
  dim: colour(90),
};
