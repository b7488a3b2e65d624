import { formatMoney, formatUsd } from '../core/money.ts';
import { capitalise } from '../core/strings.ts';
import { WHY_LENGTH_MAX } from '../core/typed-input.ts';
import {
  type AccountRefusal,
  type ApproverRefusal,
  LIMIT_NAMES,
  LIMITED,
  LIMITED_KEYS,
  type Limited,
  type LimitName,
  type Pausable,
  type PauseRefusal,
  type Resumed,
  type ResumeRefusal,
} from './rules/approval.ts';

/** Why a text that people read who may not see whole accounts isn't stored. */
export const ACCOUNT_IN_TEXT = 'Remove the account: everyone who sees this text could read it.';

/** Why a person's account doesn't count as one of two people, and what to do. */
export const ACCOUNT_TEXT: Record<AccountRefusal, string> = {
  unconfirmed:
    'Your account isn’t confirmed, so it doesn’t count where two people are needed. Ask a confirmed admin or someone with the role finance to confirm you in Settings.',
  too_new: 'Your role, password link or two-factor reset is less than 24 hours old. Until then, someone else must do this.',
};

/** Why someone who has the right can’t decide on what another person prepared. */
export const APPROVER_TEXT: Record<ApproverRefusal, string> = {
  ...ACCOUNT_TEXT,
  preparer_disabled: 'The account of the person who prepared this is disabled. Someone else must prepare it again.',
  preparer_unconfirmed:
    'The account of the person who prepared this isn’t confirmed. Confirm them in Settings first, or prepare this again.',
  preparer_too_new:
    'The role, password link or two-factor reset of the person who prepared this is less than 24 hours old. Decide after that, or have someone else prepare it.',
};

/** Why someone can't resume what is paused. */
export function resumeRefusals(what: Pausable): Record<ResumeRefusal | AccountRefusal, string> {
  return {
    not_allowed: 'Your role can’t do this. No changes were made.',
    ...ACCOUNT_TEXT,
    not_paused: `${capitalise(what)} aren’t paused. Someone else has resumed them.`,
    not_as_shown: 'The pause or the request to resume has changed since you opened the page. No changes were made. Reload the page.',
    same_person: `You already asked to resume ${what}. A second person must confirm.`,
  };
}

/** Why nothing is paused. */
export function pauseRefusals(what: Pausable): Record<PauseRefusal, string> {
  return {
    not_allowed: 'Your role can’t do this. No changes were made.',
    why_missing: `Enter a reason, so that others know what to check before they resume ${what}.`,
    why_too_long: `Use ${WHY_LENGTH_MAX} characters or fewer. No changes were made.`,
    why_private:
      'Every page of the game shows the reason: leave out emails, phone and card numbers, client secrets, and links with a token.',
    already_paused: `${capitalise(what)} are already paused.`,
  };
}

/** The result of a request to resume what is paused. */
export function formatResumed(what: Pausable, is: Resumed): string {
  return is === 'resumed' ? `${capitalise(what)} resumed.` : `Requested. ${capitalise(what)} resume when a second approver confirms.`;
}

/** How what is paused resumes, for a person who may approve or not. */
export function formatResume(
  what: Pausable,
  requestedBy: { id: string; name: string } | null,
  person: { id: string; mayApprove: boolean },
): string {
  if (requestedBy === null) return 'Resuming needs two approvers.';
  if (requestedBy.id === person.id) return `You asked to resume ${what}. A second approver must confirm.`;
  return `${requestedBy.name} asked to resume ${what}. ${person.mayApprove ? 'You can confirm.' : 'A second approver must confirm.'}`;
}

/** What the limits of one subject are called among themselves. */
export const LIMIT_LABELS: Record<LimitName, string> = {
  support: 'Support limit',
  finance: 'Finance limit',
  support_day: 'Support limit for 24 hours',
  finance_day: 'Finance limit for 24 hours',
};

/** What is limited, after “limit of”. */
export const LIMITED_TEXT: Record<Limited, string> = {
  refunds: 'refunds',
  payments: 'payment links',
  items: 'item sales',
  sends: 'sends',
  transfers: 'transfers',
};

/** What a limit is called among all limits of a game. */
export function formatLimitName(what: Limited, name: LimitName): string {
  return what === 'refunds' ? LIMIT_LABELS[name] : `${LIMIT_LABELS[name]} of ${LIMITED_TEXT[what]}`;
}

/** What each limit is called, by its name in the audit. */
export const STORED_LIMIT_LABELS: Readonly<Record<string, string>> = Object.fromEntries(
  LIMITED_KEYS.flatMap((what) => LIMIT_NAMES.map((name) => [`${LIMITED[what].prefix}${name}`, formatLimitName(what, name)])),
);

/** An amount in the unit of what is limited. */
export function formatLimit(what: Limited, amount: string): string {
  return LIMITED[what].unit === 'usd' ? formatUsd(amount) : `${formatMoney(amount)} coins`;
}
