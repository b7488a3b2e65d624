import type pg from 'pg';
import { inTransaction } from '#db/kit/open.ts';
import type { PeriodFacts } from '#lib/refunds/rules/period-facts.ts';
import type { ReadPurpose } from '#lib/refunds/rules/refund-ports.ts';
import type { RefundDecision } from './decide-refund.ts';
import { recordRefundAudit } from './refund-audit.ts';

/** Keeps a reading of the period that a person asked for while a refund needs two people. False when it needs them no more. */
export async function recordReading(pool: pg.Pool, reading: RefundDecision & { facts: PeriodFacts }): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `select 1 from refund where game_id = $1 and refund_id = $2 and state = 'attention' for update`,
      [reading.gameId, reading.refundId],
    );
    if (rowCount !== 1) return false;
    await insertReading(client, reading, 'verify', reading.facts);
    await recordRefundAudit(client, reading, reading.actor.email, 'had the period read again');
    return true;
  });
}

/** Keeps a reading of the period, whatever the refund's state. */
export async function keepReading(
  pool: pg.Pool,
  refund: { gameId: number; refundId: number },
  purpose: ReadPurpose,
  facts: PeriodFacts,
): Promise<void> {
  await inTransaction(pool, (client) => insertReading(client, refund, purpose, facts));
}

/** Adds a reading of the period to a refund, numbered after those before; holds the refund until the transaction of the client ends. */
export async function insertReading(
  client: pg.ClientBase,
  refund: { gameId: number; refundId: number },
  purpose: ReadPurpose,
  facts: PeriodFacts,
): Promise<void> {
  // A statement of its own: what is counted after it sees the reading of whoever held the refund before.
  await client.query(`select 1 from refund where game_id = $1 and refund_id = $2 for update`, [refund.gameId, refund.refundId]);
  await client.query(
    `insert into refund_read (game_id, refund_id, read_no, purpose, facts)
     select $1, $2, coalesce(max(read_no), 0) + 1, $3, $4 from refund_read where game_id = $1 and refund_id = $2`,
    [refund.gameId, refund.refundId, purpose, JSON.stringify(facts)],
  );
}
