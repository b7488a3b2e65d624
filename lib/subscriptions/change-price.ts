import type { Compared } from '../core/comparison.ts';
import type { GameContext } from '../games/game-context.ts';
import type { AmountChanged } from '../invo/routes/subscription-changes.ts';
import type { Actor } from '../people/rules/person.ts';
import { beginChange, type ChangeForm, type ChangeNotBegun, type ChangePatience } from './begin-change.ts';
import { readChangeFacts } from './read-change-facts.ts';
import { comparePrice, type PriceField } from './rules/compare-price.ts';
import {
  findPriceHindrance,
  foreseePrice,
  type PriceForecast,
  type PriceHindrance,
  type PriceTrouble,
  parseNewPrice,
} from './rules/foresee-price.ts';
import { type SentChange, sendChange } from './send-change.ts';

/** The form of a new price. `isNeverConfirmed`: the person ticked that the price will be staged and never applied. */
export interface PriceForm extends ChangeForm {
  amountText: string;
  isNeverConfirmed: boolean;
}

export type PriceOutcome =
  | ChangeNotBegun
  | { kind: 'hindered'; hindrance: PriceHindrance }
  | { kind: 'amount'; trouble: PriceTrouble | 'nothing' | 'store_increase' | 'never_not_confirmed' }
  | (SentChange<AmountChanged> & {
      asked: { amount_usd: string; isClearing: boolean };
      forecast: PriceForecast;
      receipt: Compared<PriceField>[];
    });

/** Stages a new price, or clears a staged one by sending the price now (document 2, Amount body). */
export async function changePrice(desk: GameContext, actor: Actor, form: PriceForm, patience: ChangePatience = {}): Promise<PriceOutcome> {
  const begun = await beginChange(desk, actor, form, readChangeFacts, patience);
  if (begun.kind !== 'read') return begun;
  const { subscription } = begun;
  const { amount_usd: current, pending_amount_usd, status, paid_through } = subscription;
  const hindrance = findPriceHindrance(subscription);
  if (hindrance !== null || current === null) return { kind: 'hindered', hindrance: hindrance ?? 'price_unknown' };
  const parsed = parseNewPrice(form.amountText, current);
  if ('trouble' in parsed) return { kind: 'amount', trouble: parsed.trouble };
  const { amount_usd } = parsed;
  const forecast = foreseePrice({ ...subscription, amount_usd: current }, amount_usd);
  if (forecast.kind === 'nothing') return { kind: 'amount', trouble: 'nothing' };
  if (forecast.kind === 'refused') return { kind: 'amount', trouble: 'store_increase' };
  if (forecast.kind === 'stages' && forecast.applies !== 'applies' && !form.isNeverConfirmed)
    return { kind: 'amount', trouble: 'never_not_confirmed' };
  const sent = await sendChange<AmountChanged>(
    desk,
    actor,
    {
      act: 'change a price',
      subscriptionId: form.subscriptionId,
      content: { amount_usd, forecast, before: { amount_usd: current, pending_amount_usd }, status, paid_through },
      send: (changes, signal) => changes.changeAmount(form.subscriptionId, amount_usd, signal),
      kept: ({ subscription: _, ...answer }) => answer,
    },
    patience.send_ms,
  );
  return {
    ...sent,
    asked: { amount_usd, isClearing: forecast.kind === 'clears' },
    forecast,
    receipt: sent.kind === 'done' ? comparePrice(forecast, { current, amount_usd }, sent.answer) : [],
  };
}
