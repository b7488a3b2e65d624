import { listStoredPeople } from '#lib/people/writes/people.ts';
import { isLoopback } from '../core/game.ts';
import type { Actor } from '../core/roles.ts';
import type { GameContext } from '../games/game-context.ts';
import { digestBaseline, readFreshFacts } from './read-refund-facts.ts';
import { findDraft } from './reads/refund-preconditions.ts';
import { requestRefund } from './request-refund.ts';
import { DEMO_REFUNDS, DEMO_REQUESTER, type DemoRefund } from './rules/demo-refunds.ts';
import { renewEstimate, riskKey, riskOf } from './rules/estimate.ts';

/**
 * Requests the demo refunds that a simulated game does not have yet, as the demo person for support would. Returns how many are new.
 * A refund that can't be requested now, because Invo isn't responding or the period has changed, is left for the next call.
 * Errors: throws when the data is not simulated or Invo is not on this machine, before anything is read or written.
 */
export async function requestDemoRefunds(context: GameContext, config: { isSimulated: boolean }): Promise<number> {
  if (!config.isSimulated) throw new Error('demo refunds belong in a simulated database only');
  if (!isLoopback(new URL(context.config.baseUrl).hostname)) throw new Error('demo refunds are requested of the simulated Invo only');
  const { db, gameId } = context.game;
  if (context.config.environment !== 'production') return 0;
  const drafts = await Promise.all(DEMO_REFUNDS.map((refund) => findDraft(db, gameId, refund)));
  const missing = DEMO_REFUNDS.filter((_, index) => drafts[index] === null);
  if (missing.length === 0) return 0;
  const requester = (await listStoredPeople(db)).find(({ email, isDisabled }) => email === DEMO_REQUESTER && !isDisabled);
  if (requester === undefined) return 0;
  let requested = 0;
  for (const refund of missing) if (await isRequested(context, requester, refund)) requested += 1;
  return requested;
}

async function isRequested(context: GameContext, requester: Actor, refund: DemoRefund): Promise<boolean> {
  const facts = await readFreshFacts(context, refund.periodId);
  if ('sentence' in facts) return false;
  const baseline = digestBaseline(facts.period).toString('hex');
  const { now, timeZone } = context.game;
  const shown = renewEstimate(facts, refund.amountText, { now: now(), timeZone });
  // As a person would, who sees the estimate.
  const confirmedRisk = shown && riskKey(riskOf(facts.period, shown.estimate));
  const result = await requestRefund(context, requester, { ...refund, baseline, confirmedRisk }, async () => facts);
  return result.ok && result.isNew;
}
