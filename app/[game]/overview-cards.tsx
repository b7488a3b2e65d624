import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, CircleDashed, Hourglass, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import type { Game } from '#app/_server/game.ts';
import { barShares } from '#app/_ui/charts/chart-series.ts';
import { formatAge, formatGrowth, formatMonth, formatUtc } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { mostPlaces, negateMoney, signOfMoney, subtractMoney } from '#lib/core/money.ts';
import type { Tone } from '#lib/core/strings.ts';
import type { DaysSum, Pace } from '#lib/evidence/reads/snapshot-days.ts';
import type { Verification } from '#lib/exceptions/reads.ts';
import { formatVerified } from '#lib/exceptions/text.ts';
import { parseRunProgress } from '#lib/payouts/rules/run-content.ts';
import { RUN_STATE_TEXT } from '#lib/payouts/text.ts';
import type { RunPayments } from '#lib/tasks/reads.ts';
import { MONTH_STATE_TONES, type MonthRow } from './months/load-month.ts';
import styles from './overview.module.css';

interface PaceCardProps {
  game: Pick<Game, 'slug'>;
  open: MonthRow;
  before: MonthRow;
  /** null: the open month has no whole day yet, or isn’t pulled. */
  pace: Pace | null;
}

/** The open month against the same whole days of the month before; what can’t be known says so. */
export function PaceCard({ game, open, before, pace }: PaceCardProps): ReactElement {
  const name = formatMonth(open.month).split(' ')[0];
  const until = open.snapshot === null ? null : <span className={styles.detail}>pulled to {formatUtc(open.snapshot.coveredUntil)}</span>;
  if (pace === null || pace.current === null)
    return (
      <Card title={`${name} so far`} aside={until}>
        <p className={styles.hint}>
          Not available.{' '}
          {open.snapshot === null
            ? `${name} isn’t pulled yet.`
            : pace === null
              ? 'The pulled part has no whole day to compare.'
              : 'Its days don’t add up to the totals that Invo reports.'}{' '}
          <Link href={`/${game.slug}/months/${open.month}`}>View {name}</Link>
        </p>
      </Card>
    );
  const { dayCount, current } = pace;
  const span = (month: string): string => `${dayCount === 1 ? '1' : `1–${dayCount}`} ${formatMonth(month, 'short').split(' ')[0]}`;
  const rows: PaceRow[] = [
    { name: 'Gross', amount: current.gross_usd, earlier: pace.before?.gross_usd ?? null },
    { name: 'Reversed', amount: current.reversed_usd, earlier: pace.before?.reversed_usd ?? null, isDeducted: true },
    { name: 'Net attributed', amount: netOf(current), earlier: pace.before === null ? null : netOf(pace.before) },
  ];
  const places = mostPlaces(rows.flatMap(({ amount, earlier }) => [amount ?? '0', earlier ?? '0']));
  const figure = (amount: string | null, isDeducted = false): ReactNode =>
    amount === null ? (
      <span className={styles.detail}>not available</span>
    ) : (
      <Money amount={isDeducted ? negateMoney(amount) : amount} places={places} />
    );
  const columns: SimpleColumn<PaceRow>[] = [
    { label: 'USD', cell: ({ name: label }) => label },
    { label: span(open.month), isFigure: true, cell: ({ amount, isDeducted }) => figure(amount, isDeducted) },
    { label: span(before.month), isFigure: true, cell: ({ earlier, isDeducted }) => figure(earlier, isDeducted) },
    {
      label: 'Change',
      isFigure: true,
      cell: ({ amount, earlier }) => amount !== null && earlier !== null && formatGrowth(amount, earlier),
    },
  ];
  return (
    <Card title={`${name} so far`} aside={until}>
      <PaceBars rows={rows} labels={[span(open.month), span(before.month)]} />
      <SimpleTable
        label={`${name} and the same days of ${formatMonth(before.month)}`}
        columns={columns}
        rows={rows}
        keyOf={({ name: key }) => key}
        isInset
      />
      {pace.before === null && (
        <p className={styles.hint}>
          {before.snapshot?.status === 'complete'
            ? `The days of ${formatMonth(before.month)} aren’t stored. Pull that month again to compare.`
            : `${formatMonth(before.month)} isn’t complete, so it isn’t compared.`}
        </p>
      )}
    </Card>
  );
}

/** One figure of both months; null: not available. */
interface PaceRow {
  name: string;
  amount: string | null;
  earlier: string | null;
  /** Shown as a negative figure. */
  isDeducted?: true;
}

/** Gross of both months as bars, the open one hatched; the table below has the figures. */
function PaceBars({ rows, labels }: { rows: PaceRow[]; labels: [string, string] }): ReactElement | null {
  const { amount = null, earlier = null } = rows[0] ?? {};
  if (amount === null || earlier === null) return null;
  const shares = barShares([amount, earlier]);
  return (
    <div className={styles.bars} aria-hidden="true">
      {labels.map((label, index) => (
        <div key={label} className={styles.barRow}>
          <span>{label}</span>
          <span className={clsx(styles.bar, index === 0 && styles.hatched)} style={{ width: widthOf(shares[index]) }} />
        </div>
      ))}
    </div>
  );
}

function widthOf(share = 0): string {
  return `${share * 100}%`;
}

function netOf({ gross_usd, reversed_usd }: DaysSum): string | null {
  return reversed_usd === null ? null : subtractMoney(gross_usd, reversed_usd);
}

