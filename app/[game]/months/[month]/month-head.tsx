import { ChevronLeft, ChevronRight } from 'lucide-react';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import type { FlowStep } from '#app/_ui/charts/chart-series.ts';
import { FlowChart } from '#app/_ui/charts/trend-chart.tsx';
import { Menu, type MenuEntry } from '#app/_ui/controls/menu.tsx';
import { formatAge, formatChange, formatCount, formatDay, formatInstant, formatMonth, formatUtc } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { formatUsd, negateMoney, signOfMoney, subtractMoney } from '#lib/core/money.ts';
import { addMonths } from '#lib/core/month.ts';
import type { Snapshot } from '#lib/evidence/rules/evidence.ts';
import { SHEETS, type SheetName } from '#lib/evidence/rules/sheets.ts';
import { PullButton } from '../../_pulls/pull.tsx';
import { type LoadedMonth, MONTH_STATE_TONES, type MonthRow, pullActionOf } from '../load-month.ts';
import styles from './month.module.css';

/** The month, its state and its actions on one line; its window, snapshot and age on the next. */
export function MonthHead({ loaded, mayPull, mayExport }: { loaded: LoadedMonth; mayPull: boolean; mayExport: boolean }): ReactElement {
  const { game, row } = loaded;
  const { snapshot } = row;
  const action = pullActionOf(row);
  const href = `/${game.slug}/months/${row.month}`;
  return (
    <PageHead
      title={formatMonth(row.month)}
      isTight={snapshot !== null}
      beside={
        <>
          <MonthNav loaded={loaded} />
          <Status tone={MONTH_STATE_TONES[row.state]} word={row.label} />
        </>
      }
      actions={
        snapshot !== null && (
          <>
            <ExportMenu href={href} snapshot={snapshot} mayExport={mayExport} />
            {mayPull && action !== null && (
              <PullButton
                game={game.slug}
                month={row.month}
                kind={action.label === 'Re-check now' ? 'plain' : 'main'}
                label={action.label}
                isFresh={action.isFresh}
              />
            )}
          </>
        )
      }
    >
      {formatWindow(loaded)}
      {snapshot !== null && (
        <>
          {' · '}
          <Link href={`${href}/reconciliation`} className={styles.quietLink}>
            snapshot {snapshot.snapshotId}
          </Link>
          {' · '}
          {formatFreshness(row, game.timeZone)}
        </>
      )}
    </PageHead>
  );
}

function MonthNav({ loaded: { game, previous, next } }: { loaded: LoadedMonth }): ReactElement {
  const href = `/${game.slug}/months`;
  return (
    <nav className={styles.nav} aria-label="Other months" data-print="no">
      <Link href={`${href}/${previous}`} className={styles.step} aria-label={formatMonth(previous)}>
        <ChevronLeft size={16} aria-hidden="true" />
      </Link>
      {next === null ? (
        <span className={styles.off} aria-hidden="true">
          <ChevronRight size={16} />
        </span>
      ) : (
        <Link href={`${href}/${next}`} className={styles.step} aria-label={formatMonth(next)}>
          <ChevronRight size={16} aria-hidden="true" />
        </Link>
      )}
    </nav>
  );
}

/** The days of the month in the game’s time zone: `1 Oct – 31 Oct 2026 UTC`. */
function formatWindow({ game, row }: LoadedMonth): string {
  const lastInstant = new Date(Date.parse(row.window.end) - 1).toISOString();
  const first = formatDay(row.window.start, game.timeZone).replace(/ \d{4}$/, '');
  return `${first} – ${formatDay(lastInstant, game.timeZone)} ${game.timeZone}`;
}

function formatFreshness({ snapshot, recheck, readAt }: LoadedMonth['row'], timeZone: string): string {
  if (snapshot === null) return '';
  if (snapshot.status === 'open') {
    const local = timeZone === 'UTC' ? '' : ` (${formatInstant(snapshot.coveredUntil, timeZone)} ${timeZone})`;
    return `covered until ${formatUtc(snapshot.coveredUntil)}${local}`;
  }
  if (recheck === null) return `pulled ${formatAge(snapshot.createdAt, readAt)}`;
  return `re-checked ${formatAge(recheck.checkedAt, readAt)}, ${recheck.isEqual ? 'no changes' : 'figures changed at Invo'}`;
}

const SHEET_LABELS: Record<SheetName, string> = { recipients: 'Recipients', renewals: 'Lines', reversals: 'Reversals' };

