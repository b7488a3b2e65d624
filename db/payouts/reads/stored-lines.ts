import { type Nullable, type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Database, PayoutLineTable, SnapshotRecipientTable } from '#db/types.ts';
import { parseEnum } from '#lib/core/parse-enum.ts';
import { OUTCOMES, type Outcome } from '#lib/payouts/rules/decide-line.ts';
import type { RunId } from './find-run.ts';

/** A stored line as commands print it. */
export interface PrintedLine {
  recipientId: number;
  opening_usd: string;
  earned_usd: string;
  reversed_usd: string;
  pinned_usd: string;
  adjusted_usd: string;
  returned_usd: string;
  due_usd: string;
  payable_usd: string;
  closing_usd: string;
  outcome: Outcome;
  also: readonly Outcome[];
}

type NamedLines = SelectQueryBuilder<
  Database & { line: PayoutLineTable; named: Nullable<SnapshotRecipientTable> },
  'line' | 'named',
  Record<never, never>
>;

/** The lines of a run, each joined with the snapshot that names its recipient. */
export function namedLines(db: Db, { gameId, runId }: RunId): NamedLines {
  return db
    .selectFrom('payout_line as line')
    .leftJoin('snapshot_recipient as named', (join) =>
      join
        .on('named.game_id', '=', gameId)
        .onRef('named.snapshot_id', '=', 'line.seen_snapshot_id')
        .onRef('named.recipient_player_id', '=', 'line.recipient_player_id'),
    )
    .where('line.game_id', '=', gameId)
    .where('line.run_id', '=', runId);
}

/** Lists every line of a run, by recipient. */
export async function listStoredLines(db: Db, { gameId, runId }: RunId): Promise<PrintedLine[]> {
  const { rows } = await sql<PrintedLine>`
    select recipient_player_id as "recipientId", opening_usd, earned_usd, reversed_usd, pinned_usd, adjusted_usd, returned_usd, due_usd, payable_usd,
      closing_usd, outcome, also
    from payout_line where game_id = ${gameId} and run_id = ${runId} order by recipient_player_id`.execute(db);
  return rows;
}

/** Streams every line of a run with the recipient's name, by recipient. */
export async function* streamStoredLines(db: Db, { gameId, runId }: RunId): AsyncGenerator<PrintedLine & { name: string | null }> {
  const lines = namedLines(db, { gameId, runId })
    .select([
      'line.recipient_player_id as recipientId',
      'named.player_name as name',
      'line.opening_usd',
      'line.earned_usd',
      'line.reversed_usd',
      'line.pinned_usd',
      'line.adjusted_usd',
      'line.returned_usd',
      'line.due_usd',
      'line.payable_usd',
      'line.closing_usd',
      'line.outcome',
      'line.also',
    ])
    .orderBy('line.recipient_player_id');
  for await (const { outcome, also, ...line } of lines.stream(500))
    yield { ...line, outcome: parseEnum(OUTCOMES, outcome), also: also.map((each) => parseEnum(OUTCOMES, each)) };
}
