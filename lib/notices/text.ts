import { formatMonth } from '../core/instant.ts';
import { formatUsd, normalizeMoney } from '../core/money.ts';
import { monthOf } from '../core/month.ts';
import { formatRoles } from '../core/roles.ts';
import {
  isAboutRights,
  type LimitNoticeKind,
  type MailState,
  type MonthNoticeKind,
  type NoticeFacts,
  type NoticeKind,
  PERSON_NOTICE_KINDS,
  type PersonNoticeKind,
  type Reach,
} from './rules/notice-kinds.ts';

/** Kinds of notices, as a person switches them. */
export const NOTICE_KIND_TEXT: Readonly<Record<NoticeKind, string>> = {
  month_ready: 'A month is ready to close',
  run_submitted: 'A run waits for your approval',
  run_approved: 'A run was approved',
  run_rejected: 'A run was rejected',
  run_returned: 'A change returned a run to draft',
  run_voided: 'A run was voided',
  drift_found: 'Figures of a closed month changed',
  payment_alarm: 'A payment may be paid twice',
  person_invited: 'A person was invited',
  person_confirmed: 'An account was confirmed',
  roles_requested: 'Roles wait for approval',
  roles_changed: 'Roles were changed',
  password_link: 'A password link was created',
  factor_reset: 'Two-factor authentication was reset',
  factor_requirement: 'Which roles need two-factor authentication was changed',
  person_disabled: 'A person was disabled',
  person_enabled: 'A person was enabled again',
  limit_requested: 'A higher limit waits for approval',
  limit_changed: 'A limit was changed',
};

/** How far a kind reaches a person. */
export const REACH_TEXT: Readonly<Record<Reach, string>> = { email: 'In Sharebook and by email', product: 'In Sharebook only', off: 'Off' };

/** How far the kinds of a group reach a person: `All by email`, or `6 of 8 by email, 1 off`. */
export function formatReaches(reaches: readonly Reach[]): string {
  const countOf = (reach: Reach): number => reaches.filter((each) => each === reach).length;
  const emailed = countOf('email');
  if (emailed === reaches.length) return 'All by email';
  const off = countOf('off');
  return `${emailed === 0 ? 'None' : `${emailed} of ${reaches.length}`} by email${off === 0 ? '' : `, ${off} off`}`;
}

/** The state of a notice's email; nothing while it is being sent. */
export const MAIL_STATE_TEXT: Readonly<Record<MailState, string>> = {
  off: '',
  waiting: '',
  sending: '',
  sent: 'Emailed',
  refused: 'The mail server refused your email address',
  unknown: 'Emailed, but the mail server’s answer was lost',
  expired: 'Not emailed',
};

/** Whether notices are emailed, for the Notices page and for doctor. */
export const MAIL_TEXT = {
  outbox: 'Simulated data: emails go to the outbox below, and to no mail server.',
  smtp: 'Notices are emailed, unless you switch a kind off.',
  none: 'Email isn’t configured. Notices are shown here only. To send them, an operator sets SMTP_URL and SHAREBOOK_MAIL_FROM.',
} as const;

export interface NoticeText {
  title: string;
  sentence: string;
  /** The page it is about, from the root. */
  path: string;
}

/** The text of a notice: no recipient's name and no email address. */
export function formatNotice(facts: NoticeFacts): NoticeText {
  if (isRightsNotice(facts)) return formatRightsNotice(facts);
  const { kind, slug, timeZone, windowStart, runNo, reportNo, amount_usd, recipientCount, actorName } = facts;
  const month = monthOf(windowStart, timeZone);
  const name = formatMonth(month);
  const path =
    kind === 'month_ready'
      ? `/${slug}/months/${month}/close`
      : kind === 'drift_found'
        ? `/${slug}/months/${month}`
        : kind === 'payment_alarm'
          ? `/${slug}/payouts/reports/${reportNo}`
          : `/${slug}/payouts/${runNo}`;
  const amount = formatUsd(normalizeMoney(amount_usd ?? '0'));
  const pays = `${name}: ${amount} payable to ${recipientCount === 1 ? '1 recipient' : `${recipientCount ?? 0} recipients`}.`;
  const by = actorName ?? 'Sharebook';
  const texts: Record<MonthNoticeKind, { title: string; sentence: string }> = {
    month_ready: {
      title: `${name} is ready to close`,
      sentence: 'The month is complete, and Invo still reports the same figures. Start its payout run.',
    },
    run_submitted: { title: `Run ${runNo} waits for your approval`, sentence: `${pays} Submitted by ${by}.` },
    run_approved: { title: `Run ${runNo} was approved`, sentence: `${pays} Approved by ${by}.` },
    run_rejected: { title: `Run ${runNo} was rejected`, sentence: `${pays} Sent back by ${by}. The run page has the reason.` },
    run_returned: {
      title: `Run ${runNo} returned to draft`,
      sentence: `${name}: something it depends on changed after submission. Nothing was approved. Review the draft and submit it again.`,
    },
    run_voided: { title: `Run ${runNo} was voided`, sentence: `${pays} Voided by ${by}. The run page has the reason.` },
    drift_found: {
      title: `${name} changed after run ${runNo} was approved`,
      sentence: `Invo now reports other figures: net attributed changed by ${amount}. The run is unchanged; correct it with an adjustment in the next run.`,
    },
    payment_alarm: {
      title: `Run ${runNo}: ${recipientCount === 1 ? 'a payment' : `${recipientCount} payments`} may be paid twice`,
      sentence: `${name}: bank report ${reportNo} shows ${amount} for ${recipientCount === 1 ? 'a payment that was paid or replaced before, or whose file wasn’t' : 'payments that were paid or replaced before, or whose files weren’t'} handed over. These rows confirmed nothing. Ask your bank or provider whether the money left, and how often, then decide each row on the report’s page.`,
    },
  };
  return { ...texts[kind], path };
}

