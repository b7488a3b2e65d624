import Link from 'next/link';
import type { ReactElement } from 'react';
import type { RollForwardStep } from '#app/_ui/charts/chart-series.ts';
import { WaterfallChart } from '#app/_ui/charts/waterfall-chart.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { formatMonth } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { TwoColumns } from '#app/_ui/layout/columns.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import type { Game } from '#lib/core/game.ts';
import { formatMoney, formatUsd, negateMoney, signOfMoney } from '#lib/core/money.ts';
import { monthOf } from '#lib/core/month.ts';
import type { RecipientHistory } from '#lib/evidence/reads/recipients.ts';
import type { RecipientRun } from '#lib/payouts/reads/run-lines.ts';
import { progressOf } from '#lib/payouts/rules/run-content.ts';
import { formatOutcome } from '#lib/payouts/rules/run-words.ts';
import { OUTCOME_TEXT, RUN_COLUMN_TEXT, RUN_STATE_TEXT } from '#lib/payouts/text.ts';
import { MinimumForm } from './minimum-form.tsx';
import styles from './recipient.module.css';

interface RecipientPayoutsProps {
  game: Game;
  history: RecipientHistory;
  mayPrepare: boolean;
  /** Whether they may enter payment details. */
  mayEnter: boolean;
  mayReadDetails: boolean;
}

/** What the runs paid a recipient: the answer to “Why not paid?”, the roll-forward of every run, and the minimum. */
export function RecipientPayouts({ game, history, mayPrepare, mayEnter, mayReadDetails }: RecipientPayoutsProps): ReactElement | null {
  const { playerId, payouts } = history;
  const newest = payouts.runs[0];
  if (newest === undefined && !mayPrepare) return null;
  const monthOfRun = ({ window }: RecipientRun): string => formatMonth(monthOf(window.start, game.timeZone));
  const answer = newest && formatAnswer(newest, monthOfRun(newest));
  const chart = payouts.runs.length > 1 && (
    <Card title="Balance over the runs">
      <WaterfallChart
        label="The balance from run to run in USD; the table below has the same figures"
        names={{ rise: 'Added', fall: 'Deducted', out: RUN_COLUMN_TEXT.payable }}
        steps={payouts.runs
          .slice(0, RUNS_DRAWN)
          .map((run) => stepOf(game, run))
          .toReversed()}
      />
    </Card>
  );
  const payment = (mayReadDetails || mayPrepare) && (
    <Card title="Payment">
      <div className={styles.payment}>
        {mayPrepare && <MinimumForm about={{ game: game.slug, recipientId: playerId }} minimum_usd={payouts.minimum_usd} />}
        {mayReadDetails && (
          <Link href={`/${game.slug}/payouts/payees/${playerId}`}>
            {mayEnter && newest?.outcome === 'no_details' ? 'Enter payment details' : 'Payment details'}
          </Link>
        )}
      </div>
    </Card>
  );
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
      {chart && payment ? (
        <TwoColumns>
          {chart}
          {payment}
        </TwoColumns>
      ) : (
        chart || payment
      )}
      {newest === undefined ? (
        <p>No payout run includes this recipient yet.</p>
      ) : (
        <SimpleTable
          label="Payout runs of this recipient"
          columns={columnsOf(game, payouts.runs, monthOfRun)}
          rows={payouts.runs}
          keyOf={({ runNo }) => runNo}
        />
      )}
    </section>
  );
}

/** Runs drawn; the table below has them all. */
const RUNS_DRAWN = 14;

function stepOf(game: Game, run: RecipientRun): RollForwardStep {
  const month = monthOf(run.window.start, game.timeZone);
  const figure = (name: 'opening' | 'due' | 'payable' | 'closing'): { label: string; amount: string } => ({
    label: RUN_COLUMN_TEXT[name],
    amount: run[`${name}_usd`],
  });
  return {
    key: String(run.runNo),
    label: formatMonth(month, 'short'),
    title: `${formatMonth(month)}, run ${run.runNo}`,
    note: RUN_STATE_TEXT[progressOf(run)],
    href: `/${game.slug}/payouts/${run.runNo}`,
    isOpen: run.state !== 'approved',
    figures: { opening: figure('opening'), due: figure('due'), payable: figure('payable'), closing: figure('closing') },
  };
}

/** What the newest run pays and why, in words a person can pass on. */
function formatAnswer(run: RecipientRun, month: string): string {
  const { runNo, outcome, payable_usd, held_usd, closing_usd } = run;
  const prefix = `${month}, run ${runNo} (${RUN_STATE_TEXT[progressOf(run)].toLowerCase()}):`;
  if (outcome !== 'payable') return `${prefix} ${formatOutcome(run)}`;
  const rest = signOfMoney(closing_usd) === 0 ? '' : `, ${formatMoney(closing_usd)} is carried forward`;
  return `${prefix} ${formatUsd(payable_usd)} is payable${rest}${signOfMoney(held_usd) === 0 ? '' : `, ${formatUsd(held_usd)} is on hold`}.`;
}

type AmountColumn = 'opening' | 'earned' | 'reversed' | 'pinned' | 'adjusted' | 'returned' | 'due' | 'closing';

/** The columns of the roll-forward, what came back only where something did: with it each row adds up. */
function columnsOf(game: Game, runs: RecipientRun[], monthOfRun: (run: RecipientRun) => string): SimpleColumn<RecipientRun>[] {
  const hasReturned = runs.some(({ returned_usd }) => signOfMoney(returned_usd) !== 0);
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
            {OUTCOME_TEXT[run.outcome]} · {RUN_STATE_TEXT[progressOf(run)].toLowerCase()}
            {run.state === 'approved' && ' · '}
            <StatementLink game={game} run={run} />
          </NarrowNote>
          <NarrowNote>
            {RUN_COLUMN_TEXT.opening} {formatMoney(run.opening_usd)}, due {formatMoney(run.due_usd)}, carried forward{' '}
            {formatMoney(run.closing_usd)}
          </NarrowNote>
        </>
      ),
    },
    ...(['opening', 'earned', 'reversed', 'pinned', 'adjusted'] as const).map(amount),
    ...(hasReturned ? [amount('returned')] : []),
    amount('due'),
    { label: RUN_COLUMN_TEXT.payable, isFigure: true, cell: ({ payable_usd }) => <Money amount={payable_usd} isStrong /> },
    amount('closing'),
    { label: 'Outcome', isWideOnly: true, cell: ({ outcome }) => OUTCOME_TEXT[outcome] },
    { label: 'State', isWideOnly: true, cell: (run) => RUN_STATE_TEXT[progressOf(run)] },
    { label: 'Statement', isWideOnly: true, cell: (run) => <StatementLink game={game} run={run} /> },
  ];
}

/** The statement of a recipient and run; an approved run has one for each of its lines. */
function StatementLink({ game, run }: { game: Game; run: RecipientRun }): ReactElement | null {
  if (run.state !== 'approved') return null;
  return <Link href={`/${game.slug}/payouts/${run.runNo}/statements/${run.recipientId}`}>Statement</Link>;
}
