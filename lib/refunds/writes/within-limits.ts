import { type RawBuilder, sql } from 'kysely';
import { DAY_LIMIT_FACTOR, LIMITED_ROLES, limitNamed } from '../rules/limits.ts';

interface LimitedRefund {
  gameId: number;
  /** Alias of the row of `person`. */
  person: string;
  /** What is held against the limit of one refund, and against that of 24 hours; USD. */
  amount_usd: RawBuilder<unknown>;
  day_usd: RawBuilder<unknown>;
  /** The refund itself, which is not counted twice; `null`: it isn't stored yet. */
  refundId: RawBuilder<unknown>;
}

/** Whether a refund is within the limits of a person now: of one refund, and of 24 hours. */
export function withinLimits({ gameId, person, amount_usd, day_usd, refundId }: LimitedRefund): RawBuilder<boolean> {
  const defaults = LIMITED_ROLES.map((role) => sql`(${sql.lit(role)}, ${sql.raw(limitNamed(role, {}))})`);
  return sql<boolean>`(select max(coalesce(one.limit_usd, standard.limit_usd)) >= ${amount_usd}
      and max(coalesce(day.limit_usd, coalesce(one.limit_usd, standard.limit_usd) * ${sql.lit(DAY_LIMIT_FACTOR)}))
        >= ${day_usd} + auto_approved_usd(${gameId}::int, ${sql.ref(`${person}.id`)}, ${refundId})
    from (values ${sql.join(defaults)}) as standard (role, limit_usd)
      left join lateral (select limit_usd from refund_limit where game_id = ${gameId} and name = standard.role) one on true
      left join lateral (select limit_usd from refund_limit where game_id = ${gameId} and name = standard.role || '_day') day on true
    where standard.role = any(${sql.ref(`${person}.roles`)}))`;
}
