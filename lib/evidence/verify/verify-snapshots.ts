import { findStatement } from '#db/evidence/reads/months/find-statement.ts';
import { findSlice, type HeldSlice } from '#db/evidence/reads/pulls/find-slices.ts';
import { listResponses } from '#db/evidence/reads/pulls/list-responses.ts';
import { loadSlice } from '#db/evidence/reads/pulls/load-slice.ts';
import type { Db } from '#db/kit/open.ts';
import { compareInstants } from '#lib/core/instant.ts';
import type { Window } from '#lib/core/window.ts';
import { digestSnapshot } from '../rules/proof/digest.ts';
import { WindowProver } from '../rules/proof/prove-window.ts';
import { tilesExactly } from '../rules/slice-plan.ts';
import { listDifferences } from '../rules/totals.ts';
import { compareProof } from './compare-proof.ts';
import { rebuildControl } from './rebuild-control.ts';
import { readAnswer } from './rebuild-slice.ts';
import type { Findings } from './violation.ts';

/** Walks the chain of a game's snapshots from its first link and proves each of them again. */
export async function verifySnapshots(
  db: Db,
  gameId: number,
  findings: Findings,
  onProgress: (line: string) => void,
): Promise<{ snapshots: number; responses: number }> {
  const chain = await listLinks(db, gameId);
  let responses = 0;
  for (const [at, link] of chain.entries()) {
    onProgress(`snapshot ${at + 1} of ${chain.length}`);
    const about = findings.about(`snapshot ${link.snapshot_id}`);
    const previous = chain[at - 1]?.digest ?? null;
    about.same('chain_has_no_gap', String(at + 1), String(link.chain_no));
    about.same('chain_names_the_link_before', previous?.toString('hex') ?? 'none', link.previous_digest?.toString('hex') ?? 'none');
    responses += await verifySnapshot(db, gameId, link, previous, about);
  }
  return { snapshots: chain.length, responses };
}

export type Link = Awaited<ReturnType<typeof listLinks>>[number];

async function listLinks(db: Db, gameId: number) {
  return db.selectFrom('snapshot').selectAll().where('game_id', '=', gameId).orderBy('chain_no').execute();
}

async function verifySnapshot(db: Db, gameId: number, link: Link, previous: Buffer | null, findings: Findings): Promise<number> {
  const statement = await findStatement(db, gameId, link.snapshot_id);
  const covered: Window = { start: statement.window.start, end: statement.coveredUntil };
  const slices = await listSlices(db, gameId, link.snapshot_id);
  const tiles = tilesExactly(covered, slices);
  findings.must(
    'slices_tile_the_window',
    tiles,
    `${covered.start} to ${covered.end}`,
    slices.map((slice) => `${slice.start} to ${slice.end}`).join(', '),
  );
  const digest = digestSnapshot(
    previous,
    covered,
    slices.map((slice) => slice.digest),
    statement.totals,
  );
  findings.same('snapshot_digest', link.digest.toString('hex'), digest.toString('hex'));
  const kept = await listResponses(db, gameId, { snapshotId: link.snapshot_id });
  const control = rebuildControl(
    link.pull_id,
    slices,
    kept.flatMap((response) => readAnswer(findings, response) ?? []),
  );
  const differs = control === null ? ['no answers cover the window'] : listDifferences(control.totals, statement.totals);
  findings.same('control_totals_of_raw_bytes', '', differs.join(', '));
  findings.same('control_window_count', String(control?.window_count ?? 0), String(link.control_window_count));
  const prover = new WindowProver(covered);
  for (const slice of slices) prover.add(await loadSlice(db, gameId, slice.sliceId));
  if (slices.length === 0) return kept.length;
  const proof = prover.close({ ...statement.totals, recipient_count: control?.totals.recipient_count ?? null });
  const isWhole = proof.holds && tiles && compareInstants(link.generated_at, covered.end) >= 0;
  findings.same('standing', !isWhole ? 'inconsistent' : covered.end === statement.window.end ? 'complete' : 'open', statement.standing);
  await compareProof(db, gameId, link, statement, proof, findings);
  return kept.length;
}

/** The slices a snapshot names, those alone that are still there: one that is missing leaves a gap, which is then named. */
async function listSlices(db: Db, gameId: number, snapshotId: number): Promise<HeldSlice[]> {
  const rows = await db
    .selectFrom('snapshot_slice')
    .innerJoin('slice', (join) =>
      join.onRef('slice.game_id', '=', 'snapshot_slice.game_id').onRef('slice.slice_id', '=', 'snapshot_slice.slice_id'),
    )
    .select('slice.slice_id')
    .where('snapshot_slice.game_id', '=', gameId)
    .where('snapshot_slice.snapshot_id', '=', snapshotId)
    .orderBy('slice_no')
    .execute();
  const slices: HeldSlice[] = [];
  for (const { slice_id } of rows) slices.push(await findSlice(db, gameId, slice_id));
  return slices;
}
