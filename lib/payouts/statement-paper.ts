import { formatDay, formatMonth, fromMicroseconds, parseInstant, toMicroseconds } from '../core/instant.ts';
import { compareMoney, formatMoney, formatUsd, normalizeMoney, signOfMoney, sumMoney } from '../core/money.ts';
import { monthOf } from '../core/month.ts';
import { maskName } from '../core/roles.ts';
import { formatOutcome } from './rules/run-words.ts';
import {
  type EarnedRenewal,
  type RunRef,
  type StatedAdjustment,
  type StatedReturn,
  type StatedReversal,
  type Statement,
  type StatementRow,
  type StatementSection,
  statementNo,
} from './rules/statement.ts';

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

/** Rows of a table that belong together, and their sums, a cell for each column. */
export type PaperGroup = Pick<PaperTable, 'rows' | 'foot'>;

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
    tables: [earnings(statement), ...CORRECTIONS.map((table) => corrections(statement, table))].filter(({ rows }) => rows.length > 0),
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

export const EARNINGS = 'Earnings';

function earnings(statement: Statement): PaperTable {
  const rows = listEarned(statement);
  return {
    title: EARNINGS,
    columns: [
      { label: 'Settled', kind: 'text', width: 15 },
      { label: 'Subscription', kind: 'text', width: 35 },
      { label: 'Billing period', kind: 'text', width: 31, isWideOnly: true },
      { label: 'Base', kind: 'money', width: 12, isWideOnly: true },
      { label: 'Share', kind: 'figure', width: 9, isWideOnly: true },
      { ...AMOUNT, label: 'Earned' },
    ],
    rows: rows.map(({ cells }) => cells),
    foot: sumEarned(rows),
  };
}

/** The rows of the earnings by subscription, the largest sum first: a screen can begin with the sums. */
export function groupEarnings(statement: Statement): PaperGroup[] {
  return [...Map.groupBy(listEarned(statement), ({ renewal }) => renewal.subscriptionId).values()]
    .map((rows) => ({ rows: rows.map(({ cells }) => cells), foot: sumEarned(rows, rows[0]?.cells[1]) }))
    .toSorted((one, other) => compareMoney(other.foot.at(-1) ?? '0', one.foot.at(-1) ?? '0'));
}

interface EarnedRow {
  renewal: EarnedRenewal;
  cells: string[];
}

function listEarned({ rows, game }: Statement): EarnedRow[] {
  return rows.flatMap(({ source, amount_usd }) => {
    if (source === null || !('renewal' in source)) return [];
    const { settledAt, itemName, subscriptionId, base_usd, percent } = source.renewal;
    const cells = [
      formatDay(settledAt, game.timeZone),
      `${itemName ?? 'Item not reported'} · ${shorten(subscriptionId)}`,
      formatBillingPeriod(source.renewal) ?? 'Not recorded',
      base_usd ?? '',
      percent === null ? '' : `${percent}%`,
      amount_usd,
    ];
    return [{ renewal: source.renewal, cells }];
  });
}

/** The sums of earned rows, whose last cell is what was earned; bases only where each row has one. */
function sumEarned(rows: readonly EarnedRow[], subscription = ''): string[] {
  const bases = rows.flatMap(({ renewal }) => renewal.base_usd ?? []);
  const base_usd = bases.length === rows.length ? sumMoney(bases) : '';
  return [formatNoun(rows.length, 'renewal'), subscription, '', base_usd, '', sumMoney(rows.flatMap(({ cells }) => cells.at(-1) ?? []))];
}

const CORRECTIONS = [
  { section: 'reversed', title: 'Reversals', noun: 'reversal', amount: { ...AMOUNT, label: 'Reversed' } },
  { section: 'already_deducted', title: 'Already deducted', noun: 'reversal', amount: { ...AMOUNT, label: 'Not deducted' } },
  { section: 'adjustment', title: 'Adjustments', noun: 'adjustment', amount: AMOUNT },
] as const;

