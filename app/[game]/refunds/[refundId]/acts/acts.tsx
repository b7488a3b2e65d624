import type { ReactElement } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { Tick } from '#app/_ui/forms/tick.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { ActForm } from '#app/[game]/_refunds/act-form.tsx';
import { sayWalletRisk } from '#app/[game]/_refunds/effects/say-wallet-risk.ts';
import type { OpenStatement, RefundDetail } from '#db/refunds/reads/find-refund.ts';
import { formatMoney } from '#lib/core/money.ts';
import { WHY_LENGTH_MAX } from '#lib/core/typed-text.ts';
import { walletRiskOf } from '#lib/refunds/rules/estimate.ts';
import { approveAction, declineAction, takeOverAction } from '../actions.ts';
import styles from '../refund.module.css';
import type { RefundActs } from './list-acts.ts';
import { Statement } from './statement.tsx';

export interface ActsProps {
  slug: string;
  refund: RefundDetail;
  acts: RefundActs;
  statement: OpenStatement | null;
}

/** What the person may do with the refund where it stands, each act with what it is about; why not, where they may not. */
export function Acts({ slug, refund, acts, statement }: ActsProps): ReactElement {
  const { refundId, amount_usd, contentDigest, owner, period_id } = refund;
  const amount = `${formatMoney(amount_usd)} USD`;
  const about = { game: slug, refundId };
  const risk = walletRiskOf(refund.estimate);
  return (
    <Card title="What you can do">
      <div className={styles.acts}>
        {acts.why !== null && <p>{acts.why}</p>}
        {acts.approve !== null && (
          <ActForm
            action={approveAction}
            about={{ ...about, contentDigest }}
            word={acts.approve === 'own' ? `Confirm and refund ${amount}` : `Approve the refund of ${amount}`}
            pendingWord="Approving…"
            kind="main"
          >
            <p>
              {acts.approve === 'own'
                ? 'You asked for it and it is within your limit. Confirm what stands below as it is now.'
                : `${refund.requestedBy.name} asked for it. You approve exactly what stands below; if any of it changes before it is sent, the approval is void.`}
            </p>
            {risk !== null && (
              <Tick name="confirmedWallet" value={risk} isRequired isGrave>
                {sayWalletRisk(risk)}
              </Tick>
            )}
          </ActForm>
        )}
        {acts.decline === 'reject' && (
          <ActForm
            action={declineAction}
            about={about}
            word={`Do not refund ${amount}`}
            pendingWord="One moment…"
            kind="danger"
            why={{ label: 'Why not', lengthMax: WHY_LENGTH_MAX, isRequired: true }}
          />
        )}
        {acts.decline === 'withdraw' && (
          <ActForm
            action={declineAction}
            about={about}
            word={`Withdraw the refund of ${amount}`}
            pendingWord="Withdrawing…"
            kind="danger"
            why={{ label: 'Why, if there is more to say', lengthMax: WHY_LENGTH_MAX }}
          />
        )}
        <Statement slug={slug} refund={refund} acts={acts} statement={statement} />
        {acts.startNew && (
          <div className={styles.fresh}>
            <p>This one has ended; its key is never used again.</p>
            <LinkButton kind="main" href={`/${slug}/periods/${period_id}/refund`}>
              Start a new refund of this period
            </LinkButton>
          </div>
        )}
        {acts.takeOver && (
          <ActForm action={takeOverAction} about={about} word="See it through myself" pendingWord="One moment…">
            <p>{owner.name} sees it through now.</p>
          </ActForm>
        )}
        {isNothing(acts) && <p>Nothing has to be done.</p>}
      </div>
    </Card>
  );
}

function isNothing({ why, approve, decline, takeOver, propose, confirm, drop, startNew }: RefundActs): boolean {
  return [why, approve, decline, drop].every((each) => each === null) && ![takeOver, propose, confirm, startNew].includes(true);
}
