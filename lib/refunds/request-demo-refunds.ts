import { listStoredPeople } from '#lib/people/writes/people.ts';
import { isLoopback } from '../core/game.ts';
import type { Actor } from '../core/roles.ts';
import type { GameContext } from '../games/game-context.ts';
import { digestBaseline, readFreshFacts } from './read-refund-facts.ts';
import { findDraft } from './reads/refund-preconditions.ts';
import { requestRefund } from './request-refund.ts';
import { renewEstimate, riskKey, riskOf } from './rules/estimate.ts';
import type { RefundForm, RefundReason } from './rules/refund.ts';

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

/** A refund that the demo requests of the simulated Invo. Its draft is fixed, so that it is requested once, whatever restarts. */
type DemoRefund = Omit<RefundForm, 'baseline' | 'confirmedRisk'>;

/** Who requests the demo refunds: the demo person for support. */
const DEMO_REQUESTER = 'support@starfall.example';

/**
 * The demo's refunds, one for each state a newcomer should see. The simulated Invo decides by the period what becomes of each: see
 * "People for support" in `.github/docs/simulated-invo.md`.
 */
const DEMO_REFUNDS: readonly DemoRefund[] = [
  // Refunded in part.
  demoRefund(2_024_128_015, '12.00', 'goodwill', 'Two evenings lost to the server move'),
  // Refunded in full.
  demoRefund(2_024_128_016, '18.00', 'duplicate_charge'),
  // Above the auto-approval limit of support: awaiting approval.
  demoRefund(2_024_128_017, '180.00', 'requested_by_player', 'Canceled within the first week and never played'),
  // Invo finds no record of the card charge: refused.
  demoRefund(2_024_128_018, '22.00', 'not_delivered'),
  // Invo fails each time without saying what happened: unknown, and tried again.
  demoRefund(2_024_128_019, '26.00', 'charged_by_mistake'),
  // Invo requests manual attention: needs attention.
  demoRefund(2_024_128_020, '35.00', 'fraud'),
];

function demoRefund(periodId: number, amountText: string, reason_code: RefundReason, reason_text: string | null = null): DemoRefund {
  return { draftId: `00000000-0000-4000-8000-${String(periodId).padStart(12, '0')}`, periodId, amountText, reason_code, reason_text };
}
