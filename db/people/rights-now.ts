import { type Capability, rolesWith } from '#lib/core/roles.ts';

// Conditions in the statement that stores what a person does, so that nothing read before decides. Names of roles are constants of our own, never what anyone typed.
const listOf = (words: readonly string[]): string => `array[${words.map((word) => `'${word}'`).join(', ')}]`;

/**
 * Whether an account, by the alias of its row of `person`, counts as one of two people now: the only place that decides it. The values are those of
 * `AccountStatus`.
 */
export function accountStatus(person: string): string {
  return `case when ${person}.disabled_at is not null then 'disabled' when ${person}.account_confirmed_at is null then 'unconfirmed'
    when ${person}.counts_from > clock_timestamp() then 'too_new' else 'counts' end`;
}

/** Whether a row of `person`, by its alias, is enabled and has a right now. */
export function mayNow(person: string, capability: Capability): string {
  return `${person}.disabled_at is null and ${person}.roles && ${listOf(rolesWith(capability))}`;
}

/** Whether a row of `person` may do now the first part of what takes two people. */
export function mayPrepareNow(person: string, capability: Capability): string {
  return `${mayNow(person, capability)} and ${accountStatus(person)} = 'counts'`;
}

/** Whether a row of `person` may approve, confirm or decline now what another one prepared: two people, whose accounts both count, and the right. */
export function mayApproveNow(person: string, preparer: string, capability: Capability): string {
  return `${person}.id <> ${preparer}.id and ${mayPrepareNow(person, capability)} and ${accountStatus(preparer)} = 'counts'`;
}

/** The SQL of what a confirmation is bound to, of a row of `person` joined with its `person_password`: nothing was done about the account since it was shown. */
export const CONFIRMATION_VERSION = `concat_ws(' ', coalesce((select max(c.confirmation_no) from person_confirmation c where c.person_id = person.id), 0),
  extract(epoch from person_password.set_at))`;
