import { ACCOUNT_TEXT } from '#lib/approvals/text.ts';
import { ROLE_LABELS, type Role } from '#lib/core/roles.ts';
import { SECOND_STEP_MINUTES } from './rules/code.ts';

/** Why a code isn't accepted. */
export const CODE_REFUSALS = {
  malformed_code: 'Enter the six digits your app shows, or a backup code of 16 letters and digits.',
  wrong_code: 'This code is wrong or has expired. Enter the code your app shows now.',
  used_code: 'This code was already used. Wait until your app shows the next one.',
  used_backup_code: 'This backup code was already used. Each one works once. Enter another one.',
  unreadable_secret:
    'Codes from your app can’t be checked because the server’s secret was changed. Use a backup code or ask an admin for a reset.',
  no_factor: 'Two-factor authentication was turned off in the meantime. Sign in again.',
};
export type CodeRefusal = keyof typeof CODE_REFUSALS;

export const FIRST_CODE_MALFORMED = 'Enter the six digits your app shows.';

/** Why a second step of a sign-in can't continue. */
export const STARTED_SIGN_IN_OVER = `More than ${SECOND_STEP_MINUTES} minutes have passed since you entered your password. Sign in again.`;

/** Why a change of second factors is refused, over all operations. */
export const FACTOR_REFUSALS = {
  not_allowed: 'Only an admin can do this, and your role has changed. Nothing was changed.',
  ...ACCOUNT_TEXT,
  already_on: 'Two-factor authentication is already on. Reload the page.',
  not_started: 'This set-up was started again elsewhere. Reload the page and start over.',
  not_on: 'Two-factor authentication isn’t on. Reload the page.',
  required: 'Your role requires two-factor authentication, so you can’t turn it off.',
  unknown_person: 'This person no longer exists. Reload the page.',
  own_factor: 'You can’t reset your own. Turn it off on your account page, or ask another admin.',
  own_role_without: 'You have one of these roles. Set up two-factor authentication for yourself first, on your account page.',
  no_changes: 'No changes.',
};
export type FactorRefusal = keyof typeof FACTOR_REFUSALS;

/** How many of the people of a role have a second factor. */
export function formatSetUpCount({ people, withFactor }: { people: number; withFactor: number }): string {
  return people === 0 ? 'Nobody has this role' : `${withFactor} of ${people}`;
}

/** The people of a role who have no second factor, by name; beyond three, how many more. */
export function formatWithoutFactor(names: readonly string[]): string {
  if (names.length === 0) return 'None';
  return new Intl.ListFormat('en').format(names.length <= 4 ? names : [...names.slice(0, 3), `${names.length - 3} more`]);
}

/** The roles of a person for which a second factor is required, in a sentence. */
export function formatRequiredFor(roles: readonly Role[]): string {
  const labels = roles.map((role) => ROLE_LABELS[role]);
  return labels.length === 1
    ? `Required for your role ${labels[0]}.`
    : `Required for your roles ${labels.slice(0, -1).join(', ')} and ${labels.at(-1)}.`;
}
