import type { SheetColumn } from '#lib/core/csv.ts';

/** The states of a job that reads balances. */
export const BALANCE_JOB_STATES = ['queued', 'running', 'done', 'stopped', 'failed'] as const;
export type BalanceJobState = (typeof BALANCE_JOB_STATES)[number];

/** Whose balances a job reads: those of a list, or of every player. */
export const BALANCE_SCOPES = ['some', 'all'] as const;
export type BalanceScope = (typeof BALANCE_SCOPES)[number];

/** What becomes of an address. `asked`: waits to be requested; `unanswered`: requested, without a readable answer. */
export const BALANCE_OUTCOMES = ['asked', 'found', 'unknown', 'unanswered'] as const;
export type BalanceOutcome = (typeof BALANCE_OUTCOMES)[number];

/** Whether a job is queued or running. */
export function isActive(state: BalanceJobState): boolean {
  return state === 'queued' || state === 'running';
}

/** After so many days what was read is deleted; the figures of a job stay. */
export const FILE_RETENTION_DAYS = 30;

/** What a job has come to so far. */
export interface BalanceCounts {
  scope: BalanceScope;
  /** Null for all players. */
  addressCount: number | null;
  foundCount: number;
  unknownCount: number;
  unansweredCount: number;
  strangerCount: number;
  repeatedCount: number;
}

/**
 * How a job that read to its end comes out: `reasons` begin with what prevents it from being complete. `cut`: why reading ended early; null: it
 * didn't. `heldBack`: addresses that were never requested.
 */
export function judgeBalances(counts: BalanceCounts, cut: string | null, heldBack: number): { isComplete: boolean; reasons: string[] } {
  const isSome = counts.scope === 'some';
  const missing = [
    ...(cut === null ? [] : [cut]),
    ...(counts.unansweredCount === 0 ? [] : [formatUnanswered(counts.unansweredCount, isSome)]),
    ...(heldBack === 0 ? [] : [`${heldBack} ${heldBack === 1 ? 'email was' : 'emails were'} not requested.`]),
  ];
  const accounted = counts.foundCount + counts.unknownCount + counts.unansweredCount + heldBack;
  if (isSome && accounted !== counts.addressCount) throw new Error(`${accounted} of ${counts.addressCount} addresses have an outcome`);
  const notes = [
    ...(counts.strangerCount === 0 ? [] : [`Players Invo returned who weren’t requested, and are excluded: ${counts.strangerCount}.`]),
    ...(counts.repeatedCount === 0 ? [] : [`Duplicates, of which the latest figure is used: ${counts.repeatedCount}.`]),
  ];
  return { isComplete: missing.length === 0, reasons: [...missing, ...notes] };
}

function formatUnanswered(count: number, isSome: boolean): string {
  if (count === 1) return `1 ${isSome ? 'email' : 'record'} has no readable answer. Its balance is unknown, not 0.`;
  return `${count} ${isSome ? 'emails' : 'records'} have no readable answer. Their balances are unknown, not 0.`;
}

/** How many were requested without a readable answer; null: unknown, because a stream of all players that broke off doesn't say who is missing. */
export function countUnanswered({
  scope,
  state,
  unansweredCount,
}: Pick<BalanceCounts, 'scope' | 'unansweredCount'> & { state: BalanceJobState }): number | null {
  return scope === 'all' && state !== 'done' ? null : unansweredCount;
}

/** The columns of the sheet `balances` in the order of the file. */
export const BALANCE_COLUMNS: SheetColumn[] = [
  { key: 'game', label: 'Game', kind: 'text' },
  { key: 'environment', label: 'Environment', kind: 'text' },
  { key: 'asked_line', label: 'Line', kind: 'count' },
  { key: 'player_email', label: 'Email', kind: 'text' },
  { key: 'found', label: 'Found', kind: 'boolean' },
  { key: 'reason', label: 'Reason', kind: 'text' },
  { key: 'player_id', label: 'Player', kind: 'text' },
  { key: 'player_name', label: 'Name', kind: 'text' },
  { key: 'identity_id', label: 'Identity', kind: 'text' },
  { key: 'currency_id', label: 'Currency ID', kind: 'text' },
  { key: 'currency_name', label: 'Currency', kind: 'text' },
  { key: 'available_balance', label: 'Available', kind: 'coins' },
  { key: 'reserved_balance', label: 'Reserved', kind: 'coins' },
  { key: 'total_balance', label: 'Total', kind: 'coins' },
  { key: 'last_updated', label: 'Last updated', kind: 'instant' },
  { key: 'read_at', label: 'Read', kind: 'instant' },
];

/** One currency of a wallet: coins as reported, below zero too, as text; null: not reported. */
export interface WalletBalance {
  currencyId: string | null;
  currencyName: string | null;
  available: string;
  reserved: string | null;
  total: string | null;
}

/**
 * Adds balances that came later to those of the same player: another currency is one more balance, the same one again replaces the earlier figure.
 * `replacedCount`: how many were replaced.
 */
export function joinBalances(
  earlier: readonly WalletBalance[],
  later: readonly WalletBalance[],
): { balances: WalletBalance[]; replacedCount: number } {
  const balances = new Map(earlier.map((balance) => [currencyOf(balance), balance]));
  const replacedCount = later.filter((balance) => balances.has(currencyOf(balance))).length;
  for (const balance of later) balances.set(currencyOf(balance), balance);
  return { balances: [...balances.values()], replacedCount };
}

function currencyOf({ currencyId, currencyName }: WalletBalance): string {
  return JSON.stringify([currencyId, currencyName]);
}
