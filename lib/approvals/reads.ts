import { type RawBuilder, sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import { type Capability, rolesWith } from '#lib/core/roles.ts';
import {
  type AccountStatus,
  DAY_LIMIT_FACTOR,
  LIMITED,
  LIMITED_ROLES,
  type Limited,
  type LimitName,
  limitNamed,
  PAUSABLES,
  type Pausable,
  type SetLimits,
} from './rules/approval.ts';

// Conditions in the statement that stores what a person does, so that nothing read before decides. Aliases and names of roles are words of our own,
// never what anyone typed.
const column = (alias: string, name: string): RawBuilder<unknown> => sql.ref(`${alias}.${name}`);

/** Whether an account, by the alias of its row of `person`, counts as one of two people now, as the function of the database decides it. */
export function accountStatus(person: string): RawBuilder<AccountStatus> {
  return sql<AccountStatus>`account_status(${column(person, 'disabled_at')}, ${column(person, 'account_confirmed_at')}, ${column(person, 'counts_from')})`;
}

/** Whether `accountStatus` is `counts`, as a condition that a change of a distributed table may have: it reads the clock outside any CASE. A test compares the two. */
export function countsNow(person: string): RawBuilder<boolean> {
  return sql<boolean>`(${column(person, 'disabled_at')} is null and ${isConfirmed(person)}
    and (${column(person, 'counts_from')} is null or ${column(person, 'counts_from')} <= clock_now()))`;
}

/** Whether an enabled account is more than `unconfirmed`. */
function isConfirmed(person: string): RawBuilder<boolean> {
  return sql<boolean>`${column(person, 'account_confirmed_at')} is not null`;
}

/** Whether a row of `person`, by its alias, is enabled and has a right now. */
export function mayNow(person: string, capability: Capability): RawBuilder<boolean> {
  const roles = sql.join(rolesWith(capability).map((role) => sql.lit(role)));
  return sql<boolean>`(${column(person, 'disabled_at')} is null and ${column(person, 'roles')} && array[${roles}])`;
}

/** Whether a row of `person` may do now the first part of what takes two people. */
export function mayPrepareNow(person: string, capability: Capability): RawBuilder<boolean> {
  return sql<boolean>`(${mayNow(person, capability)} and ${countsNow(person)})`;
}

/** Whether a row of `person` may do alone now what is within their limits: an account that nobody confirmed may not, one that waits a day may. */
export function mayActAloneNow(person: string, capability: Capability): RawBuilder<boolean> {
  return sql<boolean>`(${mayNow(person, capability)} and ${isConfirmed(person)})`;
}

/** The same in one game: in a sandbox game, where no real money moves and nobody approves, any account with the right may. */
export function mayActAloneIn(person: string, capability: Capability, gameId: number): RawBuilder<boolean> {
  return sql<boolean>`(${mayNow(person, capability)} and (${isConfirmed(person)} or ${isSandbox(gameId)}))`;
}

/** Whether a game is one of the sandbox. */
export function isSandbox(gameId: number): RawBuilder<boolean> {
  return sql<boolean>`exists (select from game where game.game_id = ${gameId} and game.environment = 'sandbox')`;
}

/** Whether a row of `person` may approve, confirm or decline now what another one prepared: two people, whose accounts both count, and the right. */
export function mayApproveNow(person: string, preparer: string, capability: Capability): RawBuilder<boolean> {
  return sql<boolean>`(${column(person, 'id')} <> ${column(preparer, 'id')} and ${mayPrepareNow(person, capability)}
    and ${countsNow(preparer)})`;
}

interface LimitedRequest {
  what: Limited;
  gameId: number;
  /** Alias of the row of `person`. */
  person: string;
  /** What is held against the limit of one request, and against that of 24 hours. */
  amounts: { one: RawBuilder<unknown>; day: RawBuilder<unknown> };
  /** What was approved automatically for the person within 24 hours, without this request. */
  dayBefore: RawBuilder<unknown>;
}

/** Whether a request is within the limits of a person now: of one request, and of 24 hours. */
export function withinLimits({ what, gameId, person, amounts, dayBefore }: LimitedRequest): RawBuilder<boolean> {
  const { table, amount, prefix } = LIMITED[what];
  const defaults = LIMITED_ROLES.map((role) => sql`(${sql.lit(role)}, ${sql.raw(limitNamed(what, role, {}))})`);
  const set = (ending: string): RawBuilder<unknown> =>
    sql`(select ${sql.ref(amount)} as amount from ${sql.table(table)} where game_id = ${gameId} and name = ${sql.lit(prefix)} || standard.role || ${sql.lit(ending)})`;
  return sql<boolean>`(select max(coalesce(one.amount, standard.amount)) >= ${amounts.one}
      and max(coalesce(day.amount, coalesce(one.amount, standard.amount) * ${sql.lit(DAY_LIMIT_FACTOR)})) >= ${amounts.day} + ${dayBefore}
    from (values ${sql.join(defaults)}) as standard (role, amount)
      left join lateral ${set('')} one on true left join lateral ${set('_day')} day on true
    where standard.role = any(${column(person, 'roles')}))`;
}

/** The limits of one subject that were set in a game, as one value. */
export function limitsOf(what: Limited, gameId: number | RawBuilder<number>): RawBuilder<SetLimits> {
  const { table, amount } = LIMITED[what];
  return sql<SetLimits>`(select coalesce(json_object_agg(${nameOf(what)}, ${sql.ref(amount)}::text), '{}') from ${sql.table(table)} limited
    where limited.game_id = ${gameId} and ${isAbout(what)})`;
}

/** Finds the limits of one subject that were set in a game. */
export async function findLimits(db: Db, what: Limited, gameId: number): Promise<SetLimits> {
  return (await db.selectNoFrom(limitsOf(what, gameId).as('limits')).executeTakeFirstOrThrow()).limits;
}

/** A higher limit that was requested and waits for a second person. */
export interface RequestedRaise {
  name: LimitName;
  amount: string;
  /** ID of the admin who requested it. */
  by: string;
  byName: string;
  requestedAt: string;
}

/** The higher limits of one subject that were requested in a game, by name, as one value. */
export function raisesOf(what: Limited, gameId: number | RawBuilder<number>): RawBuilder<RequestedRaise[]> {
  const { table, raise } = LIMITED[what];
  return sql<RequestedRaise[]>`(
    select coalesce(json_agg(json_build_object('name', ${nameOf(what)}, 'amount', ${sql.ref(raise)}::text, 'by', raise_by, 'byName', person.name,
      'requestedAt', ${nestedInstant('raise_at')}) order by limited.name), '[]')
    from ${sql.table(table)} limited join person on person.id = raise_by where limited.game_id = ${gameId} and ${isAbout(what)})`;
}

const isAbout = (what: Limited): RawBuilder<boolean> => sql<boolean>`starts_with(limited.name, ${sql.lit(LIMITED[what].prefix)})`;
const nameOf = (what: Limited): RawBuilder<LimitName> => sql<LimitName>`substr(limited.name, ${sql.lit(LIMITED[what].prefix.length + 1)})`;

/** The higher limit requested under a name; null when none waits. */
export async function findRequestedRaise(db: Db, what: Limited, gameId: number, name: LimitName): Promise<RequestedRaise | null> {
  const { raises } = await db.selectNoFrom(raisesOf(what, gameId).as('raises')).executeTakeFirstOrThrow();
  return raises.find((raise) => raise.name === name) ?? null;
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
