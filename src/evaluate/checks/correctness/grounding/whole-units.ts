const powers = /squared|cubed|per (?:second|minute|hour) per|\/ ?(?:s|min|h)[23]|\^-|[·⋅]/i;
const perPer =
  / ?(?:\/|per) ?(s|sec|second|min|minute|h|hour)(?: ?(?:\/|per) ?\1(?![\p{L}\p{N}])| squared)/giu;
const symbols: Readonly<Record<string, string>> = { s: "s", m: "min", h: "h" };
const plainPower = /(\p{L} ?\/ ?(?:s|min|h))([23])(?![\p{L}\p{N}])/gu;
/** Matches a unit times another unit with a negative power: `m s^-2`, `m·s^-2`. */
const negativePower =
  /(\d ?\p{L}{1,4}(?:\^[23])?) ?[ ·⋅*] ?(s|min|h|m|cm|km|kg|g|l|L|mol|K)\^-([123])(?![\p{L}\p{N}])/gu;
const product = /(\d ?[kMG]?[NWAV])[·⋅](m|h|s|A)(?!\p{L})/gu;

/** Converts units of several parts to one form: `m s^-2`, `m/s2` and `metres per second squared` to `m/s^2`, `N·m` to `Nm`. */
export function withWholeUnits(text: string): string {
  if (!powers.test(text)) return text;
  return text
    .replace(perPer, (_, unit: string) => `/${symbols[unit.charAt(0).toLowerCase()] ?? unit}^2`)
    .replace(plainPower, "$1^$2")
    .replace(negativePower, (_, unit: string, below: string, power: string) => {
      return `${unit}/${below}${power === "1" ? "" : `^${power}`}`;
    })
    .replace(product, "$1$2");
}
