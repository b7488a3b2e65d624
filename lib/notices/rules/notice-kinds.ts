import type { Role } from '#lib/core/roles.ts';

/** What is announced of months and runs. `run_returned`: a change after submission made the run a draft again; `drift_found`: figures of a month with an approved run changed; `payment_alarm`: a report shows money that may have moved twice. */
export const MONTH_NOTICE_KINDS = [
  'month_ready',
  'run_submitted',
  'run_approved',
  'run_rejected',
  'run_returned',
  'run_voided',
  'drift_found',
  'payment_alarm',
] as const;
export type MonthNoticeKind = (typeof MONTH_NOTICE_KINDS)[number];

/** What is announced of the rights of people, for finance and admins. */
export const PERSON_NOTICE_KINDS = [
  'person_invited',
  'person_confirmed',
  'roles_requested',
  'roles_changed',
  'password_link',
  'factor_reset',
  'factor_requirement',
  'person_disabled',
  'person_enabled',
] as const;
export type PersonNoticeKind = (typeof PERSON_NOTICE_KINDS)[number];

/** What is announced of the limits of a game, for finance and admins. */
export const LIMIT_NOTICE_KINDS = ['limit_requested', 'limit_changed'] as const;
export type LimitNoticeKind = (typeof LIMIT_NOTICE_KINDS)[number];

export const NOTICE_KINDS = [...MONTH_NOTICE_KINDS, ...PERSON_NOTICE_KINDS, ...LIMIT_NOTICE_KINDS] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Whether a kind is about the rights of people or the limits of refunds, not about a month. */
export function isAboutRights(kind: NoticeKind): kind is PersonNoticeKind | LimitNoticeKind {
  return [...PERSON_NOTICE_KINDS, ...LIMIT_NOTICE_KINDS].some((each) => each === kind);
}

/** How far a kind of notice reaches a person. `email`: shown and emailed; `product`: shown only; `off`: neither. */
export const REACHES = ['email', 'product', 'off'] as const;
export type Reach = (typeof REACHES)[number];

/** How far kinds about rights reach: nobody can switch them off, so that no takeover goes unseen. */
export const RIGHTS_REACHES = ['email', 'product'] as const satisfies readonly Reach[];

/** How far each kind may reach, by kind. */
export function reachesOf(kind: NoticeKind): readonly Reach[] {
  return isAboutRights(kind) ? RIGHTS_REACHES : REACHES;
}

/** What a person chose of how far kinds reach them. */
export type Reaches = Partial<Record<MonthNoticeKind, Reach> & Record<PersonNoticeKind | LimitNoticeKind, (typeof RIGHTS_REACHES)[number]>>;

/**
 * The email of a delivery. `off`: not wanted; `unknown`: the mail server's answer was lost, so it isn't sent again; `expired`: not accepted within a day.
 */
export const MAIL_STATES = ['off', 'waiting', 'sending', 'sent', 'refused', 'unknown', 'expired'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** Hours during which an email is tried; afterwards its notice is only shown. */
export const MAIL_HOURS = 24;

/** What came of an attempt to send an email. `later`: it wasn't accepted, and may be; `unknown`: the server may have accepted it. */
export type MailOutcome = { state: 'sent' } | { state: 'refused' | 'later' | 'unknown'; error: string };

/** Seconds until an email that wasn't accepted is tried again, after this many attempts: 1, 2, 4 … minutes, an hour at most. */
export function retryAfter_seconds(attemptCount: number): number {
  return Math.min(60 * 2 ** (attemptCount - 1), 3_600);
}

/** What a notice is about, with everything its sentences need. */
export type NoticeFacts = MonthNoticeFacts | RightsNoticeFacts;

interface RightsNoticeFacts extends GameOfNotice {
  kind: PersonNoticeKind | LimitNoticeKind;
  /** Name of the person, or of the limit. */
  about: string;
  /** Of a change of roles, or of an invitation; null: not about roles. */
  roles: Role[] | null;
  /** Of a limit; null: not about one. */
  amount_usd: string | null;
}

interface GameOfNotice {
  gameName: string;
  slug: string;
  environment: string;
  timeZone: string;
  /** Who did it; null: Sharebook, or the operator for the rights of people. */
  actorName: string | null;
}

interface MonthNoticeFacts extends GameOfNotice {
  kind: MonthNoticeKind;
  windowStart: string;
  /** null: about a month without a run. */
  runNo: number | null;
  /** The bank report whose rows raise an alarm; null: about something else. */
  reportNo: number | null;
  amount_usd: string | null;
  recipientCount: number | null;
}