/** The game a notice is about; null: the rights of a person, which belong to no game. */
export function gameOf(facts: NoticeFacts): string | null {
  if (PERSON_NOTICE_KINDS.some((kind) => kind === facts.kind)) return null;
  return facts.environment === 'sandbox' ? `${facts.gameName}, sandbox` : facts.gameName;
}

type RightsFacts = Extract<NoticeFacts, { about: string }>;

function isRightsNotice(facts: NoticeFacts): facts is RightsFacts {
  return isAboutRights(facts.kind);
}

function formatRightsNotice({ kind, about, roles, amount_usd, actorName }: RightsFacts): NoticeText {
  const by = actorName ?? 'The operator';
  const byInside = actorName ?? 'the operator';
  const given = roles === null ? '' : formatRoles(roles);
  // A limit in coins has its amount in its name.
  const limit = amount_usd === null ? about : `${about}: ${formatUsd(normalizeMoney(amount_usd))}`;
  const texts: Record<PersonNoticeKind | LimitNoticeKind, { title: string; sentence: string }> = {
    person_invited: {
      title: `${about} was invited`,
      sentence: `${by} invited them: ${given}. The account counts as one of two people once a second person confirms it.`,
    },
    person_confirmed: { title: `${about}’s account was confirmed`, sentence: `${by} confirmed that this account is theirs.` },
    roles_requested: {
      title: `Roles of ${about} wait for approval`,
      sentence: `${by} asked to give them the roles ${given}. Someone else must approve.`,
    },
    roles_changed: { title: `Roles of ${about} were changed`, sentence: `New roles: ${given}. Applied by ${byInside}.` },
    password_link: {
      title: `A password link was created for ${about}`,
      sentence: `${by} created it. Ask ${about} whether they wanted it. If not, disable the account and tell the operator.`,
    },
    factor_reset: {
      title: `Two-factor authentication of ${about} was reset`,
      sentence: `${by} reset it. Ask ${about} whether they wanted it. If not, disable the account and tell the operator.`,
    },
    factor_requirement: {
      title: `${about}: the requirement was changed`,
      sentence: given === '' ? `${by} changed it: no role needs it now.` : `${by} changed it. Roles that need it: ${given}.`,
    },
    person_disabled: { title: `${about} was disabled`, sentence: `${by} disabled the account. They can’t sign in.` },
    person_enabled: { title: `${about} was enabled again`, sentence: `${by} enabled the account, with the roles it had.` },
    limit_requested: { title: `${limit} waits for approval`, sentence: `${by} asked to raise it. Someone else must approve.` },
    limit_changed: { title: limit, sentence: `${by} lowered the limit, or approved a higher one.` },
  };
  return { ...texts[kind], path: '/settings' };
}

/** Subject and plain text of the email of a notice. `origin`: the public origin of Sharebook. */
export function formatMail(
  facts: NoticeFacts,
  { origin, isSimulated = false }: { origin: string; isSimulated?: boolean },
): { subject: string; text: string } {
  const { title, sentence, path } = formatNotice(facts);
  const game = gameOf(facts);
  const lines = [
    ...(isSimulated ? ['Simulated data. No real money moved.', ''] : []),
    `${title}.`,
    '',
    sentence,
    '',
    `${origin}${path}`,
    '',
    `You get this email because of your role in Sharebook. Change which notices you get: ${origin}/notices`,
    '',
  ];
  return { subject: `${game ?? 'Sharebook'}: ${title}`, text: lines.join('\n') };
}
