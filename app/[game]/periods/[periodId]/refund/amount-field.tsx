import type { ReactElement } from 'react';
import { Choices } from '#app/_ui/forms/choices.tsx';
import { Fault } from '#app/_ui/forms/fault.tsx';
import { Field } from '#app/_ui/forms/field.tsx';
import { FieldGroup } from '#app/_ui/forms/field-group.tsx';
import { Hint } from '#app/_ui/forms/hint.tsx';
import { formatMoney, signOfMoney } from '#lib/core/money.ts';
import { AMOUNT_SENTENCES } from './amount-sentences.ts';
import type { RefundFormState } from './form-state.ts';
import type { DraftInHand } from './use-draft.ts';

/** How much to give back: all that is left, or a part. */
export function AmountField({ hand, isAsked, answer }: { hand: DraftInHand; isAsked: boolean; answer: RefundFormState }): ReactElement {
  const { draft, change, remaining } = hand;
  const fault = faultOf(hand, isAsked, answer);
  return (
    <FieldGroup legend="How much">
      <Choices
        name="share"
        choices={[
          { value: 'rest', label: `All that is left, ${formatMoney(remaining)} USD` },
          { value: 'part', label: 'A part of it' },
        ]}
        chosen={draft.share}
        onChoose={(share) => change({ share })}
      />
      {draft.share === 'part' ? (
        <Field label="Amount, USD" hint={sayWhere(hand)} fault={fault} isAmount>
          {(control) => (
            <input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              maxLength={40}
              value={draft.typed}
              onChange={(event) => change({ typed: event.target.value })}
            />
          )}
        </Field>
      ) : (
        <>
          <Fault>{fault}</Fault>
          {fault === null && <Hint>{sayWhere(hand)}</Hint>}
        </>
      )}
    </FieldGroup>
  );
}

function sayWhere({ draft, estimate }: DraftInHand): string {
  if (estimate === null ? draft.share === 'part' : !estimate.is_full_refund)
    return 'Nothing goes back to the card: a part is given in coins, ten for a dollar.';
  const card = estimate?.card_refunded_usd ?? null;
  if (card !== null && signOfMoney(card) === 0)
    return 'It completes the period. The wallet paid for it: coins go back, and nothing to a card.';
  return estimate !== null && card === null
    ? 'It completes the period: what goes back to the card is not known; coins that earlier refunds handed out are taken back.'
    : 'It completes the period: the whole card charge goes back, and coins that earlier refunds handed out are taken back.';
}

function faultOf({ trouble, estimate, remaining }: DraftInHand, isAsked: boolean, answer: RefundFormState): string | null {
  if (trouble === 'more_than_left') return `${AMOUNT_SENTENCES.more_than_left.slice(0, -1)}: ${formatMoney(remaining)} USD.`;
  if (trouble !== null) return AMOUNT_SENTENCES[trouble];
  if (isAsked && estimate === null) return AMOUNT_SENTENCES.not_an_amount;
  return answer.kind === 'refused' && answer.at === 'amount' ? answer.sentence : null;
}
