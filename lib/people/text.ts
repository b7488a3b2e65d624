import { ACCOUNT_TEXT, APPROVER_TEXT } from '../approvals/text.ts';
import { formatRoles, type Role } from '../core/roles.ts';
import { capitalise } from '../core/strings.ts';
import { type ConfirmationBasis, DEMO_PASSWORD, isDoubt, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './rules/person.ts';

/** Why a change to people is refused, over all operations. */
export const PEOPLE_REFUSALS = {
  not_allowed: 'Only an admin can do this, and your role has changed. Nothing was changed.',
  bad_email: 'Enter a valid email address.',
  bad_name: 'Enter a name of 1 to 80 characters.',
  name_taken: 'This name is reserved, or another person has it. Enter a name that tells them apart.',
  email_taken: 'A person with this email already exists. Find them in the list.',
  unknown_person: 'This person no longer exists. Reload the page.',
  no_role: 'Choose at least one role.',
  same_roles: 'This person already has these roles.',
  already_so: 'This was already done. Reload the page.',
  disabled: 'This person is disabled. Enable them first.',
  ...ACCOUNT_TEXT,
  last_admin: 'This is the last admin who can sign in. Make another person an admin first.',
};
export type PeopleRefusal = keyof typeof PEOPLE_REFUSALS;

/** Who confirmed an account, as Settings shows it. */
interface Confirmation {
  basis: ConfirmationBasis;
  by: string | null;
}

const BASIS_TEXT: Record<ConfirmationBasis, (by: string) => string> = {
  set_up_link: () => 'Set up by the operator',
  simulated: () => 'Simulated data',
  upgrade: () => 'Here before accounts were confirmed',
  invitation: (by) => `invited by ${by}`,
  password_link: (by) => `password link by ${by}`,
  factor_reset: (by) => `two-factor reset by ${by}`,
  enabled: (by) => `enabled by ${by}`,
  confirmation: (by) => `confirmed by ${by}`,
};

/** Who confirmed an account: "Invited by Ada Moreau, confirmed by the operator". */
export function formatConfirmations(confirmations: readonly Confirmation[]): string {
  if (confirmations.length === 0) return 'Nobody stands behind it';
  const text = confirmations.map(({ basis, by }) => BASIS_TEXT[basis](by ?? 'the operator')).join(', ');
  return capitalise(text);
}

/** Whether two of the operator and people stand behind an account, or the operator set it up. */
export function isConfirmedByTwo(confirmations: readonly (Pick<Confirmation, 'basis'> & { byId: string | null })[]): boolean {
  const given = confirmations.filter(({ basis }) => basis !== 'upgrade' && basis !== 'simulated' && !isDoubt(basis));
  // The operator has no id and is one of those who stand behind it.
  return new Set(given.map(({ byId }) => byId)).size >= 2 || given.some(({ basis }) => basis === 'set_up_link');
}

/** What the operator must ask a person about whose account they confirm: when its password was set, and what made it doubtful. */
export function formatDoubts(passwordSetAt: string, confirmations: readonly Confirmation[]): string {
  const doubts = confirmations.filter(({ basis }) => isDoubt(basis)).map(({ basis, by }) => BASIS_TEXT[basis](by ?? 'the operator'));
  return `Password set at ${passwordSetAt}.${doubts.length === 0 ? '' : ` Cleared by this confirmation: ${doubts.join(', ')}.`}`;
}

/** Whether an account counts because it was there before accounts were confirmed, and two people never stood behind it. */
export function isConfirmedByUpgrade(account: { isConfirmed: boolean; confirmations: Parameters<typeof isConfirmedByTwo>[0] }): boolean {
  const { isConfirmed, confirmations } = account;
  return isConfirmed && !isConfirmedByTwo(confirmations) && confirmations.some(({ basis }) => basis === 'upgrade');
}

/** Why an account can't be confirmed. */
export const CONFIRM_REFUSALS = {
  not_allowed: 'Only a confirmed person with the role finance or admin can do this. Nothing was changed.',
  same_person: 'This is your own account. Someone else must confirm it.',
  ...ACCOUNT_TEXT,
  unknown_person: 'There is no enabled person with this email. Nothing was changed.',
  no_password: 'They haven’t set a password yet, so anyone with their link could take over the account. Confirm them once they have.',
  already_so: 'You stand behind this account already. If it isn’t confirmed yet, someone else must confirm it too.',
  own_doubt: 'You stand behind this account already, or you created its link, reset or enabled it. Someone else must confirm it.',
  moved_on: 'This account changed since you opened the page. Nothing was confirmed. Reload the page, and ask the person again.',
};
export type ConfirmRefusal = keyof typeof CONFIRM_REFUSALS;

/** The result of a role change and of the sign-outs that come with it. */
export function formatRolesChanged(
  roles: readonly Role[],
  { sessionsEnded, isWaiting }: { sessionsEnded: number; isWaiting: boolean },
): string {
  if (isWaiting) return `${formatRoles(roles)}: waiting for approval by a second person. Until then the roles stay as they are.`;
  const ended = sessionsEnded === 0 ? '' : ` Signed out of ${sessionsEnded === 1 ? '1 session' : `${sessionsEnded} sessions`}.`;
  return `Roles changed to ${formatRoles(roles)}.${ended}`;
}

/** Why a second person can't decide on roles or limits an admin requested. */
export const ROLES_REFUSALS = {
  not_allowed: 'Your role can’t approve this. Nothing was changed.',
  moved_on: 'This was changed or decided in the meantime. Reload the page.',
  same_person: 'This is about you, or you asked for it. Someone else must approve it.',
  last_admin: 'This would take the role from the last admin who can sign in. Make another person an admin first.',
  ...APPROVER_TEXT,
};
export type RolesRefusal = keyof typeof ROLES_REFUSALS;

/** One answer for an unknown email, a wrong password and a disabled person. */
export const INCORRECT_SIGN_IN = 'Incorrect email or password. An admin can send you a new password link.';
export const TOO_MANY_SIGN_INS = 'Too many attempts in 15 minutes. Wait a few minutes and try again.';

export const SIGN_IN_BUSY = 'Too many people are signing in right now. Nothing was checked. Try again in a moment.';

/** Why a form requests the password, or requests it again. */
export const PASSWORD_REQUESTS: Record<'needed' | 'needed_with_code' | 'wrong_password' | 'too_many_attempts' | 'busy', string> = {
  needed: 'Enter your password to continue. You’ll be asked again after five minutes.',
  needed_with_code: 'Enter your password and a code to continue. You’ll be asked again after five minutes.',
  wrong_password: 'Incorrect password. Nothing was changed.',
  too_many_attempts: 'Too many wrong entries in 15 minutes. Nothing was changed. Wait a few minutes and try again.',
  busy: SIGN_IN_BUSY,
};

/** Shown with a request for the password in simulated data, where people sign in with one click. */
export const DEMO_PASSWORD_HINT = `In simulated data everyone’s password is “${DEMO_PASSWORD}”.`;

export const PASSWORD_HINT = `At least ${PASSWORD_LENGTH_MIN} characters. A sentence is easy to remember.`;

/** The text on the page of a one-time link, by the purpose of the link. */
export const OPEN_LINKS = {
  first_admin: { title: 'Set up Sharebook', sentence: 'You become the first admin. Admins decide who can sign in and what they can do.' },
  invitation: { title: 'Welcome to Sharebook', sentence: 'Choose a password. This link works once.' },
  new_password: {
    title: 'Set a new password',
    sentence: 'This replaces your old password and signs you out everywhere else. This link works once.',
  },
} as const;

/** Why a one-time link doesn't open, and what to do next. `admin_exists`: the link was for the first admin, and there is one. */
export const LINK_REFUSALS = {
  unknown_link: {
    title: 'This link is not valid',
    sentence:
      'Check that you copied the whole link. If you did, ask an admin for a new one, or restart Sharebook for a new first-admin link.',
  },
  used_link: {
    title: 'This link was already used',
    sentence: 'A password was set with it. Sign in with that password. If that was not you, tell an admin now.',
  },
  expired_link: {
    title: 'This link has expired',
    sentence: 'Links are valid for 24 hours. Ask an admin for a new one, or restart Sharebook for a new first-admin link.',
  },
  withdrawn_link: {
    title: 'This link was replaced',
    sentence: 'A newer link exists, or the account was disabled. Use the newest link or ask an admin.',
  },
  admin_exists: { title: 'An admin already exists', sentence: 'This link was for the first admin. Sign in, or ask an admin to add you.' },
};
export type LinkRefusal = keyof typeof LINK_REFUSALS;

/** What is wrong with one field of the set-up form. */
export const SET_UP_FIELD_ERRORS = {
  bad_email: { field: 'email', sentence: PEOPLE_REFUSALS.bad_email },
  email_taken: { field: 'email', sentence: 'A person with this email already exists. Use another email for the admin.' },
  bad_name: { field: 'name', sentence: PEOPLE_REFUSALS.bad_name },
  name_taken: { field: 'name', sentence: PEOPLE_REFUSALS.name_taken },
  short_password: { field: 'password', sentence: `Use at least ${PASSWORD_LENGTH_MIN} characters.` },
  long_password: { field: 'password', sentence: `Use at most ${PASSWORD_LENGTH_MAX} characters.` },
} as const;
