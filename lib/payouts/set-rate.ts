import { compareMoney } from '../core/money.ts';
import type { Actor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { parseSharedNote, type SharedTextRefusal } from '../payees/rules/names-account.ts';
import type { Run } from './reads/find-run.ts';
import { composeRun } from './writes/composition.ts';
import { type PreparerRefusal, recordWork, refreshBasis, updateRun, withRun } from './writes/run-states.ts';

const RATE_MIN = '0.2';
/** Characters of where a rate is from. */
const SOURCE_MAX = 200;

export type RateResult =
  | { ok: true; run: Run }
  | { ok: false; reason: PreparerRefusal | 'moved_on' }
  | { ok: false; reason: 'invalid'; field: 'rate' | 'source'; problem: 'not_a_rate' | SharedTextRefusal };

/**
 * Stores the rate, USD for one EUR, at which a draft's SEPA payments are converted, and where it is from. Sharebook suggests none. The approval covers it, and the person
 * who typed it doesn't approve. Rates are between 0.2 and 5 with at most six decimals, so that EUR for one USD or a slipped point is noticed.
 */
export async function setEurRate(
  game: OpenGame,
  actor: Actor,
  runId: number,
  typed: { rate: string; source: string },
): Promise<RateResult> {
  const usd_per_eur = typed.rate.trim();
  if (!/^[0-4]\.\d{1,6}$/.test(usd_per_eur) || compareMoney(usd_per_eur, RATE_MIN) < 0)
    return { ok: false, reason: 'invalid', field: 'rate', problem: 'not_a_rate' };
  const source = parseSharedNote(typed.source, SOURCE_MAX);
  if (!source.ok) return { ok: false, reason: 'invalid', field: 'source', problem: source.reason };
  return await withRun(game, actor, { runId, from: ['draft'] }, async (tx, run): Promise<RateResult> => {
    await updateRun(tx, run, { usd_per_eur, eur_rate_source: source.text });
    const composed = await composeRun(tx, await refreshBasis(tx, run), actor.id, game.now());
    const detail = { usd_per_eur, source: source.text };
    await recordWork(tx, run, actor, { as: 'set_rate', act: 'entered the EUR rate of payout run', detail });
    return { ok: true, run: composed.run };
  });
}
