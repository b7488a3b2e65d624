import { formatDay, formatMonth } from '../core/date-text.ts';
import { fromMicroseconds, toMicroseconds } from '../core/instant.ts';
import { formatMoney, formatUsd, normalizeMoney, signOfMoney, sumMoney } from '../core/money.ts';
import { monthOf } from '../core/month.ts';
import { maskName } from '../core/roles.ts';
import { formatOutcome } from './rules/run-words.ts';
import { type Statement, type StatementRow, type StatementSection, statementNo } from './rules/statement.ts';
import { formatBillingPeriod, formatStatementRow, SECTION_TEXT } from './statement-text.ts';

/** A row of the balance: what, why, how much. */
export interface BalanceRow {
  label: string;
  note: string;
  amount_usd: string;
  /** Adds up what is above it. */
  isTotal: boolean;
}

export interface PaperColumn {
  label: string;
  /** A figure is aligned to the right, `money` at its decimal point. */
  kind: 'text' | 'figure' | 'money';
  /** Share of the width. */
  width: number;
  /** Left out on a phone. */
  isWideOnly?: true;
}

/** A table of a statement; cells are in the order of the columns, money as exact text. */
export interface PaperTable {
  title: string;
  columns: PaperColumn[];
  rows: string[][];
  foot: string[];
}

/** A statement as it is printed, whatever draws it: the page, the PDF. */
export interface StatementPaper {
  issuer: string;
  title: string;
  month: string;
  /** The first line of every page: no real money moved; null: it did. */
  banner: string | null;
  /** The recipient's name; null: not reported. */
  name: string | null;
  player: string;
  /** null: not reported, or not for this reader. */
  email: string | null;
  period: string;
  timeZone: string;
  number: string;
  issued: string;
  payable: string;
  why: string;
  balance: BalanceRow[];
  tables: PaperTable[];
  notice: string;
  /** What ties the paper to its run: its number and the beginning of its digest. */
  run: string;
}

/** Lays a statement out for a reader. Without `canSeeEmails` no email is on it. Amounts of 0.00 have no row in its balance. */
export function layOutStatement(statement: Statement, { canSeeEmails }: { canSeeEmails: boolean }): StatementPaper {
  const { game, run, line } = statement;
  const month = formatMonth(monthOf(run.window.start, game.timeZone));
  const lastInstant = fromMicroseconds(toMicroseconds(run.window.end) - 1n);
  return {
    issuer: game.name,
    title: 'Revenue share statement',
    month,
    banner: bannerOf(statement),
    name: maskName(line.name, canSeeEmails),
    player: `Player ${line.recipientId}`,
    email: canSeeEmails ? line.email : null,
    period: `${formatDay(run.window.start, game.timeZone)} to ${formatDay(lastInstant, game.timeZone)}`,
    timeZone: game.timeZone,
    number: statementNo(statement),
    issued: formatDay(run.approvedAt, game.timeZone),
    payable: formatUsd(line.payable_usd),
    why: formatOutcome(line),
    balance: balanceOf(statement),
    tables: [earnings(statement), reversals(statement), deductions(statement), adjustments(statement)].filter(
      ({ rows }) => rows.length > 0,
    ),
    notice: `All amounts in USD. Base is the renewal price after Invo’s fee. Not a remittance advice. Issued by ${game.name}, not by Invo. Invo settles to the partner only and hasn’t paid any recipient.`,
    run: `Run ${run.runNo} · ${run.contentDigest.slice(0, 8)}`,
  };
}

function bannerOf({ game }: Statement): string | null {
  if (game.isSimulated) return 'SIMULATED DATA. No real money moved.';
  return game.environment === 'sandbox' ? 'SANDBOX. No real money moved.' : null;
}

const TOTALS: readonly StatementSection[] = ['due', 'carried_forward'];
const ALWAYS: readonly StatementSection[] = ['due', 'payable', 'carried_forward'];

