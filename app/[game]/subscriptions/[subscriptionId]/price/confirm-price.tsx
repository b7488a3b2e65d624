'use client';

import type { ReactElement } from 'react';
import { sayUsd } from '#app/_ui/figures/say-usd.ts';
import { foreseePrice } from '#lib/subscriptions/rules/foresee-price.ts';
import { ConfirmChange } from '../_change/confirm-change.tsx';
import type { Change } from '../_change/use-change.ts';
import type { OpenPrice } from './price-tool.tsx';
import { sayPriceEffect } from './price-words.ts';

interface ConfirmPriceProps {
  change: Change;
  open: OpenPrice;
  amount: string;
  isNeverConfirmed: boolean;
}

/** The last step before a price is staged or a staged one cleared. */
export function ConfirmPrice({ change, open, amount, isNeverConfirmed }: ConfirmPriceProps): ReactElement {
  const { target, told, priced, windowEnd } = open;
  const forecast = foreseePrice(priced, amount);
  const isClearing = forecast.kind === 'clears';
  const about = `${told.item} of ${told.player}`;
  return (
    <ConfirmChange
      change={change}
      target={target}
      title={isClearing ? `Clear the staged price of ${about}?` : `Change the price of ${about}?`}
      lines={[
        { label: 'Subscription', value: told.subscriptionId },
        { label: 'Price now', value: told.price },
        isClearing ? { label: 'Staged', value: sayUsd(forecast.staged) } : { label: 'New price', value: sayUsd(amount) },
        { label: 'Effect', value: sayPriceEffect(forecast, { current: priced.amount_usd, asked: amount }, windowEnd) },
      ]}
      fields={{ amount, ...(isNeverConfirmed ? { isNeverConfirmed: 'yes' } : {}) }}
      word={isClearing ? `Clear the staged ${sayUsd(forecast.staged)}` : `Stage ${sayUsd(amount)}`}
      pendingWord={isClearing ? 'Clearing…' : 'Staging…'}
    />
  );
}
