'use client';

import { type FormEvent, type ReactElement, useState } from 'react';
import { SentAlong } from '#app/_ui/forms/sent-along.tsx';
import { useAnswer } from '#app/_ui/forms/use-answer.ts';
import type { Role } from '#lib/core/roles.ts';
import { REASON_LENGTH_MAX } from '#lib/core/typed-text.ts';
import { previewReversal, walletRiskOf } from '#lib/refunds/rules/estimate.ts';
import { limitedAmountOf, needsSecondApprover, type RefundLimits } from '#lib/refunds/rules/limits.ts';
import type { PeriodFacts, RefundFacts } from '#lib/refunds/rules/period.ts';
import { askForRefundAction } from './actions.ts';
import { AmountField } from './amount-field.tsx';
import { ConfirmStep } from './confirm-step.tsx';
import type { RefundFormState } from './form-state.ts';
import { FormTrouble } from './form-trouble.tsx';
import { GoOn } from './go-on.tsx';
import { Preview } from './preview.tsx';
import { ReasonFields } from './reason-fields.tsx';
import styles from './refund-form.module.css';
import { useDraft } from './use-draft.ts';

export interface RefundFormProps {
  game: { slug: string; name: string; timeZone: string };
  facts: RefundFacts;
  now: string;
  role: Role;
  /** USD by role, where an admin set them. */
  limits: RefundLimits;
  isStopped: boolean;
  /** Made with the page: however often the form is sent, it is one refund. */
  draftId: string;
  /** Digest of the facts that stand on the page. */
  baseline: string;
}

const IDLE: RefundFormState = { kind: 'idle' };
const LOST: RefundFormState = { kind: 'lost' };

/** The form of a refund in two steps: what to give back and why, with what it does; then the confirmation that restates it. */
export function RefundForm({ game, facts, now, role, limits, isStopped, draftId, baseline }: RefundFormProps): ReactElement {
  const [answer, send] = useAnswer(askForRefundAction, IDLE, LOST);
  // The confirmation belongs to the answer it was opened on: whatever is answered, it closes.
  const [confirming, setConfirming] = useState<RefundFormState | null>(null);
  const isConfirming = confirming === answer;
  const [isAsked, setAsked] = useState(false);
  const [sentOn, setSentOn] = useState<PeriodFacts | null>(null);
  const hand = useDraft(facts, { now, timeZone: game.timeZone });
  const { draft, estimate } = hand;
  const reversal = previewReversal(now, game.timeZone);
  const risk = estimate === null ? null : walletRiskOf(estimate);
  const goOn = (event: FormEvent): void => {
    if (!isConfirming) event.preventDefault();
    setAsked(true);
    setSentOn(facts.period);
    const isFilledIn = estimate !== null && draft.reason !== '' && draft.words.trim().length <= REASON_LENGTH_MAX;
    if (!isConfirming && isFilledIn) setConfirming(answer);
  };
  const wantsSecond = estimate !== null && needsSecondApprover(role, limitedAmountOf(estimate), limits);
  return (
    <form action={send} onSubmit={goOn} onReset={(event) => event.preventDefault()} className={styles.form} noValidate>
      <SentAlong about={{ game: game.slug, periodId: facts.period.period_id, draftId, baseline, amount: hand.amountText }} />
      <FormTrouble slug={game.slug} answer={answer} sentOn={sentOn} now={facts.period} />
      <div className={styles.step} hidden={isConfirming}>
        <div className={styles.fields}>
          <AmountField hand={hand} isAsked={isAsked} answer={answer} />
          <ReasonFields hand={hand} isAsked={isAsked} answer={answer} />
          <GoOn
            estimate={estimate}
            role={role}
            limits={limits}
            wantsSecond={wantsSecond}
            isStopped={isStopped}
            isReturned={isAsked && !isConfirming}
          />
        </div>
        <Preview slug={game.slug} facts={facts} estimate={estimate} reversal={reversal} />
      </div>
      {isConfirming && estimate !== null && (
        <ConfirmStep
          amountText={hand.amountText}
          slug={game.slug}
          gameName={game.name}
          facts={facts}
          estimate={estimate}
          reversal={reversal}
          wantsSecond={wantsSecond}
          isStopped={isStopped}
          wallet={
            risk === null
              ? null
              : {
                  risk,
                  isConfirmed: draft.confirmedWallet === risk,
                  confirm: (isConfirmed) => hand.change({ confirmedWallet: isConfirmed ? risk : null }),
                }
          }
          goBack={() => setConfirming(null)}
        />
      )}
    </form>
  );
}
