import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import type { SheetName } from '#lib/evidence/rules/sheets.ts';
import { recipientSource, renewalSource, reversalSource, type SheetSnapshot } from './sheet-source.ts';

/** Rows handed over at a time: enough to be quick, few enough that memory does not grow with the sheet. */
const BATCH_ROWS = 1_000;

export interface SheetOf {
  snapshotId: number;
  window: Window;
}

/** Some rows of a sheet: the condition on its source, and the same in words for the manifest. */
export interface ChosenRows {
  filter: Record<string, string>;
  condition: RawBuilder<SqlBool>;
}

/** Every row of a sheet, or those a condition leaves, in the order of the file, in batches; feeds the export. Cells come by the column's key. */
export async function* streamSheet(
  db: Db,
  game: { gameId: number; slug: string; environment: string },
  of: SheetOf,
  sheet: SheetName,
  condition: RawBuilder<SqlBool> = sql`true`,
): AsyncGenerator<Record<string, unknown>[]> {
  const snapshot: SheetSnapshot = { ...game, snapshotId: of.snapshotId, windowStart: of.window.start, windowEnd: of.window.end };
  let batch: Record<string, unknown>[] = [];
  for await (const row of inFileOrder(db, snapshot, sheet, condition)) {
    batch.push(row);
    if (batch.length === BATCH_ROWS) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

function inFileOrder(
  db: Db,
  snapshot: SheetSnapshot,
  sheet: SheetName,
  condition: RawBuilder<SqlBool>,
): AsyncIterable<Record<string, unknown>> {
  switch (sheet) {
    case 'recipients':
      return recipientSource(db, snapshot)
        .where(condition)
        .orderBy('snapshot_recipient.net_attributed_usd', 'desc')
        .orderBy('snapshot_recipient.recipient_player_id')
        .stream(BATCH_ROWS);
    case 'renewals':
      return renewalSource(db, snapshot)
        .where(condition)
        .orderBy('renewal_line.recipient_player_id')
        .orderBy('renewal_line.paid_at')
        .orderBy('renewal_line.period_id')
        .stream(BATCH_ROWS);
    case 'reversals':
      return reversalSource(db, snapshot)
        .where(condition)
        .orderBy('reversal_line.recipient_player_id')
        .orderBy(sql`refund_event.refunded_at asc nulls first`)
        .orderBy('reversal_line.period_id')
        .orderBy('refund_event.event_no')
        .stream(BATCH_ROWS);
  }
}
