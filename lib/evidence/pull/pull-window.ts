import { compareInstants, earlierOf } from '#lib/core/instant.ts';
import { isClosed, settledUntil, type Window } from '#lib/core/window.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { digestFacts, digestIdentity, digestLink } from '../digest.ts';
import { listStoredSlices, loadSlice, type StoredSlice } from '../reads/slices.ts';
import { findCurrentSnapshot } from '../reads/snapshots.ts';
import type { ChainLink } from '../rules/chain-head.ts';
import type { SnapshotStatus } from '../rules/evidence.ts';
import { countFigures, type Reconciliation, WindowReconciler } from '../rules/reconciliation/check-window.ts';
import { planSlices, tilesExactly } from '../rules/slice-plan.ts';
import { listDifferences } from '../rules/totals.ts';
import type { NewResponse } from '../writes/insert-slice.ts';
import { type ChainPosition, insertRecheck, insertSnapshot, type Seal } from '../writes/insert-snapshot.ts';
import type { Lease } from '../writes/pull-queue.ts';
import { type Control, joinControls, pullChanged, readControls } from './control-totals.ts';
import type { PullSession } from './pull-session.ts';
import { FreshEvidence, pullGap, type RunningPull, storeAnswer } from './pull-slice.ts';

export interface WindowToPull {
  window: Window;
  isFresh: boolean;
}

/**
 * Pulls what is missing of a window, reconciles it with Invo's totals of the whole window, and stores a snapshot.
 * Each slice is stored once it is whole, so an interrupted pull continues where it stopped. A window with a snapshot of the same slices is re-checked:
 * equal totals add a re-check and no second snapshot. Other totals than those of a complete snapshot are stored as a re-check before anything is pulled
 * again, so that they are known even if that fails. Returns the id of the resulting snapshot.
 * Errors: InvoError, `PullStopped`, `LeaseLost`; what was stored before stays as it was.
 */
export async function pullWindow(game: OpenGame, lease: Lease, session: PullSession, { window, isFresh }: WindowToPull): Promise<number> {
  const horizon = settledUntil(game.now(), game.settleLag_minutes);
  const covered: Window = { start: window.start, end: earlierOf(window.end, horizon) };
  const work: RunningPull = { game, lease, session, horizon, fresh: new FreshEvidence() };
  const controls = await readControls(work, await coverWindow(work, covered, isFresh));
  const requested = joinControls(controls);
  const last = await findCurrentSnapshot(game.db, game.gameId, window);
  const isEqual = last !== null && listDifferences(last.totals, requested.totals).length === 0;
  const isDrift = last?.status === 'complete' && !isEqual;
  const answersOfDrift = isDrift ? session.takeAnswers('control').map(storeAnswer) : [];
  const recheck = ({ snapshotId }: { snapshotId: number }, isEqual: boolean, responses: NewResponse[]): Promise<void> =>
    insertRecheck(game.db, lease, { snapshotId, isEqual, responses, calls: session.calls, lines: session.lines });
  if (isDrift) await recheck(last, false, answersOfDrift);
  const control: Control = { ...requested, slices: await pullChanged(work, controls) };
  const responses = [...answersOfDrift, ...session.takeAnswers('control').map(storeAnswer)];
  if (last && isEqual && last.status !== 'inconsistent' && sameSlices(last.sliceIds, control.slices)) {
    await recheck(last, true, responses);
    return last.snapshotId;
  }
  session.setActivity('reconciling the window');
  const reconciliation = await reconcileWindow(work, covered, control);
  const status = statusOf(window, covered, horizon, control, reconciliation);
  const facts = digestFacts(
    covered,
    control.slices.map((slice) => slice.digest),
    reconciliation.totals,
  );
  return insertSnapshot(game.db, lease, {
    window,
    coveredUntil: covered.end,
    status,
    generatedAt: control.generated_at,
    controlWindowCount: control.window_count,
    slices: control.slices,
    reconciliation,
    figures: countFigures(reconciliation),
    seal: (position) => sealSnapshot(position, { window, covered, status, generated_at: control.generated_at, facts }),
    responses,
    equalTo: last?.status === 'complete' && isEqual ? last.snapshotId : null,
    calls: session.calls,
    lines: session.lines,
  });
}

/** Binds a snapshot to the link before it: its facts, the responses they come from, and its recipients, each with their own salt. */
function sealSnapshot(
  { position, previous, created_at, responses, recipients, salts }: ChainPosition,
  content: Pick<ChainLink, 'window' | 'status' | 'generated_at' | 'facts'> & { covered: Window },
): Seal {
  const identities = recipients.map((recipient) => {
    const salt = salts.get(recipient.recipient_player_id);
    return salt === undefined ? null : digestIdentity(salt, recipient);
  });
  const digested = recipients.map((recipient, index) => ({ ...recipient, digest: identities[index] ?? null }));
  const link = { ...content, position, previous, created_at, covered_until: content.covered.end, responses, recipients: digested };
  return { facts: content.facts, link: digestLink(link), identities };
}

async function coverWindow(work: RunningPull, covered: Window, isFresh: boolean): Promise<StoredSlice[]> {
  const { game, lease, session } = work;
  const stored = await listStoredSlices(game.db, game.gameId, covered, isFresh ? lease.pullId : undefined);
  const plan = planSlices(covered, stored, game.timeZone);
  session.expect({ calls: plan.gaps.length });
  const slices = [...plan.stored];
  for (const gap of plan.gaps) slices.push(...(await pullGap(work, gap)));
  return slices.toSorted((a, b) => compareInstants(a.start, b.start));
}

/** Slices this pull stored are reconciled as they were stored, others as they are loaded; `verify` loads them all. */
async function reconcileWindow({ game, fresh }: RunningPull, covered: Window, control: Control): Promise<Reconciliation> {
  const reconciler = new WindowReconciler(covered);
  for (const { sliceId } of control.slices) reconciler.add(fresh.take(sliceId) ?? (await loadSlice(game.db, game.gameId, sliceId)));
  return reconciler.close(control.totals);
}

function statusOf(window: Window, covered: Window, horizon: string, control: Control, reconciliation: Reconciliation): SnapshotStatus {
  if (!reconciliation.holds || !tilesExactly(covered, control.slices) || compareInstants(control.generated_at, covered.end) < 0)
    return 'inconsistent';
  return isClosed(window, horizon) ? 'complete' : 'open';
}

function sameSlices(ids: number[], slices: StoredSlice[]): boolean {
  return ids.length === slices.length && ids.every((id, index) => id === slices[index]?.sliceId);
}
