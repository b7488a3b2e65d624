import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { listResponses } from '#db/evidence/reads/pulls/list-responses.ts';
import type { Db } from '#db/kit/open.ts';
import { verifyRefunds } from '#lib/refunds/verify-refunds.ts';
import { inflate } from './rebuild-slice.ts';
import { verifyLinks } from './verify-links.ts';
import { verifySlice } from './verify-slice.ts';
import { verifySnapshots } from './verify-snapshots.ts';
import { Findings, type Violation } from './violation.ts';

export interface Verification {
  slices: number;
  snapshots: number;
  responses: number;
  refunds: number;
  violations: Violation[];
}

/**
 * Computes everything stored of a game again from the raw bytes Invo sent: digests of answers, slices and the chain, totals, lines, checks and
 * recipients' figures; and holds each refund to its bytes, its approval and its receipt. Reads one frozen view of the database and writes nothing. Names each row that no longer follows from its evidence.
 */
export async function verifyGame(db: Db, gameId: number, onProgress: (line: string) => void = () => undefined): Promise<Verification> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      // A verification may look at a large book for minutes between two statements; it holds nothing that others wait for.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      const findings = new Findings();
      const slices = await trx
        .selectFrom('slice')
        .select(['slice_id', 'window_start'])
        .where('game_id', '=', gameId)
        .orderBy('slice_id')
        .execute();
      let responses = 0;
      for (const [at, slice] of slices.entries()) {
        onProgress(`slice ${at + 1} of ${slices.length}: ${slice.window_start.slice(0, 10)}`);
        responses += await verifySlice(trx, gameId, slice.slice_id, findings.about(`slice ${slice.slice_id}`));
      }
      responses += await verifyRefused(trx, gameId, findings);
      await verifyLinks(trx, gameId, findings);
      const refunds = await verifyRefunds(trx, gameId, findings);
      const statements = await verifySnapshots(trx, gameId, findings, onProgress);
      return {
        slices: slices.length,
        snapshots: statements.snapshots,
        responses: responses + statements.responses,
        refunds,
        violations: findings.violations,
      };
    });
}

/** A refused body need not read as anything; its bytes must still be the ones that came. */
async function verifyRefused(db: Db, gameId: number, findings: Findings): Promise<number> {
  const kept = await listResponses(db, gameId, 'refused');
  for (const { responseId, body, sha256 } of kept) {
    const inflated = inflate(body);
    const digest = inflated === null ? 'no gzip' : createHash('sha256').update(inflated).digest('hex');
    findings.about(`response ${responseId}`).same('response_digest', sha256.toString('hex'), digest);
  }
  return kept.length;
}