/** The files of a month: each sheet as CSV and for Excel, and its manifest, or why there is none. */
function ExportMenu({ href, snapshot, mayExport }: { href: string; snapshot: Snapshot; mayExport: boolean }): ReactElement {
  if (!mayExport) {
    return (
      <span className={styles.refused}>
        <span className={styles.reason}>Your role can’t export files.</span>
        <button type="button" disabled className={styles.disabled}>
          Export
        </button>
      </span>
    );
  }
  const isComplete = snapshot.status === 'complete';
  const addressOf = (file: string): string => `${href}/export/${file}${isComplete ? '' : '?incomplete=1'}`;
  const note = isComplete ? `Snapshot ${snapshot.snapshotId}` : 'Marked incomplete';
  const entries = SHEETS.flatMap((sheet): MenuEntry[] => [
    { label: `${SHEET_LABELS[sheet]}: CSV`, note, href: addressOf(sheet), isFile: true },
    // No download attribute: where the sheet has too many rows, the page shows the sentence that offers the CSV.
    { label: `${SHEET_LABELS[sheet]}: Excel`, note, href: addressOf(`${sheet}.xlsx`) },
    {
      label: `${SHEET_LABELS[sheet]}: manifest`,
      note: 'Rows, sums and SHA-256 digest of the CSV',
      href: addressOf(`${sheet}.manifest.json`),
      isFile: true,
    },
  ]);
  if (isComplete) return <Menu label="Export" entries={entries} />;
  return (
    <span className={styles.refused}>
      <span className={styles.reason}>
        {snapshot.status === 'open' ? 'No complete file until the month is over.' : 'This month doesn’t reconcile: no complete file.'}
      </span>
      <Menu label="Export incomplete" entries={entries} />
    </span>
  );
}

const TITLES: Record<Snapshot['status'], string> = {
  complete: 'Net attributed',
  open: 'Net attributed so far',
  inconsistent: 'Net attributed as stated by Invo',
};

/** The figures of a month as cards: the net, what it consists of, and the money flow. Only the first tab has them. */
export function MonthCards({ row, snapshot }: { row: MonthRow; snapshot: Snapshot }): ReactElement {
  const { totals } = snapshot;
  const before = formatMonth(addMonths(row.month, -1)).split(' ')[0];
  return (
    <div className={styles.cards}>
      <Card isAnswer title={TITLES[snapshot.status]}>
        <Money amount={totals.net_attributed_usd} size="answer" />
        <p className={styles.change}>
          {row.netBefore === null
            ? `The change from ${before} appears once both months reconcile`
            : `${formatChange(totals.net_attributed_usd, row.netBefore)} from ${before}`}
        </p>
        <dl className={styles.facts}>
          <Fact label="Gross">
            <Money amount={totals.gross_attributed_usd} size="fact" />
          </Fact>
          <Fact label="Reversed">
            <Money amount={negateMoney(totals.reversed_attributed_usd)} size="fact" />
          </Fact>
          <Fact label="Recipients">{formatCount(totals.recipient_count)}</Fact>
          <Fact label="Negative balance">
            {snapshot.negativeBalanceCount === 0 ? 'none' : <Money amount={snapshot.negative_balance_usd} size="fact" />}
          </Fact>
        </dl>
      </Card>
      <Card title="Money flow" aside={<span className={styles.unit}>USD. Card fees on refunds aren’t in this report.</span>}>
        <FlowChart label="Money flow in USD; the figures are below" steps={moneyFlow(totals)} />
      </Card>
    </div>
  );
}

type FlowFigures = Pick<
  Snapshot['totals'],
  | 'settled_gross_usd'
  | 'invo_fee_usd'
  | 'partner_revenue_settled_usd'
  | 'partner_revenue_reversed_usd'
  | 'partner_revenue_usd'
  | 'net_attributed_usd'
>;

/** The steps from what players paid to what remains for the partner. */
export function moneyFlow(totals: FlowFigures): FlowStep[] {
  const remaining = subtractMoney(totals.partner_revenue_usd, totals.net_attributed_usd);
  return [
    { label: 'Settled gross', amount: totals.settled_gross_usd, kind: 'whole' },
    { label: 'Invo fee', amount: negateMoney(totals.invo_fee_usd), kind: 'taken' },
    { label: 'Partner revenue settled', amount: totals.partner_revenue_settled_usd, kind: 'whole' },
    { label: 'Partner revenue reversed', amount: negateMoney(totals.partner_revenue_reversed_usd), kind: 'taken' },
    { label: 'Net attributed', amount: negateMoney(totals.net_attributed_usd), kind: 'taken' },
    { label: 'Kept before card fees', amount: remaining, kind: 'kept' },
  ];
}

/** The same figures on one line, for every other tab. */
export function MonthFigures({ snapshot }: { snapshot: Snapshot }): ReactElement {
  const { totals } = snapshot;
  return (
    <dl className={styles.line}>
      <Fact label="Gross">{formatUsd(totals.gross_attributed_usd)}</Fact>
      <Fact label="Reversed" isNegative={signOfMoney(totals.reversed_attributed_usd) > 0}>
        {formatUsd(negateMoney(totals.reversed_attributed_usd))}
      </Fact>
      <Fact label={TITLES[snapshot.status]} isNegative={signOfMoney(totals.net_attributed_usd) < 0}>
        {formatUsd(totals.net_attributed_usd)}
      </Fact>
      <Fact label="Recipients">{formatCount(totals.recipient_count)}</Fact>
      {snapshot.negativeBalanceCount > 0 && (
        <Fact label="Negative balance" isNegative>
          {formatUsd(snapshot.negative_balance_usd)}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ label, isNegative = false, children }: { label: string; isNegative?: boolean; children: ReactNode }): ReactElement {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={isNegative ? styles.negative : undefined}>{children}</dd>
    </div>
  );
}
