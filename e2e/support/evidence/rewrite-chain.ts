import type pg from 'pg';
import type { Db } from '#db/kit/open.ts';
import { digestFacts, digestLink, digestSnapshot } from '#lib/evidence/digest.ts';
import { listSlicesOfSnapshot } from '#lib/evidence/reads/slices.ts';
import { findSnapshot } from '#lib/evidence/reads/snapshots.ts';
import { listRecipientsOfSnapshot, listResponseHeads, listSnapshotRows } from '#lib/evidence/reads/verification.ts';
import { parseSnapshotStatus } from '#lib/evidence/rules/evidence.ts';

/**
 * For tests: rewrites a game's chain from what its rows say now, as a superuser could. Links up to
 * `oldUntil` become ones of version 1, as they were stored before version 2. `client` is in a transaction in which no trigger fires, and
 * `db` reads in it.
 */
export async function rewriteChain(db: Db, client: pg.ClientBase, gameId: number, oldUntil = 0): Promise<void> {
  let previous: Buffer | null = null;
  for (const [index, link] of (await listSnapshotRows(db, gameId)).entries()) {
    const snapshot = await findSnapshot(db, gameId, link.snapshot_id);
    const covered = { start: link.window_start, end: link.covered_until };
    const slices = (await listSlicesOfSnapshot(db, gameId, link.snapshot_id)).map(({ digest }) => digest);
    const facts = digestFacts(covered, slices, snapshot.totals);
    const recipients = await listRecipientsOfSnapshot(db, gameId, link.snapshot_id);
    const isOld = index + 1 <= oldUntil;
    const digest: Buffer = isOld
      ? digestSnapshot(previous, covered, slices, snapshot.totals)
      : digestLink({
          position: index + 1,
          previous,
          created_at: link.created_at,
          window: { start: link.window_start, end: link.window_end },
          covered_until: link.covered_until,
          generated_at: link.generated_at,
          status: parseSnapshotStatus(link.status),
          facts,
          responses: await listResponseHeads(db, gameId, link),
          recipients: recipients.map((row) => ({ ...row, digest: row.identity_digest })),
        });
    await client.query(
      `update snapshot set chain_no = $3, previous_digest = $4, digest = $5, digest_version = $6, facts_digest = $7 where game_id = $1 and snapshot_id = $2`,
      [gameId, link.snapshot_id, index + 1, previous, digest, isOld ? 1 : 2, isOld ? null : facts],
    );
    if (isOld)
      await client.query('update snapshot_recipient set identity_digest = null where game_id = $1 and snapshot_id = $2', [
        gameId,
        link.snapshot_id,
      ]);
    previous = digest;
  }
}
