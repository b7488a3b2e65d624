import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';

/** A refund with everything that must hold about it. */
export interface RefundToVerify {
  refund_id: number;
  environment: string;
  client_request_id: string;
  request_bytes: Buffer;
  request_digest: Buffer;
  subscription_id: string;
  period_id: number;
  period_seq: number;
  amount_usd: string;
  reason_code: string;
  reason_text: string | null;
  facts: unknown;
  estimate: unknown;
  baseline_digest: Buffer;
  content_digest: Buffer;
  approved_digest: Buffer | null;
  state: string;
  attempt_count: number;
  receipt: unknown;
  /** Rows of its attempts, and statements two people confirmed. */
  attempts: number;
  confirmed_decisions: number;
  /** A stored slice reports a refund like it, which is not noted. */
  is_reported: boolean;
}

/** Every refund of a game, oldest first, with what a verification computes again. */
export async function listRefundsToVerify(db: Db, gameId: number): Promise<RefundToVerify[]> {
  const { rows } = await sql<RefundToVerify>`
    select refund.*, game.environment,
      (select count(*)::int from refund_attempt a where a.game_id = refund.game_id and a.refund_id = refund.refund_id) as attempts,
      (select count(*)::int from refund_decision d where d.game_id = refund.game_id and d.refund_id = refund.refund_id and d.confirmed_by is not null) as confirmed_decisions,
      exists (select from refund_reported r where r.game_id = refund.game_id and r.refund_id = refund.refund_id) as is_reported
    from refund join game using (game_id) where game_id = ${gameId} order by refund_id`.execute(db);
  return rows;
}

/** The attempts of a refund in order, with their answers as kept. */
export async function listAttemptsOf(
  db: Db,
  gameId: number,
  refundId: number,
): Promise<{ attempt_no: number; request_digest: Buffer; body: Buffer | null; sha256: Buffer | null }[]> {
  return db
    .selectFrom('refund_attempt')
    .select(['attempt_no', 'request_digest', 'body', 'sha256'])
    .where('game_id', '=', gameId)
    .where('refund_id', '=', refundId)
    .orderBy('attempt_no')
    .execute();
}
