import { type RawBuilder, sql } from 'kysely';

/** Whether Invo answered the last call of a refund that Sharebook still checks as already processed, with its transaction; in a statement over `refund` of one game. */
export function isProcessed(gameId: number): RawBuilder<boolean> {
  return sql<boolean>`(refund.state = 'verifying' and refund.transaction_id is not null and exists (
  select from refund_attempt last where last.game_id = ${gameId} and last.refund_id = refund.refund_id and last.attempt_no = refund.attempt_count
    and last.class = 'reduced'))`;
}
