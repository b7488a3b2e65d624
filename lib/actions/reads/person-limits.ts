import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { findLimits } from '#lib/approvals/reads.ts';
import type { Limited, PersonLimits } from '#lib/approvals/rules/approval.ts';
import { NOT_CARRIED_OUT_STATES } from '../rules/action-state.ts';
import { kindsLimitedBy } from '../rules/protocols.ts';

/** The total that a group approved automatically for a person within 24 hours; actions that never happened are left out. */
export function approvedWithin24Hours(gameId: number, personId: RawBuilder<unknown>, what: Limited): RawBuilder<string> {
  return sql<string>`(select coalesce(sum(counted.amount), 0) from desk_action counted
    where counted.game_id = ${gameId} and counted.requested_by = ${personId} and counted.kind = any(${kindsLimitedBy(what)})
      and counted.requested_at > clock_now() - interval '24 hours' and not counted.needs_second_approver
      and counted.state <> all(${[...NOT_CARRIED_OUT_STATES]}))`;
}

/** Finds what the limits of a person are held against. */
export async function findPersonLimits(
  db: Db,
  { gameId, personId, what }: { gameId: number; personId: string; what: Limited },
): Promise<PersonLimits> {
  const dayBefore = sql<string>`${approvedWithin24Hours(gameId, sql`${personId}`, what)}::text`;
  const [limits, spent] = await Promise.all([
    findLimits(db, what, gameId),
    db.selectNoFrom(dayBefore.as('dayBefore')).executeTakeFirstOrThrow(),
  ]);
  return { limits, dayBefore: spent.dayBefore };
}
