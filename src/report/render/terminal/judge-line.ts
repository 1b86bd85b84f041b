import { dollars, grouped } from "../../../evaluate/rules/text.ts";
import { type JudgeSpend, type Saving, totalSaved } from "../../../model/judge-spend.ts";
import { counted } from "./printable.ts";

/** Returns a line with the cost and savings of judges. Returns null if no judge was called and no cached reply was used. */
export function judgeLine(spend: JudgeSpend | undefined): string | null {
  if (spend === undefined || (spend.calls === 0 && spend.saved.cache.calls === 0)) return null;
  const { cache, cascade, prompt_cache: prompt } = spend.saved;
  const ways = [
    ...(cache.calls === 0 ? [] : [counted(cache.calls, "cached reply", "cached replies")]),
    ...(cascade.calls === 0 && cascade.tokens === 0
      ? []
      : [`cascade ${counted(cascade.calls, "call")}, ${money(cascade)}`]),
    ...(prompt.calls === 0 ? [] : [`provider's cache ${tokens(prompt)}, ${money(prompt)}`]),
  ];
  const cost = `judges: ${amounts(spend)}`;
  return ways.length === 0 ? cost : `${cost} · saved ${amounts(totalSaved(spend))} (${ways.join("; ")})`;
}

function amounts(spent: Saving): string {
  return `${counted(spent.calls, "call")}, ${tokens(spent)}, ${money(spent)}`;
}

function tokens({ tokens: count }: Saving): string {
  return count === null ? "tokens unknown" : `${count < 0 ? "−" : ""}${grouped(Math.abs(count))} tokens`;
}

function money({ usd }: Saving): string {
  if (usd === null) return "cost unknown";
  return usd < 0 ? `−${dollars(-usd)}` : dollars(usd);
}
