const AT = String.raw`(?:\s?[[({<]\s?(?:at|@|arroba|chiocciola|ät)\s?[\])}>]\s?)`;
const DOT = String.raw`(?:\s?[[({<]\s?(?:dot|\.|punkt|point|punto|ponto)\s?[\])}>]\s?|\.)`;
const NAME = String.raw`[\p{L}\p{N}_%+-]{1,64}(?:\.[\p{L}\p{N}_%+-]{1,64}){0,4}`;
const LABEL = String.raw`[\p{L}\p{N}-]{1,63}`;
const bracketed = new RegExp(
  `(?<![\\p{L}\\p{N}._%+-])(${NAME})${AT}(${LABEL}(?:${DOT}${LABEL}){1,5})`,
  "giu",
);
/** Matches an e-mail address in words: `name at domain dot tld`. */
const spoken = new RegExp(
  `(?<![\\p{L}\\p{N}._%+-])(${NAME}) (?:at|AT) (${LABEL}(?: (?:dot|DOT) ${LABEL}){1,5})(?![\\p{L}\\p{N}])`,
  "gu",
);
const dots = new RegExp(`${DOT}| (?:dot|DOT) `, "giu");

/** Replaces e-mail addresses in words by normal addresses: `jo [at] shop [dot] test` becomes `jo@shop.test`. */
export function withAddresses(text: string): string {
  if (!/[[({<]\s?(?:at|@|arroba|chiocciola|ät)\s?[\])}>]| dot /i.test(text)) return text;
  const joined = (_: string, name: string, domain: string): string => `${name}@${domain.replace(dots, ".")}`;
  return text.replace(bracketed, joined).replace(spoken, joined);
}
