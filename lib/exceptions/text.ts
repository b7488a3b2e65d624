import { textOfAct } from '#lib/audit/rules/acts.ts';
import { formatMonth } from '#lib/core/instant.ts';
import { EXPORT_ACT, type ExceptionKind, FAILED_IN_A_ROW, FAILED_SIGN_INS } from './rules/exceptions.ts';

/** What each kind of exceptional act is about. */
export const EXCEPTION_KIND_TEXT: Readonly<Record<ExceptionKind, string>> = {
  runs: 'Payout runs',
  payments: 'Payments',
  refunds: 'Refunds and webhooks',
  actions: 'Desk actions',
  pauses: 'Pauses',
  keys: 'Keys',
  evidence: 'Evidence',
  people: 'People',
  refusals: 'Refusals',
  notes: 'Notes on checks',
};

/** An exceptional act as the list shows it. */
export function formatException(act: string): string {
  if (FAILED_SIGN_INS.some((failed) => failed === act))
    return `${textOfAct(act)[0]}, at least ${FAILED_IN_A_ROW.count} times in ${FAILED_IN_A_ROW.minutes} minutes`;
  return act === EXPORT_ACT ? 'Exported an incomplete file' : textOfAct(act)[0];
}

/** A period to choose: a month, a year, or all time. */
export function formatPeriod(text: string): string {
  if (text === '') return 'All time';
  return text.length === 4 ? text : formatMonth(text);
}

/** How many violations `verify` found. */
export function formatVerified(count: number): string {
  return count === 0 ? 'No violations' : `${count.toLocaleString('en-US')} ${count === 1 ? 'violation' : 'violations'}`;
}
