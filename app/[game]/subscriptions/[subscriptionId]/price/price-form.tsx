'use client';

import { type ReactElement, useState } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { sayUsd } from '#app/_ui/figures/say-usd.ts';
import { Fault } from '#app/_ui/forms/fault.tsx';
import { Field } from '#app/_ui/forms/field.tsx';
import { Form } from '#app/_ui/forms/form.tsx';
import { FormButtons } from '#app/_ui/forms/form-buttons.tsx';
import { Tick } from '#app/_ui/forms/tick.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import type { ReadFacts } from '#lib/subscriptions/rules/change-verdict.ts';
import { type PricedFacts, parseNewPrice, previewPrice } from '#lib/subscriptions/rules/price.ts';
import { priceAction } from '../_change/actions.ts';
import styles from '../_change/change.module.css';
import { ChangeFrame } from '../_change/change-frame.tsx';
import { type ClosedView, errorAt, type FormTarget, type SubscriptionLabels } from '../_change/change-state.ts';
import { type Change, ConfirmChange, useChange } from '../_change/confirm-change.tsx';
import { AMOUNT_SENTENCES, sayPriceEffect } from '../_change/text.ts';

export interface OpenPrice {
  target: FormTarget;
  told: SubscriptionLabels;
  priced: PricedFacts & { amount_usd: string };
  /** In words; null while nothing was paid. */
  windowEnd: string | null;
}

interface PriceToolProps {
  back: string;
  facts: ReadFacts | null;
  closed: ClosedView | null;
  open: OpenPrice | null;
}

/** Changes a price: what it will do while it is typed, the confirmation, the receipt. */
export function PriceTool({ back, facts, closed, open }: PriceToolProps): ReactElement {
  const change = useChange(priceAction);
  return (
    <ChangeFrame state={change.state} closed={closed} facts={facts} back={back}>
      {open !== null && <PriceForm change={change} open={open} />}
    </ChangeFrame>
  );
}

function PriceForm({ change, open }: { change: ReturnType<typeof useChange>; open: OpenPrice }): ReactElement {
  const { priced, windowEnd } = open;
  const { amount_usd: current, pending_amount_usd: staged } = priced;
  const [text, setText] = useState('');
  const [isSure, setSure] = useState(false);
  const [confirming, setConfirming] = useState<string | null>(null);
  const parsed = parseNewPrice(text, current);
  const forecast = 'amount_usd' in parsed ? previewPrice(priced, parsed.amount_usd) : null;
  const isNever = forecast?.kind === 'stages' && forecast.applies !== 'applies';
  const isClosed = forecast === null || forecast.kind === 'nothing' || forecast.kind === 'refused' || (isNever && !isSure);
  const confirm = (amount: string): void => {
    setConfirming(amount);
    change.setOpen(true);
  };
  return (
    <Card title="The new price">
      <Form onGoOn={() => !isClosed && 'amount_usd' in parsed && confirm(parsed.amount_usd)}>
        <PriceField
          text={text}
          onChange={(typed) => {
            setText(typed);
            setSure(false);
          }}
          fault={text !== '' && 'trouble' in parsed ? AMOUNT_SENTENCES[parsed.trouble] : errorAt('amount', change.state)}
        />
        <div aria-live="polite">
          {forecast !== null && 'amount_usd' in parsed && (
            <p className={`${styles.preview} ${isNever || forecast.kind === 'refused' ? styles.warning : ''}`}>
              {sayPriceEffect(forecast, { current, asked: parsed.amount_usd }, windowEnd)}
            </p>
          )}
        </div>
        {isNever && (
          <Tick isTicked={isSure} onTick={setSure}>
            Stage it all the same; I know that it will never be applied.
          </Tick>
        )}
        <Fault>{errorAt('never', change.state)}</Fault>
        {priced.funding_rail === 'pcstore' && <p className={styles.words}>{AMOUNT_SENTENCES.store_increase}</p>}
        <FormButtons>
          <Button kind="main" type="submit" isDisabled={isClosed}>
            Change the price…
          </Button>
          {staged !== null && <Button onPress={() => confirm(current)}>Clear the staged price of {sayUsd(staged)}…</Button>}
        </FormButtons>
      </Form>
      {confirming !== null && <ConfirmPrice change={change} open={open} amount={confirming} isNeverConfirmed={isSure} />}
    </Card>
  );
}

interface PriceFieldProps {
  text: string;
  onChange: (text: string) => void;
  fault: string | null;
}

/** Where a new price is typed. */
export function PriceField({ text, onChange, fault }: PriceFieldProps): ReactElement {
  return (
    <Field label="New price, USD" hint="Above zero, in whole cents, such as 12.50." fault={fault} isAmount>
      {(control) => (
        <input
          {...control}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          maxLength={40}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

interface ConfirmPriceProps {
  change: Change;
  open: OpenPrice;
  amount: string;
  isNeverConfirmed: boolean;
}

/** The last step before a price is staged or a staged one cleared. */
export function ConfirmPrice({ change, open, amount, isNeverConfirmed }: ConfirmPriceProps): ReactElement {
  const { target, told, priced, windowEnd } = open;
  const forecast = previewPrice(priced, amount);
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
