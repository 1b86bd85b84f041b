import { type Decimal, decimal } from "./decimal.ts";

/** Decimal marks of a text, inferred from its numbers or its language. */
export interface DecimalMarks {
  readonly commaDecimals: boolean;
  readonly pointDecimals?: boolean | undefined;
}

/** Maximum length of an amount, including separators. Longer numbers are codes. */
const MOST_DIGITS = 40;

/**
 * Returns all possible values of digits with separators. `1,200`, `1'200` and `1_200`: 1200. `1.200`: 1.2 or 1200. `1,23,456`: 123456.
 * Empty if the digits are not a number.
 */
export function numeralValues(
  written: string,
  { commaDecimals, pointDecimals = false }: DecimalMarks,
): readonly Decimal[] {
  if (written.length > MOST_DIGITS) return [];
  if (/^\d*\.?\d+$/.test(written)) {
    const point = decimal(written);
    if (!/^[1-9]\d{0,2}\.\d{3}$/.test(written)) return [point];
    const whole = decimal(written.replace(".", ""));
    if (pointDecimals) return [point];
    return commaDecimals ? [whole] : [point, whole];
  }
  if (/^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(written)) {
    const whole = decimal(written.replaceAll(",", ""));
    return commaDecimals && /^\d+,\d{3}$/.test(written)
      ? [whole, decimal(written.replace(",", "."))]
      : [whole];
  }
  if (/^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/.test(written))
    return [decimal(written.replaceAll(".", "").replace(",", "."))];
  if (/^[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?$/.test(written)) return [decimal(written.replaceAll(",", ""))];
  if (/^\d+,\d+$/.test(written)) return [decimal(written.replace(",", "."))];
  if (/^\d{1,3}(?:(['_ ])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/.test(written))
    return [decimal(written.replace(/['_ ]/g, "").replace(",", "."))];
  return [];
}

/** Whether a text uses decimal commas: the text contains a number like `3,5` or `1.200,50`, and none like `1,200.50`. */
export function hasCommaDecimals(text: string): boolean {
  return /(?:^|[^\d.,])\d+,\d{1,2}(?![\d,])|\d\.\d{3},[\d-]/.test(text) && !/\d,\d{3}\.\d/.test(text);
}

const english =
  /\b(?:the|is|was|are|were|of|and|at|per|with|for|your|has|about|million|billion|thousand|length|weight|height|width|size|speed|distance|area|load|pressure)\b/i;
const continental =
  /[äöüßñõãœ]|\b(?:der|die|das|und|ist|bei|mit|für|im|von|gewicht|länge|breite|strecke|volumen|kilometerstand|zählerstand|el|los|las|por|del|una?|il|della|di|gli|da|het|een|van|le|les|est|et|du|des)\b/i;

/**
 * Returns the decimal marks of a text of the evidence: from its numbers, or from common words of a language if no number shows a decimal
 * comma.
 */
export function decimalMarksIn(text: string): DecimalMarks {
  if (hasCommaDecimals(text)) return { commaDecimals: true };
  const isEnglish = english.test(text);
  const isContinental = continental.test(text);
  return { commaDecimals: isContinental && !isEnglish, pointDecimals: isEnglish && !isContinental };
}
