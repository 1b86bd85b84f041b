/** An exact decimal number ≥ 0: `digits` × 10^`exponent`. As floating-point numbers, two different long ids could be equal. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Parses digits with at most one decimal point: `1200`, `0.5`, `.5`. */
export function decimal(text: string): Decimal {
  const [whole = "", fraction = ""] = text.split(".");
  return { digits: BigInt(`0${whole}${fraction}`), exponent: -fraction.length };
}

export function times(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, exponent: a.exponent + b.exponent };
}

export function plus(a: Decimal, b: Decimal): Decimal {
  const exponent = Math.min(a.exponent, b.exponent);
  return { digits: scaled(a, exponent) + scaled(b, exponent), exponent };
}

export function isLess(a: Decimal, b: Decimal): boolean {
  const exponent = Math.min(a.exponent, b.exponent);
  return scaled(a, exponent) < scaled(b, exponent);
}

/** Returns a / b if the result is exact with at most nine decimals; otherwise undefined. */
export function quotient(a: Decimal, b: Decimal): Decimal | undefined {
  if (b.digits === 0n) return undefined;
  const exponent = Math.min(a.exponent, b.exponent);
  const dividend = scaled(a, exponent) * 10n ** 9n;
  const divisor = scaled(b, exponent);
  return dividend % divisor === 0n ? { digits: dividend / divisor, exponent: -9 } : undefined;
}

export function powerOfTen(exponent: number): Decimal {
  return { digits: 1n, exponent };
}

/** Returns a text that is the same for equal numbers, such as `12e0` for 12 and 12.0. */
export function keyOf({ digits, exponent }: Decimal): string {
  if (digits === 0n) return "0";
  const text = String(digits);
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end--;
  return `${text.slice(0, end)}e${exponent + text.length - end}`;
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
