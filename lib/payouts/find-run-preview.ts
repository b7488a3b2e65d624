import { findExportable, findSnapshot, type Snapshot } from '#db/evidence/reads/snapshots.ts';
import { listHeldPeriods, listReversalsInOrder, listRunRecipients } from '#db/payouts/reads.ts';
import type { Month } from '../core/month.ts';
import { monthWindow } from '../core/month.ts';
import type { OpenGame } from '../games/open-game.ts';
import { type ComposedRun, composeFirstRun } from './rules/compose-run.ts';
import { DEFAULT_POLICY } from './rules/policy.ts';

export type RunPreview =
  | { ok: true; snapshot: Snapshot; run: ComposedRun }
  | { ok: false; reason: 'never_pulled' }
  | { ok: false; reason: 'not_complete'; snapshot: Snapshot };

/**
 * Composes what a payout run of a month would pay if it were the first and were drafted now, the holds it would place included. Stores
 * nothing. Refused for a month that was never pulled or is not complete: a figure Invo has not reported is never paid from.
 */
export async function findRunPreview({ db, gameId, timeZone }: OpenGame, month: Month): Promise<RunPreview> {
  const window = monthWindow(month, timeZone);
  const found = await findExportable(db, gameId, window);
  if (found === null) return { ok: false, reason: 'never_pulled' };
  const { snapshotId } = found;
  const snapshot = await findSnapshot(db, gameId, snapshotId);
  if (snapshot.status !== 'complete') return { ok: false, reason: 'not_complete', snapshot };
  const [recipients, reversals, heldPeriods] = await Promise.all([
    listRunRecipients(db, gameId, snapshotId),
    listReversalsInOrder(db, gameId, snapshotId, window),
    listHeldPeriods(db, gameId, snapshotId, window),
  ]);
  return { ok: true, snapshot, run: composeFirstRun({ policy: DEFAULT_POLICY, recipients, reversals, heldPeriods }) };
}
