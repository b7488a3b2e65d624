import type { Nullable, SelectQueryBuilder } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Database, PayoutLineTable, SnapshotRecipientTable } from '#db/types.ts';
import { parseEnum } from '#lib/core/parse-enum.ts';
import { type NamedLine, OUTCOMES, type RunLine } from '../rules/decide-line.ts';
import type { RunId } from './find-run.ts';

type LinesWithNames = SelectQueryBuilder<
  Database & { line: PayoutLineTable; named: Nullable<SnapshotRecipientTable> },
  'line' | 'named',
  Record<never, never>
>;

/** The lines of a run, each joined with the snapshot that names its recipient. */
export function namedLines(db: Db, { gameId, runId }: RunId): LinesWithNames {
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

const COLUMNS = [
  'line.recipient_player_id as recipientId',
  'line.resolved as isResolved',
  'line.opening_usd',
  'line.earned_usd',
  'line.reversed_usd',
  'line.pinned_usd',
  'line.adjusted_usd',
  'line.returned_usd',
  'line.minimum_usd',
  'line.due_usd',
  'line.held_usd',
  'line.together_usd',
  'line.payable_usd',
  'line.closing_usd',
  'line.outcome',
  'line.also',
] as const;

type Read<Row> = Omit<Row, 'outcome' | 'also'> & Pick<RunLine, 'outcome' | 'also'>;
const read = <Row extends { outcome: string; also: string[] }>({ outcome, also, ...line }: Row): Read<Row> => ({
  ...line,
  outcome: parseEnum(OUTCOMES, outcome),
  also: also.map((each) => parseEnum(OUTCOMES, each)),
});

/** Streams every line of a run, by recipient. */
export async function* streamLines(db: Db, { gameId, runId }: RunId): AsyncGenerator<RunLine> {
  const lines = db
    .selectFrom('payout_line as line')
    .select(COLUMNS)
    .where('line.game_id', '=', gameId)
    .where('line.run_id', '=', runId)
    .orderBy('line.recipient_player_id');
  for await (const line of lines.stream(500)) yield read(line);
}

/** Streams every line of a run with the recipient's name, by recipient. */
export async function* streamNamedLines(db: Db, run: RunId): AsyncGenerator<NamedLine> {
  const lines = namedLines(db, run).select(COLUMNS).select('named.player_name as name').orderBy('line.recipient_player_id');
  for await (const line of lines.stream(500)) yield read(line);
}