/** The corrections of a section, each with its sentence. */
function corrections(statement: Statement, { section, title, noun, amount }: (typeof CORRECTIONS)[number]): PaperTable {
  const rows = statement.rows.filter((row) => row.section === section);
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

/** The sections of a statement as a person reads them. */
export const SECTION_TEXT: Readonly<Record<StatementSection, string>> = {
  opening: 'Opening balance',
  earned: 'Earned',
  reversed: 'Reversed',
  already_deducted: 'Already deducted',
  adjustment: 'Adjustments',
  returned: 'Returned',
  due: 'Due',
  payable: 'Payable',
  carried_forward: 'Carried forward',
};

/** The sentence of one row of a statement: what the amount is, and for each correction why. */
export function formatStatementRow(
  { run, line, game }: Pick<Statement, 'run' | 'line' | 'game'>,
  { section, source }: StatementRow,
): string {
  const monthAt = (instant: string): string => formatMonth(monthOf(instant, game.timeZone));
  const refOf = ({ runNo, windowStart }: RunRef): string => `run ${runNo} (${monthAt(windowStart)})`;
  if (source !== null) {
    if ('renewal' in source) return formatRenewal(source.renewal);
    if ('returned' in source) return formatReturn(source.returned, refOf);
    if ('adjustment' in source) return formatAdjustment(source.adjustment, refOf);
    return section === 'reversed'
      ? formatReversal(source.reversal, { run, timeZone: game.timeZone, refOf })
      : formatPinned(source.reversal, refOf);
  }
  if (section === 'opening') return run.previous === null ? 'No earlier run' : `Carried forward from ${monthAt(run.previous.windowStart)}`;
  if (section === 'payable') return formatOutcome(line);
  return section === 'carried_forward' ? `Opens the ${monthAt(run.window.end)} statement` : '';
}

function formatRenewal({ itemName, periodStart, periodEnd, percent, base_usd }: EarnedRenewal): string {
  const period = formatBillingPeriod({ periodStart, periodEnd });
  const share = percent === null || base_usd === null ? null : `${percent}% of ${plain(base_usd)}`;
  return [itemName ?? 'Item not reported', period, share].filter((part) => part !== null).join(', ');
}

/** The period a renewal pays for, without a zone: Invo's days; null: not recorded. */
function formatBillingPeriod({ periodStart, periodEnd }: Pick<EarnedRenewal, 'periodStart' | 'periodEnd'>): string | null {
  const [start, end] = [parseInstant(periodStart), parseInstant(periodEnd)];
  return start === null || end === null ? null : `${formatDay(start)} to ${formatDay(end)}`;
}

interface ReversalText {
  run: Statement['run'];
  timeZone: string;
  refOf: (ref: RunRef) => string;
}

function formatReversal(reversal: StatedReversal, { run, timeZone, refOf }: ReversalText): string {
  const { refundedAt, isFullRefund, settledAt, earnedIn, taken_usd } = reversal;
  const day = (instant: string): string => formatDay(instant, timeZone);
  const last = refundedAt.at(-1);
  const refund = isFullRefund ? 'Full refund' : 'Refund';
  const refunds =
    last === undefined
      ? `Refund in ${formatMonth(monthOf(run.window.start, timeZone))}`
      : refundedAt.length === 1
        ? `${refund} on ${day(last)}`
        : `${refundedAt.length} refunds, the last on ${day(last)},`;
  const deducted = signOfMoney(taken_usd) === 0 ? 'not deducted again' : `deducted in run ${run.runNo}`;
  const share = earnedIn === null || earnedIn.runNo === run.runNo ? '' : ` Your share of it was earned in ${refOf(earnedIn)}.`;
  return `${refunds} of a payment settled on ${day(settledAt)}, ${deducted}.${share}`;
}

/** Why part of what Invo reports isn't deducted: an earlier month did, or it is more than the share. */
function formatPinned(
  { reported_usd, pinned_usd, takenBefore_usd, attributed_usd, deductedIn, isCoarse }: StatedReversal,
  refOf: ReversalText['refOf'],
): string {
  const before = deductedIn.length === 0 ? 'before the first run' : `in ${deductedIn.map(refOf).join(' and ')}`;
  if (isCoarse && compareMoney(pinned_usd, takenBefore_usd) <= 0)
    return `Invo reported ${plain(reported_usd)}; ${plain(pinned_usd)} of it was deducted ${before} and is not deducted again.`;
  const taken = signOfMoney(takenBefore_usd) === 0 ? '' : `, and ${plain(takenBefore_usd)} was deducted ${before}`;
  return `Invo reported ${plain(reported_usd)}; the share was ${plain(attributed_usd)}${taken}, so ${plain(pinned_usd)} is not deducted.`;
}

function formatReturn({ hasFailed, occurredOn, ...run }: StatedReturn, refOf: ReversalText['refOf']): string {
  const day = occurredOn === null ? '' : ` on ${formatDay(`${occurredOn}T00:00:00Z`)}`;
  return `Payment of ${refOf(run)} ${hasFailed ? 'failed' : 'came back'}${day}`;
}

function formatAdjustment({ reason, corrects }: StatedAdjustment, refOf: ReversalText['refOf']): string {
  return corrects === null ? reason : `${reason} (corrects ${refOf(corrects)})`;
}

function plain(amount: string): string {
  return formatMoney(normalizeMoney(amount));
}