function balanceOf(statement: Statement): BalanceRow[] {
  const sections = Map.groupBy(statement.rows, ({ section }) => section);
  return [...sections].flatMap(([section, rows]) => {
    const amount_usd = normalizeMoney(sumMoney(rows.map((row) => row.amount_usd)));
    if (signOfMoney(amount_usd) === 0 && !ALWAYS.includes(section)) return [];
    return [{ label: SECTION_TEXT[section], note: noteOf(statement, section, rows), amount_usd, isTotal: TOTALS.includes(section) }];
  });
}

function noteOf(statement: Statement, section: StatementSection, rows: StatementRow[]): string {
  const count = (noun: string): string => formatNoun(rows.length, noun);
  if (section === 'earned')
    return `${count('renewal')} settled in ${formatMonth(monthOf(statement.run.window.start, statement.game.timeZone))}`;
  if (section === 'reversed') return `Refunds of ${count('payment')}`;
  if (section === 'already_deducted') return 'Reported again, not deducted again';
  if (section === 'adjustment') return count('adjustment');
  // Why is stated above the balance.
  const [row] = rows;
  return row === undefined || section === 'payable' ? '' : formatStatementRow(statement, row);
}

const AMOUNT: PaperColumn = { label: 'Amount', kind: 'money', width: 14 };

function earnings(statement: Statement): PaperTable {
  const rows = statement.rows.flatMap(({ source, amount_usd }) =>
    source !== null && 'renewal' in source ? [{ ...source.renewal, amount_usd }] : [],
  );
  const bases = rows.flatMap(({ base_usd }) => base_usd ?? []);
  return {
    title: 'Earnings',
    columns: [
      { label: 'Settled', kind: 'text', width: 15 },
      { label: 'Subscription', kind: 'text', width: 35 },
      { label: 'Billing period', kind: 'text', width: 31, isWideOnly: true },
      { label: 'Base', kind: 'money', width: 12, isWideOnly: true },
      { label: 'Share', kind: 'figure', width: 9, isWideOnly: true },
      { ...AMOUNT, label: 'Earned' },
    ],
    rows: rows.map(({ settledAt, itemName, subscriptionId, periodStart, periodEnd, base_usd, percent, amount_usd }) => [
      formatDay(settledAt, statement.game.timeZone),
      `${itemName ?? 'Item not reported'} · ${shorten(subscriptionId)}`,
      formatBillingPeriod({ periodStart, periodEnd }) ?? 'Not recorded',
      base_usd ?? '',
      percent === null ? '' : `${percent}%`,
      amount_usd,
    ]),
    foot: [
      formatNoun(rows.length, 'renewal'),
      '',
      '',
      bases.length === rows.length ? sumMoney(bases) : '',
      '',
      sumMoney(rows.map(({ amount_usd }) => amount_usd)),
    ],
  };
}

function reversals(statement: Statement): PaperTable {
  return corrections(statement, 'reversed', { ...AMOUNT, label: 'Reversed' });
}

function deductions(statement: Statement): PaperTable {
  return corrections(statement, 'already_deducted', { ...AMOUNT, label: 'Not deducted' });
}

function adjustments(statement: Statement): PaperTable {
  return corrections(statement, 'adjustment', AMOUNT);
}

const CORRECTIONS = {
  reversed: { title: 'Reversals', noun: 'reversal' },
  already_deducted: { title: 'Already deducted', noun: 'reversal' },
  adjustment: { title: 'Adjustments', noun: 'adjustment' },
} as const;

/** The corrections of a section, each with its sentence. */
function corrections(statement: Statement, section: keyof typeof CORRECTIONS, amount: PaperColumn): PaperTable {
  const rows = statement.rows.filter((row) => row.section === section);
  const { title, noun } = CORRECTIONS[section];
  return {
    title,
    columns: [{ label: 'Reason', kind: 'text', width: 86 }, amount],
    rows: rows.map((row) => [formatStatementRow(statement, row), row.amount_usd]),
    foot: [formatNoun(rows.length, noun), sumMoney(rows.map(({ amount_usd }) => amount_usd))],
  };
}

/** A long id by its ends: the page and the CSV have it whole. */
function shorten(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`;
}

function formatNoun(count: number, noun: string): string {
  return `${formatMoney(String(count)).replace('.00', '')} ${noun}${count === 1 ? '' : 's'}`;
}
