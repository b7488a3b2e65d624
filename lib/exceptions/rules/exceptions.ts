import { z } from 'zod';
import { type Month, monthWindow, parseMonth } from '#lib/core/month.ts';
import type { Window } from '#lib/core/window.ts';
import { REFUND_ACTIONS, textsOfAction } from '#lib/refunds/rules/audit-actions.ts';

/** What exceptional acts are about. Notes that let a run pass come last: most closes have some, and they would bury the others. */
export const EXCEPTION_KINDS = [
  'runs',
  'payments',
  'refunds',
  'actions',
  'pauses',
  'keys',
  'evidence',
  'people',
  'refusals',
  'notes',
] as const;
export type ExceptionKind = (typeof EXCEPTION_KINDS)[number];

const ofRefunds = (...actions: string[]): string[] => actions.flatMap(textsOfAction);

/**
 * The acts outside the normal path, as the audit has them: the only list of them. Earlier versions of a text count too. An act that is new in the
 * product belongs here when a person overrode, undid, paused, corrected by hand or opened something that is usually closed.
 */
export const EXCEPTIONAL_ACTS: Readonly<Record<ExceptionKind, readonly string[]>> = {
  runs: [
    'requested to void payout run',
    'discarded the request to void payout run',
    'voided payout run',
    'rejected payout run',
    'returned payout run to draft',
    'excluded from a run',
    'placed a hold',
    'released a hold',
    'set the minimum payout',
    'proposed an adjustment',
    'confirmed a proposal',
    'withdrew a proposal',
  ],
  payments: [
    'proposed payments as paid elsewhere',
    'confirmed payments as paid elsewhere',
    'withdrew payments as paid elsewhere',
    'requested to cancel a payment file',
    'discarded the request to cancel a payment file',
    'cancelled a payment file',
    'accepted a row of a bank report',
    'set aside a row of a bank report',
    'set aside rows of a bank report',
    'proposed to re-issue a payment',
    'confirmed the re-issue of a payment',
    'withdrew the re-issue of a payment',
    'viewed payment details',
    'viewed a sender account',
  ],
  refunds: [
    ...ofRefunds(
      REFUND_ACTIONS.rejected,
      REFUND_ACTIONS.stoppedSending,
      REFUND_ACTIONS.periodChangedLater,
      REFUND_ACTIONS.otherReceipt,
      REFUND_ACTIONS.needsAttention,
      REFUND_ACTIONS.recordedOutcome,
      REFUND_ACTIONS.confirmedOutcome,
      REFUND_ACTIONS.discardedOutcome,
      REFUND_ACTIONS.contentAltered,
      REFUND_ACTIONS.requestedRaise,
      REFUND_ACTIONS.approvedRaise,
      REFUND_ACTIONS.declinedRaise,
      REFUND_ACTIONS.changedLimit,
    ),
    'recorded the outcome of a cancellation',
    'recorded the outcome of a price change',
    'recorded the outcome of a card change',
    'settled a conflict',
    'marked a delivery of another game as known',
    'marked a failing delivery as known',
  ],
  actions: [
    'rejected a desk action',
    'asked for a manual check of a desk action',
    'recorded the outcome of a desk action',
    'confirmed the outcome of a desk action',
    'discarded the outcome of a desk action',
  ],
  pauses: [
    ...ofRefunds(REFUND_ACTIONS.paused, REFUND_ACTIONS.requestedResume, REFUND_ACTIONS.resumed, REFUND_ACTIONS.checkedAfterRestore),
    'paused payouts',
    'asked to resume payouts',
    'resumed payouts',
    'asked to turn on desk actions',
    'turned on desk actions',
    'declined to turn on desk actions',
    'turned off desk actions',
    'paused desk actions',
    'asked to resume desk actions',
    'resumed desk actions',
    'acted as a player',
    'asked to add a house account',
    'added a house account',
    'removed a house account',
    'paused scheduled pulls',
    'resumed scheduled pulls',
  ],
  keys: ['sealed payment details under another key', 'sealed payment files under another key'],
  evidence: ['erased a recipient'],
  people: [
    'added a person, whose roles wait for approval',
    'changed roles',
    'asked to change roles',
    'approved roles',
    'declined roles',
    'disabled a person',
    'enabled a person',
    'made a password link',
    'made a set-up link',
    'reset two-factor authentication',
    'turned off two-factor authentication',
    'used a backup code',
    'changed which roles need two-factor authentication',
    'confirmed an account',
  ],
  refusals: [],
  notes: ['noted a check of payout run', 'recorded a finding for payout run', 'noted a renewal without attribution'],
};

/** An export counts when its file has only a part of what it is named after: its name ends with this and the format. */
export const EXPORT_ACT = 'took a file';
export const INCOMPLETE_FILE = '.incomplete.';

/** How the audit begins the act of a person who was refused for who they are or for what they were shown. */
export const REFUSED_ACT = 'was refused ';

/** The acts of a person who didn't prove who they are; the third of an account within 15 minutes is exceptional. */
export const FAILED_SIGN_INS = ['failed to sign in', 'gave a wrong password', 'gave a wrong code'] as const;
export const FAILED_IN_A_ROW = { count: 3, minutes: 15 } as const;

/** The time that a list of exceptions covers: a month, a year, or all of it. */
export interface ExceptionPeriod {
  /** `2026-10`, `2026`, or empty: all. */
  text: string;
  /** null: all. */
  window: Window | null;
}

const YEAR = /^(20\d\d)$/;
const asText = z.string().max(10).catch('');

/** Parses the period of an address, in the reporting time zone of the game; what makes no sense covers all time. */
export function parsePeriod(given: unknown, timeZone: string): ExceptionPeriod {
  const text = asText.parse(given);
  const month = parseMonth(text);
  if (month !== null) return { text, window: monthWindow(month, timeZone) };
  if (!YEAR.test(text)) return { text: '', window: null };
  return { text, window: { start: monthWindow(`${text}-01`, timeZone).start, end: monthWindow(`${text}-12`, timeZone).end } };
}

/** The periods to choose from: the years that the last months lie in, and those months, newest first. */
export function listPeriods(months: readonly Month[]): { years: string[]; months: Month[] } {
  const newest = months.toSorted().toReversed();
  return { years: [...new Set(newest.map((month) => month.slice(0, 4)))], months: newest };
}
