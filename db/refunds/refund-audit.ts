import type pg from 'pg';

/** Writes down who did what with a refund, in the transaction that does it. `actor` is an e-mail, or "worker". */
export async function recordRefundAudit(
  client: pg.ClientBase,
  refund: { gameId: number; refundId: number },
  actor: string,
  act: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await client.query(`insert into audit (actor, game_id, act, subject, detail) values ($1, $2, $3, $4, $5)`, [
    actor,
    refund.gameId,
    act,
    `refund ${refund.refundId}`,
    JSON.stringify(detail),
  ]);
}
