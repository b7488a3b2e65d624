import { type RawBuilder, sql } from 'kysely';
import { type Capability, rolesWith } from '#lib/core/roles.ts';
import { type AccountStatus, PAUSABLES, type Pausable } from './rules/approval.ts';

// Conditions in the statement that stores what a person does, so that nothing read before decides. Aliases and names of roles are words of our own,
// never what anyone typed.
const column = (alias: string, name: string): RawBuilder<unknown> => sql.ref(`${alias}.${name}`);

/** Whether an account, by the alias of its row of `person`, counts as one of two people now. The function of the database is the only place that decides it. */
export function accountStatus(person: string): RawBuilder<AccountStatus> {
  return sql<AccountStatus>`account_status(${column(person, 'disabled_at')}, ${column(person, 'account_confirmed_at')}, ${column(person, 'counts_from')})`;
}

/** Whether a row of `person`, by its alias, is enabled and has a right now. */
export function mayNow(person: string, capability: Capability): RawBuilder<boolean> {
  const roles = sql.join(rolesWith(capability).map((role) => sql.lit(role)));
  return sql<boolean>`(${column(person, 'disabled_at')} is null and ${column(person, 'roles')} && array[${roles}])`;
}

/** Whether a row of `person` may do now the first part of what takes two people. */
export function mayPrepareNow(person: string, capability: Capability): RawBuilder<boolean> {
  return sql<boolean>`(${mayNow(person, capability)} and ${accountStatus(person)} = 'counts')`;
}

/** Whether a row of `person` may do alone now what is within their limits: an account that nobody confirmed may not, one that waits a day may. */
export function mayActAloneNow(person: string, capability: Capability): RawBuilder<boolean> {
  return sql<boolean>`(${mayNow(person, capability)} and ${accountStatus(person)} <> 'unconfirmed')`;
}

/** Whether a row of `person` may approve, confirm or decline now what another one prepared: two people, whose accounts both count, and the right. */
export function mayApproveNow(person: string, preparer: string, capability: Capability): RawBuilder<boolean> {
  return sql<boolean>`(${column(person, 'id')} <> ${column(preparer, 'id')} and ${mayPrepareNow(person, capability)}
    and ${accountStatus(preparer)} = 'counts')`;
}

/** Whether refunds, payouts or desk actions of a game aren't paused now. */
export function isNotPaused(gameId: number, what: Pausable): RawBuilder<boolean> {
  return sql<boolean>`not exists (select from ${sql.table(PAUSABLES[what].table)} pause where pause.game_id = ${gameId} and pause.resumed_at is null)`;
}

/** The SQL of what resuming is bound to, of an open row of one of the tables of `PAUSABLES`: which pause, why, and who requested to resume it. */
export const PAUSE_VERSION: RawBuilder<string> = sql<string>`concat_ws(' ', pause_no, coalesce(restore_no, 0), resume_requested_by)`;

/** The SQL of what a confirmation is bound to, of a row of `person` joined with its `person_password`: nothing was done about the account since it was shown. */
export const CONFIRMATION_VERSION = `concat_ws(' ', coalesce((select max(c.confirmation_no) from person_confirmation c where c.person_id = person.id), 0),
  extract(epoch from person_password.set_at))`;
