import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { listResponses } from '../../../db/queries/list-responses.ts';
import { loadSlice } from '../../../db/queries/load-slice.ts';
import { digestSlice } from '../../domain/proof/digest.ts';
import { allHold, proveSliceAlone } from '../../domain/proof/prove-window.ts';
import { listDifferences } from '../../domain/totals.ts';
import { readAnswer, rebuildSlice } from './rebuild-slice.ts';
import { verifySnapshots } from './verify-snapshots.ts';
import { Findings, type Violation } from './violation.ts';

export interface Verification {
  slices: number;
  snapshots: number;
  responses: number;
  violations: Violation[];
}

/**
 * Computes everything stored of a game again from the raw bytes Invo sent: digests of answers, slices and the chain, totals, lines, checks and
 * recipients' figures. Reads one frozen view of the database and writes nothing. Names each row that no longer follows from its evidence.
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
        .select([
          'slice_id',
          'digest',
          'ties_out',
          'window_start',
          'window_end',
          'notice_count',
          'call_count',
          'renewal_line_count',
          'reversal_line_count',
        ])
        .where('game_id', '=', gameId)
        .orderBy('slice_id')
        .execute();
      let responses = 0;
      for (const [at, slice] of slices.entries()) {
        onProgress(`slice ${at + 1} of ${slices.length}: ${slice.window_start.slice(0, 10)}`);
        responses += await verifySlice(trx, gameId, slice, findings.about(`slice ${slice.slice_id}`));
      }
      responses += await verifyRefused(trx, gameId, findings);
      const statements = await verifySnapshots(trx, gameId, findings, onProgress);
      return {
        slices: slices.length,
        snapshots: statements.snapshots,
        responses: responses + statements.responses,
        violations: findings.violations,
      };
    });
}

interface SliceRow {
  slice_id: number;
  digest: Buffer;
  ties_out: boolean;
  window_start: string;
  window_end: string;
  notice_count: number;
  call_count: number;
  renewal_line_count: number;
  reversal_line_count: number;
}

async function verifySlice(db: Db, gameId: number, slice: SliceRow, findings: Findings): Promise<number> {
  const stored = await loadSlice(db, gameId, slice.slice_id);
  const kept = await listResponses(db, gameId, { sliceId: slice.slice_id });
  const answers = kept.flatMap((response) => readAnswer(findings, response) ?? []);
  const rebuilt = rebuildSlice({ start: slice.window_start, end: slice.window_end }, answers);
  findings.same('slice_answers_kept', String(slice.call_count), String(kept.length));
  findings.same('slice_notices', String(slice.notice_count), String(answers.length));
  findings.same('slice_digest_of_rows', slice.digest.toString('hex'), digestSlice(stored).toString('hex'));
  findings.same(
    'slice_digest_of_raw_bytes',
    slice.digest.toString('hex'),
    rebuilt ? digestSlice(rebuilt).toString('hex') : 'no pages are kept',
  );
  findings.same('slice_totals_of_raw_bytes', '', rebuilt ? listDifferences(rebuilt.totals, stored.totals).join(', ') : 'no pages are kept');
  findings.same(
    'slice_line_counts',
    `${slice.renewal_line_count} and ${slice.reversal_line_count}`,
    `${stored.renewals.length} and ${stored.reversals.length}`,
  );
  findings.same('slice_ties_out', String(slice.ties_out), String(allHold(proveSliceAlone(stored))));
  return kept.length;
}

/** A refused body need not read as anything; its bytes must still be the ones that came. */
async function verifyRefused(db: Db, gameId: number, findings: Findings): Promise<number> {
  const kept = await listResponses(db, gameId, 'refused');
  for (const { responseId, body, sha256 } of kept) {
    findings
      .about(`response ${responseId}`)
      .same('response_digest', sha256.toString('hex'), createHash('sha256').update(gunzipSync(body)).digest('hex'));
  }
  return kept.length;
}
