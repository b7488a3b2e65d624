import { findRefund } from '#db/refunds/reads/find-refund.ts';
import { recordReading } from '#db/refunds/writes/record-reading.ts';
import { may } from '../core/roles.ts';
import { askWithin, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import { reshapePeriodFacts } from '../invo/routes/period-report.ts';
import type { Actor } from '../people/rules/person.ts';

export type ReadForDecision =
  | { ok: true }
  | { ok: false; reason: 'not_allowed' | 'moved_on' }
  | ({ ok: false; reason: 'no_answer' } & InvoFailure);

/** Reads the period of a refund that needs two people, and keeps the reading: what they say rests on the newest one. Sends nothing. */
export async function readForDecision(desk: GameContext, actor: Actor, refundId: number): Promise<ReadForDecision> {
  const { game } = desk;
  if (!may(actor.role, 'refunds.request')) return { ok: false, reason: 'not_allowed' };
  const refund = await findRefund(game.db, game.gameId, refundId);
  if (refund?.state !== 'attention') return { ok: false, reason: 'moved_on' };
  try {
    const { value } = await askWithin(desk, {}, (client, signal) => client.periodReport(refund.period_id, signal));
    const isKept = await recordReading(game.pool, { gameId: game.gameId, refundId, actor, facts: reshapePeriodFacts(value) });
    return isKept ? { ok: true } : { ok: false, reason: 'moved_on' };
  } catch (error) {
    return { ok: false, reason: 'no_answer', ...toInvoFailure(error) };
  }
}
