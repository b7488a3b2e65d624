import type pg from 'pg';
import { ALL_REFUNDS, auditSubjectOf } from '#lib/refunds/rules/audit-actions.ts';

/** Writes down who did what with a refund, in the transaction that does it. `actor` is an e-mail, or "worker". */
export async function recordRefundAudit(
  client: pg.ClientBase,
  refund: { gameId: number; refundId: number },
  actor: string,
  act: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await insertAudit(client, [actor, refund.gameId, act, auditSubjectOf(refund.refundId), JSON.stringify(detail)]);
}

/** Writes down who did what that all refunds of a game depend on, in the transaction that does it. */
export async function recordDeskAudit(
  client: pg.ClientBase,
  { gameId, actor }: { gameId: number; actor: { email: string } },
  act: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await insertAudit(client, [actor.email, gameId, act, ALL_REFUNDS, JSON.stringify(detail)]);
}

async function insertAudit(
  client: pg.ClientBase,
  values: [actor: string, gameId: number, act: string, subject: string, detail: string],
): Promise<void> {
  await client.query(`insert into audit (actor, game_id, act, subject, detail) values ($1, $2, $3, $4, $5)`, values);
}
