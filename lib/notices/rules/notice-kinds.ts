/** What can be announced. `run_returned`: a change after submission made the run a draft again; `drift_found`: figures of a month with an approved run changed. */
export const NOTICE_KINDS = [
  'month_ready',
  'run_submitted',
  'run_approved',
  'run_rejected',
  'run_returned',
  'run_voided',
  'drift_found',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** How far a kind of notice reaches a person. `email`: shown and emailed; `product`: shown only; `off`: neither. */
export const REACHES = ['email', 'product', 'off'] as const;
export type Reach = (typeof REACHES)[number];

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
export interface NoticeFacts {
  kind: NoticeKind;
  gameName: string;
  slug: string;
  environment: string;
  timeZone: string;
  windowStart: string;
  /** null: about a month without a run. */
  runNo: number | null;
  amount_usd: string | null;
  recipientCount: number | null;
  /** Who did it; null: Sharebook. */
  actorName: string | null;
}
