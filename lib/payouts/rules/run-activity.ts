import { formatUsd, parseMoney } from '#lib/core/money.ts';

/** An entry of the audit about a run. */
export interface RunActivity {
  act: string;
  detail: Record<string, unknown>;
}

/** The title of an item of the close, by its key. */
type TitleOf = (key: string) => string;

/** What was done to a run, to follow the name of who did it. Reasons and notes are left out: not everyone who sees the run may read them. */
const ACTIVITIES: Readonly<Record<string, (detail: Record<string, unknown>, titleOf: TitleOf) => string>> = {
  'started payout run': () => 'started the run',
  'recalculated payout run': ({ payable_usd }) => `recalculated the run${amountOf(', payable ', payable_usd)}`,
  'noted a check of payout run': ({ check }, titleOf) => `wrote a note${about(check, titleOf)}`,
  'recorded a finding for payout run': ({ reason }, titleOf) => `recorded a finding${about(reason, titleOf)}`,
  'submitted payout run': ({ payable_usd }) => `submitted${amountOf(' ', payable_usd)} for approval`,
  'returned payout run to draft': () => 'returned the run to draft',
  'rejected payout run': () => 'sent the run back',
  'approved payout run': ({ payable_usd }) => `approved${amountOf(' ', payable_usd)}`,
  'posted journal of payout run': ({ journal_no }) =>
    typeof journal_no === 'string' ? `posted journal ${journal_no}` : 'posted a journal',
  'requested to void payout run': () => 'requested to void the run',
  'discarded the request to void payout run': () => 'kept the run',
  'voided payout run': () => 'voided the run',
};

/** What was done to a run, as its page lists it after the name of who did it. An act that isn't known is shown as it was recorded. */
export function formatRunActivity({ act, detail }: RunActivity, titleOf: TitleOf): string {
  const known = Object.hasOwn(ACTIVITIES, act) ? ACTIVITIES[act] : undefined;
  return known?.(detail, titleOf) ?? act;
}

function about(key: unknown, titleOf: TitleOf): string {
  return typeof key === 'string' ? `: ${titleOf(key)}` : '';
}

function amountOf(before: string, amount: unknown): string {
  const known = parseMoney(amount);
  return known === null ? '' : `${before}${formatUsd(known)}`;
}

/** Who started a run, and when. */
export function formatStarted(name: string, instant: string): string {
  return `Started by ${name} on ${instant}.`;
}