interface LastMonthProps {
  game: Pick<Game, 'slug'>;
  row: MonthRow;
  /** null: the month has no run. */
  run: RunPayments | null;
}

/** The last month from what Invo attributed to what was paid, each step a link to its page. */
export function LastMonth({ game, row, run }: LastMonthProps): ReactElement {
  const title = `${formatMonth(row.month)} from attributed to paid`;
  const month = `/${game.slug}/months/${row.month}`;
  if (row.snapshot?.status !== 'complete')
    return (
      <Card title={title}>
        <p className={styles.hint}>
          Not available: {formatMonth(row.month)} is {row.label.toLowerCase()}. <Link href={month}>View {formatMonth(row.month)}</Link>
        </p>
      </Card>
    );
  const { gross_attributed_usd: gross, reversed_attributed_usd: reversed, net_attributed_usd: net } = row.snapshot.totals;
  const runHref = run === null ? `${month}/close` : `/${game.slug}/payouts/${run.runNo}`;
  const steps: Step[] = [
    { name: 'Gross', href: month, amount: gross, tone: 'gross' },
    { name: 'Reversed', href: `${month}/reversals`, amount: negateMoney(reversed), tone: 'reversed' },
    { name: 'Net attributed', href: month, amount: net, tone: 'net' },
    { name: 'Payable', href: runHref, amount: run?.payable_usd ?? null, missing: 'no run yet', tone: 'net' },
    {
      name: 'Paid',
      href: run === null ? runHref : `${runHref}/payments`,
      amount: run?.paid_usd ?? null,
      missing: run === null ? 'no run yet' : 'not approved yet',
      tone: 'paid',
    },
  ];
  const shares = barShares(steps.map(({ amount }) => amount ?? '0'));
  return (
    <Card
      title={title}
      aside={<span className={styles.detail}>{row.run && `${RUN_STATE_TEXT[parseRunProgress(row.run.state)]} · `}USD</span>}
    >
      <ol className={styles.steps}>
        {steps.map(({ name, href, amount, missing, tone }, index) => (
          <li key={name} className={styles.step}>
            <Link href={href}>{name}</Link>
            <span className={styles.track}>
              {amount !== null && <span className={clsx(styles.bar, styles[tone])} style={{ width: widthOf(shares[index]) }} />}
            </span>
            <span className={styles.amount}>
              {amount === null ? <span className={styles.detail}>{missing}</span> : <Money amount={amount} isStrong />}
            </span>
          </li>
        ))}
      </ol>
      {run !== null && <RunNote run={run} />}
    </Card>
  );
}

interface Step {
  name: string;
  href: string;
  /** USD; null: it doesn’t exist yet. */
  amount: string | null;
  missing?: string;
  tone: 'gross' | 'reversed' | 'net' | 'paid';
}

/** Where the difference between two steps is. */
function RunNote({ run: { due_usd, closing_usd, sent_usd, back_usd } }: { run: RunPayments }): ReactElement {
  const optional = [
    { name: 'Handed over', amount: sent_usd },
    { name: 'Failed or returned', amount: back_usd },
  ].filter(({ amount }) => amount !== null && signOfMoney(amount) !== 0);
  return (
    <dl className={styles.rest}>
      {[
        { name: 'Due with balances of earlier months', amount: due_usd },
        { name: 'Carried forward', amount: closing_usd },
        ...optional,
      ].map(({ name, amount }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Money amount={amount} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const CELL_ICONS = { good: CircleCheck, wait: TriangleAlert, bad: CircleAlert, busy: Hourglass, quiet: CircleDashed } satisfies Record<
  Tone,
  unknown
>;

interface CoverageCellsProps {
  game: Pick<Game, 'slug'>;
  rows: MonthRow[];
  /** null: the command `verify` never ended. */
  verification: Verification | null;
  /** The database’s clock. */
  readAt: string;
}

/** Which months are stored and whole, how far their runs are, as cells that lead to the months, and when the chains were verified last. */
export function CoverageCells({ game, rows, verification, readAt }: CoverageCellsProps): ReactElement {
  const whole = rows.filter(({ snapshot }) => snapshot?.status === 'complete').length;
  const verified = verification === null ? 'chains not verified yet' : `chains verified ${formatAge(verification.endedAt, readAt)}`;
  const aside = (
    <span className={styles.detail}>
      {`${whole} of ${rows.length} months complete · ${verified} `}
      {verification !== null && verification.violationCount > 0 && <Status tone="bad" word={formatVerified(verification.violationCount)} />}
    </span>
  );
  return (
    <Card title="Coverage" aside={aside}>
      <ol className={styles.cells}>
        {rows.map((row) => {
          const tone = row.state === 'open' ? 'busy' : MONTH_STATE_TONES[row.state];
          const Icon = CELL_ICONS[tone];
          return (
            <li key={row.month}>
              <Link href={`/${game.slug}/months/${row.month}`} className={clsx(styles.cell, styles[tone])}>
                <strong>{formatMonth(row.month, 'short')}</strong>
                <span className={styles.state}>
                  <Icon size={13} aria-hidden="true" />
                  {row.label}
                </span>
                <span className={styles.detail}>{row.run === null ? 'No run' : RUN_STATE_TEXT[parseRunProgress(row.run.state)]}</span>
              </Link>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
