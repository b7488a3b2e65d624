import { type ReactElement, useId } from 'react';
import { formatMoney, signOfMoney } from '../../../../../lib/domain/money.ts';
import { AMOUNT_SENTENCES } from './amount-sentences.ts';
import type { RefundFormState } from './form-state.ts';
import styles from './refund-form.module.css';
import type { DraftInHand } from './use-draft.ts';

/** How much to give back: all that is left, or a part. */
export function AmountField({ hand, isAsked, answer }: { hand: DraftInHand; isAsked: boolean; answer: RefundFormState }): ReactElement {
  const id = useId();
  const { draft, change, remaining } = hand;
  const fault = faultOf(hand, isAsked, answer);
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>How much</legend>
      <label className={styles.choice} htmlFor={`${id}-rest`}>
        <input id={`${id}-rest`} type="radio" name="share" checked={draft.share === 'rest'} onChange={() => change({ share: 'rest' })} />
        All that is left, {formatMoney(remaining)} USD
      </label>
      <label className={styles.choice} htmlFor={`${id}-part`}>
        <input id={`${id}-part`} type="radio" name="share" checked={draft.share === 'part'} onChange={() => change({ share: 'part' })} />A
        part of it
      </label>
      {draft.share === 'part' && (
        <div className={styles.field}>
          <label htmlFor={`${id}-amount`} className={styles.label}>
            Amount, USD
          </label>
          <input
            id={`${id}-amount`}
            className={styles.amount}
            inputMode="decimal"
            autoComplete="off"
            maxLength={40}
            value={draft.typed}
            onChange={(event) => change({ typed: event.target.value })}
            aria-invalid={fault !== null}
            aria-describedby={`${id}-words`}
          />
        </div>
      )}
      <p id={`${id}-words`} className={fault === null ? styles.hint : styles.fault} role={fault === null ? undefined : 'alert'}>
        {fault ?? sayWhere(hand)}
      </p>
    </fieldset>
  );
}

function sayWhere({ draft, estimate }: DraftInHand): string {
  if (estimate === null ? draft.share === 'part' : !estimate.is_full_refund)
    return 'Nothing goes back to the card: a part is given in coins, ten for a dollar.';
  const card = estimate?.card_refunded_usd ?? null;
  if (card !== null && signOfMoney(card) === 0)
    return 'It completes the period. The wallet paid for it: coins go back, and nothing to a card.';
  return 'It completes the period: the whole card charge goes back, and coins that earlier refunds handed out are taken back.';
}

function faultOf({ trouble, estimate, remaining }: DraftInHand, isAsked: boolean, answer: RefundFormState): string | null {
  if (trouble === 'more_than_left') return `${AMOUNT_SENTENCES.more_than_left.slice(0, -1)}: ${formatMoney(remaining)} USD.`;
  if (trouble !== null) return AMOUNT_SENTENCES[trouble];
  if (isAsked && estimate === null) return AMOUNT_SENTENCES.not_an_amount;
  return answer.kind === 'refused' && answer.at === 'amount' ? answer.sentence : null;
}
