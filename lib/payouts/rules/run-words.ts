import { compareMoney, floorCents, formatUsd, normalizeMoney, parseMoney, signOfMoney, subtractMoney } from '#lib/core/money.ts';
import { capitalise } from '#lib/core/strings.ts';
import type { RunLine } from './decide-line.ts';

/** What the sentence of an outcome is made from. Amounts in USD. */
export interface OutcomeFacts
  extends Pick<RunLine, 'recipientId' | 'outcome' | 'due_usd' | 'held_usd' | 'minimum_usd' | 'payable_usd' | 'closing_usd'> {
  /** What all accounts of the person come to; left out: not read. */
  together_usd?: string;
}

/** Why a line pays what it pays, for a person of the studio and for the recipient alike. Why something is on hold is not for the recipient. */
export function formatOutcome(line: OutcomeFacts): string {
  const { recipientId, outcome, due_usd, held_usd, closing_usd } = line;
  const carried = `${usd(closing_usd)} is carried forward`;
  switch (outcome) {
    case 'payable':
      if (signOfMoney(held_usd) > 0) return `${usd(held_usd)} is on hold. ${carried}.`;
      return signOfMoney(closing_usd) === 0
        ? 'Everything due is payable.'
        : `A fraction of a cent, ${usd(closing_usd)}, is carried forward.`;
    case 'negative_balance':
      return `The balance is ${usd(due_usd)}: deductions exceed earnings. It is deducted from future earnings.`;
    case 'nothing_due':
      return 'Earnings and deductions cancel out. Nothing is due.';
    case 'unresolved':
      return `Invo can’t identify player ${recipientId}. ${carried} until it can.`;
    case 'excluded':
      return `Left out of this run. ${carried}.`;
    case 'on_hold':
      return `On hold. ${carried} until the hold ends.`;
    case 'no_details':
      return `No payment details are in force. ${carried} until there are.`;
    case 'below_minimum':
      return formatBelowMinimum(line);
  }
}

function formatBelowMinimum({ due_usd, held_usd, minimum_usd, together_usd, closing_usd }: OutcomeFacts): string {
  const free = subtractMoney(due_usd, held_usd);
  const cents = floorCents(free);
  const carried = `${usd(closing_usd)} is carried forward and added to the next month.`;
  if (signOfMoney(cents) === 0) return `${usd(free)} is less than a cent. ${carried}`;
  if (together_usd !== undefined && compareMoney(together_usd, cents) > 0)
    return `All accounts of this person together come to ${usd(together_usd)}, below the minimum of ${usd(minimum_usd)}. ${carried}`;
  const held = signOfMoney(held_usd) > 0 ? `${usd(held_usd)} is on hold. ` : '';
  return `${held}${usd(free)} is below the minimum of ${usd(minimum_usd)}. ${carried}`;
}

/** A sum without zeros beyond the cents. */
function usd(amount: string): string {
  return formatUsd(normalizeMoney(amount));
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
  'closed payout run': () => 'closed the run',
  'entered the EUR rate of payout run': ({ usd_per_eur }) =>
    typeof usd_per_eur === 'string' ? `entered the EUR rate ${usd_per_eur}` : 'entered the EUR rate',
};

/** What was done to a run, as its page lists it after the name of who did it. An act that isn't known is shown as it was recorded. */
export function formatRunActivity({ act, detail }: { act: string; detail: Record<string, unknown> }, titleOf: TitleOf): string {
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

const UP_TO_TEN = 'zero one two three four five six seven eight nine ten';
const UP_TO_NINETEEN = `${UP_TO_TEN} eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen`.split(' ');
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const GROUPS = ['', ' thousand', ' million', ' billion', ' trillion'];

/** Whole cents, in at most five groups of three digits: up to 999 trillion. Zeros beyond the cents are no fraction. */
const PAYABLE = /^(?:0*)(\d{1,15})(?:\.(\d{1,2})0*)?$/;

/**
 * A payable sum in English words, beginning with a capital, so that an approver reads a misplaced digit; null for what no run pays: an amount below
 * zero, a fraction of a cent, a quadrillion or more.
 */
export function formatAmountInWords(amount_usd: string): string | null {
  const found = PAYABLE.exec(amount_usd);
  if (found === null) return null;
  const [dollars, cents] = [Number(found[1]), Number((found[2] ?? '').padEnd(2, '0'))];
  return capitalise(`${countInWords(dollars, 'dollar')} and ${countInWords(cents, 'cent')}`);
}

function countInWords(count: number, noun: string): string {
  return `${inWords(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A whole number below a quadrillion, which a double holds exactly. */
function inWords(count: number): string {
  if (count === 0) return 'zero';
  const words: string[] = [];
  for (let [rest, group] = [count, 0]; rest > 0; rest = Math.floor(rest / 1000), group++)
    if (rest % 1000 > 0) words.unshift(`${hundredsInWords(rest % 1000)}${GROUPS[group]}`);
  return words.join(' ');
}

function hundredsInWords(count: number): string {
  const [hundreds, rest] = [Math.floor(count / 100), count % 100];
  const words = hundreds === 0 ? [] : [`${UP_TO_NINETEEN[hundreds]} hundred`];
  if (rest > 0) words.push(rest < 20 ? `${UP_TO_NINETEEN[rest]}` : tensInWords(rest));
  return words.join(' ');
}

function tensInWords(count: number): string {
  const tens = `${TENS[Math.floor(count / 10)]}`;
  return count % 10 === 0 ? tens : `${tens}-${UP_TO_NINETEEN[count % 10]}`;
}

/** What is wrong with an entry of the EUR rate, by field and problem. */
export const RATE_ERRORS: Readonly<Record<string, string>> = {
  'rate.not_a_rate': 'Enter USD per EUR, between 0.2 and 5 with one to six decimals, such as 1.0835.',
  'source.missing': 'Enter where the rate is from, and its day.',
  'source.too_long': 'Use at most 200 characters.',
};

/** Why a person who worked on a run can't approve it. */
export const EDITOR_TEXT: Readonly<Record<string, string>> = {
  drafted: 'started it',
  composed: 'recalculated it',
  excluded: 'excluded a recipient',
  released: 'released a hold',
  noted: 'wrote a note',
  found: 'recorded a finding',
  set_minimum: 'changed a minimum',
  set_rate: 'entered the EUR rate',
  submitted: 'submitted it',
};
