import Link from 'next/link';
import type { ReactElement } from 'react';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { formatMonth } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import type { Game } from '#lib/core/game.ts';
import { formatMoney, formatUsd, negateMoney, signOfMoney } from '#lib/core/money.ts';
import { monthOf } from '#lib/core/month.ts';
import type { RecipientHistory } from '#lib/evidence/reads/recipients.ts';
import type { RecipientRun } from '#lib/payouts/reads/run-lines.ts';
import { formatOutcome } from '#lib/payouts/rules/format-outcome.ts';
import { OUTCOME_TEXT, RUN_COLUMN_TEXT, RUN_STATE_TEXT } from '#lib/payouts/text.ts';
import { MinimumForm } from './minimum-form.tsx';
import styles from './recipient.module.css';

interface RecipientPayoutsProps {
  game: Game;
  history: Pick<RecipientHistory, 'playerId' | 'payouts'>;
  mayPrepare: boolean;
  mayReadDetails: boolean;
}

/** What the runs paid a recipient: the answer to “Why not paid?”, the roll-forward of every run, and the minimum. */
export function RecipientPayoutsSection({ game, history, mayPrepare, mayReadDetails }: RecipientPayoutsProps): ReactElement | null {
  const { playerId, payouts } = history;
  const newest = payouts.runs[0];
  if (newest === undefined && !mayPrepare) return null;
  const monthOfRun = ({ window }: RecipientRun): string => formatMonth(monthOf(window.start, game.timeZone));
  const answer = newest && formatAnswer(newest, monthOfRun(newest));
  return (
    <section className={styles.section}>
      <h2>Payouts</h2>
      {newest !== undefined && answer !== undefined && (
        <Card title={signOfMoney(newest.payable_usd) === 0 ? 'Why not paid?' : 'Latest run'}>
          <CopyButton text={answer} what="answer">
            <span className={styles.answer}>{answer}</span>
          </CopyButton>
        </Card>
      )}
      {newest === undefined ? (
        <p>No payout run includes this recipient yet.</p>
      ) : (
        <SimpleTable
          label="Payout runs of this recipient"
          columns={columnsOf(game, monthOfRun)}
          rows={payouts.runs}
          keyOf={({ runNo }) => runNo}
        />
      )}
      {mayReadDetails && (
        <p>
          <Link href={`/${game.slug}/payouts/payees/${playerId}`}>
            {newest?.outcome === 'no_details' ? 'Enter payment details' : 'Payment details'}
          </Link>
        </p>
      )}
      {mayPrepare && (
        <div className={styles.minimum}>
          <MinimumForm about={{ game: game.slug, recipientId: playerId }} minimum_usd={payouts.minimum_usd} />
        </div>
      )}
    </section>
  );
}

/** What the newest run pays and why, in words a person can pass on. */
function formatAnswer(run: RecipientRun, month: string): string {
  const { runNo, state, outcome, payable_usd, held_usd, closing_usd } = run;
  const prefix = `${month}, run ${runNo} (${RUN_STATE_TEXT[state].toLowerCase()}):`;
  if (outcome !== 'payable') return `${prefix} ${formatOutcome(run)}`;
  const rest = signOfMoney(closing_usd) === 0 ? '' : `, ${formatMoney(closing_usd)} is carried forward`;
  return `${prefix} ${formatUsd(payable_usd)} is payable${rest}${signOfMoney(held_usd) === 0 ? '' : `, ${formatUsd(held_usd)} is on hold`}.`;
}

type AmountColumn = 'opening' | 'earned' | 'reversed' | 'pinned' | 'adjusted' | 'due' | 'closing';

function columnsOf(game: Game, monthOfRun: (run: RecipientRun) => string): SimpleColumn<RecipientRun>[] {
  const amount = (name: AmountColumn): SimpleColumn<RecipientRun> => ({
    label: RUN_COLUMN_TEXT[name],
    isFigure: true,
    isWideOnly: true,
    cell: (run) => <Money amount={name === 'reversed' ? negateMoney(run.reversed_usd) : run[`${name}_usd`]} places={4} />,
  });
  return [
    {
      label: 'Run',
      cell: (run) => (
        <>
          <Link href={`/${game.slug}/payouts/${run.runNo}`}>
            {monthOfRun(run)}, run {run.runNo}
          </Link>
          <NarrowNote>
            {OUTCOME_TEXT[run.outcome]}
            {run.state === 'approved' && ' · '}
            <StatementLink game={game} run={run} />
          </NarrowNote>
        </>
      ),
    },
    ...(['opening', 'earned', 'reversed', 'pinned', 'adjusted', 'due'] as const).map(amount),
    { label: RUN_COLUMN_TEXT.payable, isFigure: true, cell: ({ payable_usd }) => <Money amount={payable_usd} isStrong /> },
    amount('closing'),
    { label: 'Outcome', isWideOnly: true, cell: ({ outcome }) => OUTCOME_TEXT[outcome] },
    { label: 'State', isWideOnly: true, cell: ({ state }) => RUN_STATE_TEXT[state] },
    { label: 'Statement', isWideOnly: true, cell: (run) => <StatementLink game={game} run={run} /> },
  ];
}

/** The statement of a recipient and run; an approved run has one for each of its lines. */
function StatementLink({ game, run }: { game: Game; run: RecipientRun }): ReactElement | null {
  if (run.state !== 'approved') return null;
  return <Link href={`/${game.slug}/payouts/${run.runNo}/statements/${run.recipientId}`}>Statement</Link>;
}
