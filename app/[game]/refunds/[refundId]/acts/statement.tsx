import type { ReactElement } from 'react';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { ActForm } from '#app/[game]/_refunds/act-form.tsx';
import type { OpenStatement, RefundDetail } from '#db/refunds/reads/find-refund.ts';
import { formatMoney } from '#lib/core/money.ts';
import { confirmAction, dropAction, readAgainAction } from '../actions.ts';
import styles from '../refund.module.css';
import type { RefundActs } from './list-acts.ts';
import { OutcomeForm } from './outcome-form.tsx';

export interface StatementProps {
  slug: string;
  refund: RefundDetail;
  acts: RefundActs;
  statement: OpenStatement | null;
}

/** Two people say what became of a refund nobody can tell: the first says it, the second agrees or says no. */
export function Statement({ slug, refund, acts, statement }: StatementProps): ReactElement | null {
  const { refundId, amount_usd, proposal } = refund;
  const about = { game: slug, refundId };
  const amount = `${formatMoney(amount_usd)} USD`;
  if (refund.state !== 'attention') return null;
  return (
    <>
      {(acts.propose || acts.confirm) && (
        <ActForm action={readAgainAction} about={about} word="Read the period at Invo now" pendingWord="Asking Invo…">
          <p>What you say rests on the newest reading of the period. Readings stand in the story below.</p>
        </ActForm>
      )}
      {acts.propose && <OutcomeForm slug={slug} refundId={refundId} amount={amount} proposal={proposal} />}
      {statement !== null && (
        <div className={styles.statement}>
          <p>
            <strong>{SAID[statement.decision]}</strong>, says {statement.by.name} at <Instant at={statement.at} />: “{statement.text}”
          </p>
          {acts.confirm && (
            <ActForm
              action={confirmAction}
              about={{ ...about, decisionNo: statement.decision_no }}
              word={CONFIRMS[statement.decision](amount)}
              pendingWord="One moment…"
              kind="main"
            />
          )}
          {acts.drop !== null && (
            <ActForm
              action={dropAction}
              about={{ ...about, decisionNo: statement.decision_no }}
              word={acts.drop === 'own' ? 'Take my statement back' : 'No, that is not so'}
              pendingWord="One moment…"
            />
          )}
        </div>
      )}
    </>
  );
}

const SAID: Record<OpenStatement['decision'], string> = {
  landed: 'It was refunded',
  not_landed: 'It did not happen',
  send_again: 'It shall be sent once more',
};

const CONFIRMS: Record<OpenStatement['decision'], (amount: string) => string> = {
  landed: (amount) => `Agree: ${amount} was refunded`,
  not_landed: (amount) => `Agree: ${amount} was not refunded`,
  send_again: (amount) => `Agree: send the refund of ${amount} once more`,
};
