/** Two hundred made-up secrets: fifty each of keys, e-mail addresses, card numbers and a company's own numbers. */
export function canaries(): string[] {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  let state = 7;
  const random = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const word = (length: number, from = letters): string =>
    Array.from({ length }, () => from.charAt(random(from.length))).join("");
  const upper = letters.slice(0, 26);
  const keys = [
    () => `sk-ant-api03-${word(40)}`,
    () => `sk-proj-${word(40)}`,
    () => `AKIA${word(16, upper)}`,
    () => `ghp_${word(36)}`,
    () => `github_pat_${word(40)}`,
    () => `glpat-${word(20)}`,
    () => `xoxb-${word(12, "0123456789")}-${word(24)}`,
    () => `AIza${word(35)}`,
    () => `hf_${word(34)}`,
    () => `eyJ${word(20)}.eyJ${word(40)}.${word(43)}`,
  ];
  const of = (count: number, make: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => make(i));
  return [
    ...of(50, (i) => keys[i % keys.length]?.() ?? ""),
    ...of(
      50,
      (i) => `${word(6)}.${word(4)}${i}@${word(5).toLowerCase()}.example.${["com", "org", "co.uk"][i % 3]}`,
    ),
    ...of(50, (i) => spaced(card(`4${word(14, "0123456789")}`), i % 3)),
    ...of(50, () => `CUST-${word(8, "0123456789")}`),
  ];
}

/** Fifteen digits and the one that makes Luhn's sum whole. */
function card(digits: string): string {
  for (let last = 0; last < 10; last++) {
    let sum = 0;
    for (const [i, character] of Array.from(`${digits}${last}`).reverse().entries()) {
      const doubled = Number(character) * (i % 2 === 1 ? 2 : 1);
      sum += doubled > 9 ? doubled - 9 : doubled;
    }
    if (sum % 10 === 0) return `${digits}${last}`;
  }
  return digits;
}

function spaced(digits: string, how: number): string {
  return how === 0 ? digits : digits.replaceAll(/(\d{4})(?=\d)/g, how === 1 ? "$1 " : "$1-");
}
