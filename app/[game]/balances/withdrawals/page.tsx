import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { openLookUp, requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { TableNote } from '#app/_ui/layout/simple-table.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { readWithdrawals, WITHDRAWAL_READS, type WithdrawalAnswer } from '#lib/balances/read-withdrawals.ts';
import { BalancesHead } from '../_files/balance-parts.tsx';
import styles from '../balances.module.css';

export const metadata: Metadata = { title: 'Withdrawals' };

const TITLES = { 'available-balance': 'Available to withdraw', history: 'Withdrawal history' } as const;

/** The two reads of withdrawals as Invo answers them now. */
export default async function WithdrawalsPage({ params }: { params: Promise<{ game: string }> }): Promise<ReactElement> {
  const person = await requirePerson('balances.export');
  const game = await requireGame((await params).game);
  const context = openLookUp(game, person);
  const answers = await Promise.all(WITHDRAWAL_READS.map((read) => readWithdrawals(context, read)));
  return (
    <>
      <BalancesHead slug={game.slug} person={person}>
        Invo’s current response, unchanged. Sharebook doesn’t store it or calculate from it.
      </BalancesHead>
      <div className={styles.answers}>
        {answers.map((answer) => (
          <Answer key={answer.read} answer={answer} />
        ))}
      </div>
      <TableNote>Request a withdrawal in Invo’s console: the contract doesn’t show what to send.</TableNote>
    </>
  );
}

function Answer({ answer: { read, status, receivedAt, raw, failure } }: { answer: WithdrawalAnswer }): ReactElement {
  return (
    <Card
      title={TITLES[read]}
      aside={
        receivedAt !== null && (
          <span className={styles.read}>
            HTTP {status}, read at <Instant at={receivedAt} precision="second" />
          </span>
        )
      }
    >
      {failure !== null && (
        <Notice voice="wait" title={status === null ? 'No answer' : `Invo refused this read with ${status}`}>
          {failure.sentence} Not retried.
        </Notice>
      )}
      {raw !== null && raw !== '' && (
        <pre className={styles.raw} tabIndex={0} aria-label={`${TITLES[read]}, as Invo wrote it`}>
          {raw}
        </pre>
      )}
    </Card>
  );
}
