import { type RawBuilder, sql } from 'kysely';
import { listResponses } from '#db/evidence/reads/pulls/list-responses.ts';
import { loadSlice } from '#db/evidence/reads/pulls/load-slice.ts';
import type { Db } from '#db/kit/open.ts';
import { countSheetRows } from '../rules/evidence.ts';
import { digestSlice } from '../rules/proof/digest.ts';
import { allHold, proveSliceAlone } from '../rules/proof/prove-window.ts';
import { listDifferences, sumCounts } from '../rules/totals.ts';
import { compareRows } from './compare-rows.ts';
import { readAnswer, rebuildSlice } from './rebuild-slice.ts';
import type { Findings } from './violation.ts';

/** Puts one slice together again from its raw answers and holds it against what is stored. Returns how many answers it has. */
export async function verifySlice(db: Db, gameId: number, sliceId: number, findings: Findings): Promise<number> {
  const head = await db
    .selectFrom('slice')
    .selectAll()
    .where('game_id', '=', gameId)
    .where('slice_id', '=', sliceId)
    .executeTakeFirstOrThrow();
  const stored = await loadSlice(db, gameId, sliceId);
  const kept = await listResponses(db, gameId, { sliceId });
  const answers = kept.flatMap((response) => readAnswer(findings, response) ?? []);
  const rebuilt = rebuildSlice({ start: head.window_start, end: head.window_end }, answers);
  const game = await db.selectFrom('game').select('invo_game_id').where('game_id', '=', gameId).executeTakeFirstOrThrow();
  for (const { report } of answers) findings.same('answer_of_the_pinned_game', game.invo_game_id ?? 'none pinned', report.report.game_id);
  findings.same('slice_answers_kept', String(head.call_count), String(kept.length));
  findings.same('slice_notices', String(head.notice_count), String(answers.length));
  findings.same('slice_digest_of_rows', head.digest.toString('hex'), digestSlice(stored).toString('hex'));
  findings.same(
    'slice_line_counts',
    `${head.renewal_line_count} and ${head.reversal_line_count}`,
    `${stored.renewals.length} and ${stored.reversals.length}`,
  );
  findings.same('slice_event_count', String(head.reversal_event_count), String(sumCounts(stored.reversals.map(countSheetRows))));
  findings.same('slice_ties_out', String(head.ties_out), String(allHold(proveSliceAlone(stored))));
  findings.same('slice_order_columns', '0 rows', `${await countMisplaced(db, gameId, sliceId)} rows`);
  findings.must('slice_pages_kept', rebuilt !== null, 'the pages it came from', 'no first page');
  if (rebuilt) {
    findings.same('slice_digest_of_raw_bytes', head.digest.toString('hex'), digestSlice(rebuilt).toString('hex'));
    findings.same('slice_totals_of_raw_bytes', '', listDifferences(rebuilt.totals, stored.totals).join(', '));
    findings.same('slice_generated_at', rebuilt.generated_at, stored.generated_at);
    compareRows(findings, stored, rebuilt);
  }
  return kept.length;
}

/** Rows whose column for order is not the instant Invo reported, or whose recipient is not the line's: they would stand in the wrong place. */
async function countMisplaced(db: Db, gameId: number, sliceId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select
    (select count(*) from renewal_line where game_id = ${gameId} and slice_id = ${sliceId} and paid_at <> ${truncated('paid_at_reported')})
    + (select count(*) from reversal_line where game_id = ${gameId} and slice_id = ${sliceId} and paid_at <> ${truncated('paid_at_reported')})
    + (select count(*) from refund_event event left join reversal_line line using (game_id, slice_id, period_id)
       where event.game_id = ${gameId} and event.slice_id = ${sliceId}
         and (event.refunded_at <> ${truncated('event.refunded_at_reported')} or event.recipient_player_id is distinct from line.recipient_player_id)) as count`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** A reported instant cut off at the microsecond, as it is stored for order; Postgres alone would round it. */
function truncated(column: 'paid_at_reported' | 'event.refunded_at_reported'): RawBuilder<string> {
  return sql`regexp_replace(${sql.ref(column)}, '(\\.\\d{6})\\d+Z$', '\\1Z')::timestamptz`;
}
