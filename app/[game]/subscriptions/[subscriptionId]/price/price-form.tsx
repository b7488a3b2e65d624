'use client';

import { type ReactElement, useState } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { Checkbox, Field } from '#app/_ui/forms/field.tsx';
import { FieldError, Form, FormButtons } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { formatPrice } from '#app/[game]/_subscriptions/format-names.ts';
import { type PricedFacts, parseNewPrice, previewPrice } from '#lib/subscriptions/rules/changes.ts';
import { PRICE_ERRORS } from '#lib/subscriptions/text.ts';
import { priceAction } from '../_change/actions.ts';
import styles from '../_change/change.module.css';
import { ChangeFrame, useChange } from '../_change/change-frame.tsx';
import { type Change, type ChangeFormProps, errorAt, type FormTarget, type SubscriptionLabels } from '../_change/change-state.ts';
import { ConfirmDialog } from '../_change/confirm-dialog.tsx';
import { formatPricePreview } from '../_change/text.ts';

export interface OpenPrice {
  target: FormTarget;
  labels: SubscriptionLabels;
  priced: PricedFacts & { amount_usd: string };
  /** When the current period ends, formatted; null while nothing is paid. */
  periodEnd: string | null;
}

/** Changes a price: a preview while typing, the confirmation, the receipt. */
export function PriceTool({ back, facts, closed, open }: ChangeFormProps<OpenPrice>): ReactElement {
  const change = useChange(priceAction);
  return (
    <ChangeFrame state={change.state} closed={closed} facts={facts} back={back}>
      {open !== null && <PriceForm change={change} open={open} />}
    </ChangeFrame>
  );
}

function PriceForm({ change, open }: { change: Change; open: OpenPrice }): ReactElement {
  const { priced, periodEnd } = open;
  const { amount_usd: current, pending_amount_usd: pending } = priced;
  const [text, setText] = useState('');
  const [isSure, setSure] = useState(false);
  const [confirming, setConfirming] = useState<string | null>(null);
  const parsed = parseNewPrice(text, current);
  const preview = 'amount_usd' in parsed ? previewPrice(priced, parsed.amount_usd) : null;
  const isNever = preview?.kind === 'pending' && preview.applies !== 'applies';
  const isClosed = preview === null || preview.kind === 'nothing' || preview.kind === 'refused' || (isNever && !isSure);
  const confirm = (amount: string): void => {
    setConfirming(amount);
    change.setOpen(true);
  };
  return (
    <Card title="New price">
      <Form onContinue={() => !isClosed && 'amount_usd' in parsed && confirm(parsed.amount_usd)}>
        <PriceField
          text={text}
          onChange={(typed) => {
            setText(typed);
            setSure(false);
          }}
          error={text !== '' && 'error' in parsed ? PRICE_ERRORS[parsed.error] : errorAt('amount', change.state)}
        />
        <div aria-live="polite">
          {preview !== null && 'amount_usd' in parsed && (
            <p className={`${styles.preview} ${isNever || preview.kind === 'refused' ? styles.warning : ''}`}>
              {formatPricePreview(preview, { current, requested: parsed.amount_usd }, periodEnd)}
            </p>
          )}
        </div>
        {isNever && (
          <Checkbox isChecked={isSure} onCheck={setSure}>
            Change the price anyway. I understand that it may not take effect.
          </Checkbox>
        )}
        <FieldError>{errorAt('never', change.state)}</FieldError>
        {priced.funding_rail === 'pcstore' && <p className={styles.text}>{PRICE_ERRORS.store_increase}</p>}
        <FormButtons>
          <Button kind="main" type="submit" isDisabled={isClosed}>
            Change price…
          </Button>
          {pending !== null && <Button onPress={() => confirm(current)}>Clear pending price of {formatPrice(pending)}…</Button>}
        </FormButtons>
      </Form>
      {confirming !== null && <ConfirmPrice change={change} open={open} amount={confirming} isNeverConfirmed={isSure} />}
    </Card>
  );
}

/** The field for the new price. */
function PriceField({ text, onChange, error }: { text: string; onChange: (text: string) => void; error: string | null }): ReactElement {
  return (
    <Field label="New price, USD" hint="For example 12.50." error={error} isAmount>
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

/** Confirms a new price, or that a pending one is cleared. */
function ConfirmPrice({ change, open, amount, isNeverConfirmed }: ConfirmPriceProps): ReactElement {
  const { target, labels, priced, periodEnd } = open;
  const preview = previewPrice(priced, amount);
  const isClearing = preview.kind === 'clears';
  const about = `${labels.item} for ${labels.player}`;
  return (
    <ConfirmDialog
      change={change}
      target={target}
      title={isClearing ? `Clear the pending price of ${about}?` : `Change the price of ${about}?`}
      lines={[
        { label: 'Subscription ID', value: labels.subscriptionId },
        { label: 'Current price', value: labels.price },
        isClearing ? { label: 'Pending price', value: formatPrice(preview.pending) } : { label: 'New price', value: formatPrice(amount) },
        { label: 'Effect', value: formatPricePreview(preview, { current: priced.amount_usd, requested: amount }, periodEnd) },
      ]}
      fields={{ amount, ...(isNeverConfirmed ? { isNeverConfirmed: 'yes' } : {}) }}
      word={isClearing ? `Clear pending price of ${formatPrice(preview.pending)}` : `Change price to ${formatPrice(amount)}`}
      pendingWord={isClearing ? 'Clearing…' : 'Changing…'}
    />
  );
}
