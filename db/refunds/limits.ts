import { DAY_LIMIT_FACTOR, LIMITED_ROLES, limitNamed } from '#lib/refunds/rules/limits.ts';

export interface LimitedRefund {
  gameId: string;
  /** Alias of the row of `person`. */
  person: string;
  /** What is held against the limit of one refund, and against that of 24 hours; USD. */
  amount_usd: string;
  day_usd: string;
  /** The refund itself, which is not counted twice; `null`: it isn't stored yet. */
  refundId: string;
}

/** Whether a refund is within the limits of a person now: of one refund, and of 24 hours. Every argument is SQL. */
export function withinLimits({ gameId, person, amount_usd, day_usd, refundId }: LimitedRefund): string {
  const defaults = LIMITED_ROLES.map((role) => `('${role}', ${limitNamed(role, {})})`).join(', ');
  return `(select max(coalesce(one.limit_usd, standard.limit_usd)) >= ${amount_usd}
      and max(coalesce(day.limit_usd, coalesce(one.limit_usd, standard.limit_usd) * ${DAY_LIMIT_FACTOR}))
        >= ${day_usd} + auto_approved_usd(${gameId}, ${person}.id, ${refundId})
    from (values ${defaults}) as standard (role, limit_usd)
      left join lateral (select limit_usd from refund_limit where game_id = ${gameId} and name = standard.role) one on true
      left join lateral (select limit_usd from refund_limit where game_id = ${gameId} and name = standard.role || '_day') day on true
    where standard.role = any(${person}.roles))`;
}
