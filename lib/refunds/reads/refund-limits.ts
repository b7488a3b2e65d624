import { type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { type Db, nestedInstant, nestedMoney } from '#db/kit/open.ts';
import { parseEnum } from '#lib/core/strings.ts';
import { LIMIT_NAMES, type LimitName, type RefundLimits } from '../rules/limits.ts';

/** The limits that were set in a game. */
export async function findRefundLimits(db: Db, gameId: number): Promise<RefundLimits> {
  return reshapeLimits(await limitsOf(db, gameId).execute());
}

/** Selects the limits of a game, for a statement of their own or as nested rows; `reshapeLimits` reads them. */
export function limitsOf(db: Db, gameId: number | RawBuilder<number>) {
  return db
    .selectFrom('refund_limit')
    .select(['name', sql<string>`limit_usd::text`.as('limit_usd')])
    .where('game_id', '=', gameId);
}

/** Reshapes the rows of `limitsOf`. */
export function reshapeLimits(rows: { name: string; limit_usd: string }[]): RefundLimits {
  return Object.fromEntries(rows.map((row) => [parseEnum(LIMIT_NAMES, row.name), row.limit_usd]));
}

/** A higher limit that was requested and waits for a second person. */
export interface RequestedRaise {
  name: LimitName;
  raise_usd: string;
  /** ID of the admin who requested it. */
  by: string;
  byName: string;
  requestedAt: string;
}

/** Selects the higher limits requested in a game, for a statement of their own or as nested rows; `reshapeRaise` reads them. */
export function raisesOf(db: Db, gameId: number | RawBuilder<number>) {
  return db
    .selectFrom('refund_limit')
    .innerJoin('person', 'person.id', 'refund_limit.raise_by')
    .where('game_id', '=', gameId)
    .where('raise_usd', 'is not', null)
    .orderBy('refund_limit.name')
    .select(['refund_limit.name', 'raise_by', 'person.name as by_name'])
    .select([nestedMoney('raise_usd').as('raise_usd'), nestedInstant('raise_at').as('raise_at')]);
}

/** Reshapes a row of `raisesOf`. */
export function reshapeRaise({ name, raise_usd, raise_by, by_name, raise_at }: RaiseRow): RequestedRaise {
  return { name: parseEnum(LIMIT_NAMES, name), raise_usd, by: raise_by ?? '', byName: by_name, requestedAt: raise_at };
}

/** A row of `raisesOf`. */
export type RaiseRow = Awaited<ReturnType<ReturnType<typeof raisesOf>['executeTakeFirstOrThrow']>>;

/** The higher limit requested under a name; null when none waits. */
export async function findRequestedRaise(db: Db, gameId: number, name: LimitName): Promise<RequestedRaise | null> {
  const row = await raisesOf(db, gameId).where('refund_limit.name', '=', name).executeTakeFirst();
  return row === undefined ? null : reshapeRaise(row);
}

/** What a person's limits are held against: those of the game, and what was approved automatically for them within 24 hours. */
export interface PersonLimits {
  limits: RefundLimits;
  /** USD, without the refund that is left out. */
  day_usd: string;
}

/** Finds what a person's limits are held against; `refundId`: a refund of theirs that is not counted. */
export async function findPersonLimits(
  db: Db,
  { gameId, personId, refundId = null }: { gameId: number; personId: string; refundId?: number | null },
): Promise<PersonLimits> {
  const { limits, day_usd } = await db
    .selectNoFrom([jsonArrayFrom(limitsOf(db, gameId)).as('limits'), autoApprovedUsd(gameId, personId, refundId).as('day_usd')])
    .executeTakeFirstOrThrow();
  return { limits: reshapeLimits(limits), day_usd };
}

/** The USD approved automatically for a person within 24 hours, without one of their refunds. */
export function autoApprovedUsd(gameId: number, personId: string, refundId: number | null): RawBuilder<string> {
  return sql<string>`auto_approved_usd(${gameId}, ${personId}, ${refundId})::text`;
}
