import { sayUsd } from '#app/_ui/figures/say-usd.ts';
import type { ComparedRow } from '#app/[game]/_subscriptions/compared-table.tsx';
import type { Compared } from '#lib/core/comparison.ts';
import type { PriceOutcome } from '#lib/subscriptions/change-price.ts';
import type { PriceField } from '#lib/subscriptions/rules/compare-price.ts';
import type { PriceForecast, PriceHindrance, PriceTrouble } from '#lib/subscriptions/rules/foresee-price.ts';
import type { StagedPrice } from '#lib/subscriptions/rules/subscription-status.ts';
import { sayFlag, sayInstant } from '../_change/say.ts';

type PriceDone = Extract<PriceOutcome, { kind: 'done' }>;

export const HINDRANCE_VIEWS: Record<PriceHindrance, { title: string; sentence: string }> = {
  ended: {
    title: 'Its price can no longer be changed',
    sentence: 'The subscription has ended, and Invo changes no price of what has ended. The player can take out a new one.',
  },
  price_unknown: {
    title: 'Its price is not known',
    sentence: 'Invo did not say what it costs now, so nobody can say what a new price would do. Ask Invo to mend the record.',
  },
};

export const AMOUNT_SENTENCES: Record<PriceTrouble | 'nothing' | 'store_increase' | 'never_not_confirmed', string> = {
  not_an_amount: 'Write an amount in USD such as 12.50.',
  separators: 'Write it without separators of thousands, such as 1234.50.',
  not_above_zero: 'The price has to be above zero.',
  not_whole_cents: 'Whole cents only.',
  nothing: 'That is the price now, and none is staged: there is nothing to change.',
  store_increase:
    'The store charges this subscription, and there a price cannot be raised without the player agreeing again. A lower price can be staged.',
  never_not_confirmed: 'Tick that you know it will never be applied, or enter another price.',
};

/** What a new price will do, in sentences; `windowEnd` is null while nothing was paid. */
export function sayPriceEffect(forecast: PriceForecast, prices: { current: string; asked: string }, windowEnd: string | null): string {
  switch (forecast.kind) {
    case 'nothing':
      return AMOUNT_SENTENCES.nothing;
    case 'refused':
      return AMOUNT_SENTENCES.store_increase;
    case 'clears':
      return `That is the price now: it clears the staged ${sayUsd(forecast.staged)}. The price stays ${sayUsd(prices.current)}, and nothing is charged now.`;
    case 'stages':
      return `${sayStaged(forecast, prices, windowEnd)}${forecast.replaces === null ? '' : ` It takes the place of the staged ${sayUsd(forecast.replaces)}.`}`;
  }
}

function sayStaged(
  { applies }: Extract<PriceForecast, { kind: 'stages' }>,
  { current, asked }: { current: string; asked: string },
  windowEnd: string | null,
): string {
  if (applies !== 'applies') return `It would be staged and never applied, since ${sayWhyNever(applies, current)}`;
  const window = windowEnd === null ? 'There is no date for it until something was paid.' : `The current window ends on ${windowEnd}.`;
  return `${sayUsd(asked)} is staged. It applies at the next successful renewal, which first bills the current window at ${sayUsd(current)}. ${window} Nothing is prorated and nothing is charged now.`;
}

function sayWhyNever(applies: Exclude<StagedPrice, 'applies'>, current: string | null): string {
  const billing = `The old price of ${sayUsd(current)} keeps billing.`;
  switch (applies) {
    case 'never_doubled':
      return `it is more than double ${sayUsd(current)}. ${billing}`;
    case 'never_above_limit':
      return `it is an increase to above 500.00 USD. ${billing}`;
    case 'never_renews':
      return 'the subscription is set to end and does not renew any more.';
  }
}

/** What a change of price that was made says for itself; one foreseen never to apply is told no date. */
export function sayPriced(
  { answer, forecast, asked }: Pick<PriceDone, 'answer' | 'forecast' | 'asked'>,
  timeZone: string,
): { title: string; sentences: string[] } {
  if (asked.isClearing)
    return {
      title: answer.change_queued === true ? 'A price is still staged' : 'The staged price is cleared',
      sentences: [`The price stays ${sayUsd(answer.old_amount_usd)}.`],
    };
  if (answer.change_queued === false) return { title: 'Nothing is staged', sentences: ['Invo says that it queued no change.'] };
  const title = `${sayUsd(answer.pending_amount_usd)} is staged`;
  if (forecast.kind === 'stages' && forecast.applies !== 'applies') {
    const never = `It will never be applied, since ${sayWhyNever(forecast.applies, answer.old_amount_usd)}`;
    return { title, sentences: answer.applies_from === null ? [never] : [never, 'Invo’s answer names a date all the same.'] };
  }
  const from = answer.applies_from === null ? 'no date until something is paid' : sayInstant(answer.applies_from, timeZone);
  const seq = answer.applies_from_period_seq === null ? '' : `, with period ${answer.applies_from_period_seq}`;
  return { title, sentences: [`It applies from: ${from}${seq}. Until then the old price bills.`] };
}

const LABELS: Record<PriceField, string> = {
  old_amount_usd: 'Price until then',
  new_amount_usd: 'New price',
  pending_amount_usd: 'Staged',
  change_queued: 'A change is queued',
  prorated: 'Prorated',
};

/** The receipt of a change of price, line by line; when it applies stands as answered. */
export function rowsOfPrice(receipt: Compared<PriceField>[], answer: PriceDone['answer'], timeZone: string): ComparedRow[] {
  const { applies_from, applies_from_period_seq } = answer;
  return [
    ...receipt.map(({ field, expected, told, agrees }) => ({
      label: LABELS[field],
      field,
      expected: say(field, expected),
      told: say(field, told),
      agrees,
    })),
    {
      label: 'Applies from',
      field: 'applies_from',
      expected: null,
      told: applies_from === null ? 'no date' : sayInstant(applies_from, timeZone),
      agrees: null,
    },
    {
      label: 'With period',
      field: 'applies_from_period_seq',
      expected: null,
      told: String(applies_from_period_seq ?? 'none'),
      agrees: null,
    },
  ];
}

function say(field: PriceField, value: string | boolean | null): string {
  if (field === 'pending_amount_usd' && value === null) return 'none';
  return typeof value === 'boolean' ? sayFlag(value) : value === null ? 'not said' : sayUsd(value);
}
