import type { Db } from '#db/kit/open.ts';
import { parseEnum } from '#lib/core/parse-enum.ts';
import { OUTCOMES, type RunLine } from '../rules/decide-line.ts';
import type { RunId } from './find-run.ts';

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
  'line.detail_no as detailNo',
] as const;

/** Streams every line of a run, by recipient. */
export async function* streamLines(db: Db, { gameId, runId }: RunId): AsyncGenerator<RunLine> {
  const lines = db
    .selectFrom('payout_line as line')
    .select(COLUMNS)
    .where('line.game_id', '=', gameId)
    .where('line.run_id', '=', runId)
    .orderBy('line.recipient_player_id');
  for await (const line of lines.stream(500)) {
    yield { ...line, outcome: parseEnum(OUTCOMES, line.outcome), also: line.also.map((each) => parseEnum(OUTCOMES, each)) };
  }
}
