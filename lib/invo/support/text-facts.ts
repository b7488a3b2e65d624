import { parseMoney } from '#lib/core/money.ts';
import { storableText } from '#lib/core/storable-text.ts';
import type { Said } from '../transport/refusal.ts';

/** The facts beside an answer as text. What is called an amount and is no plain decimal text is left out: a JSON number may have lost digits. */
export function textFacts(facts: Said['facts']): Record<string, string> {
  const kept = Object.entries(facts).filter(([name, value]) => !/_(usd|coins)$/.test(name) || parseMoney(value) !== null);
  return Object.fromEntries(kept.map(([name, value]) => [storableText(name), storableText(String(value))]));
}
