import { createHash, randomUUID } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { RefundTable } from '#db/types.ts';
import { estimateRefund } from '#lib/refunds/rules/estimate.ts';
import { sampleFacts } from '../refunds/sample-refund.ts';

type Seed = Partial<Omit<Insertable<RefundTable>, 'game_id'>>;

const FACTS = sampleFacts({ item_name: 'Supporter pass' });
const ESTIMATE = estimateRefund(FACTS, '20.00', { now: '2026-11-21T12:00:00Z', timeZone: 'UTC' });

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** For tests: a colleague by name, with an id of the same words. */
export async function seedColleague(db: Db, name: string, role = 'support'): Promise<string> {
  const id = name.toLowerCase();
  await db
    .insertInto('person')
    .values({
      id,
      name,
      email: `${id}@studio.example`,
      roles: [role],
      account_confirmed_at: sql<string>`clock_now()`,
      first_confirmed_at: sql<string>`clock_now()`,
    })
    .execute();
  return id;
}

/** For tests: a refund that waits for approval, of a period of its own unless one is given; whatever else is given wins. */
export async function seedRefund(db: Db, gameId: number, given: Seed & { requested_by: string }): Promise<number> {
  const key = `sharebook-test-${randomUUID()}`;
  const values: Omit<Insertable<RefundTable>, 'receipt'> = {
    game_id: gameId,
    draft_id: randomUUID(),
    client_request_id: key,
    request_bytes: Buffer.from('{}'),
    request_digest: digest('{}'),
    subscription_id: `SUB_${key.slice(-8)}`,
    period_id: 2026100001,
    period_seq: 1,
    amount_usd: '20.00',
    reason_code: 'goodwill',
    facts: JSON.stringify(FACTS),
    estimate: JSON.stringify(ESTIMATE),
    baseline_digest: digest('baseline'),
    content_digest: digest('content'),
    state: 'awaiting_approval',
    needs_second_approver: false,
    assignee_id: given.requested_by,
    ...given,
  };
  const { refund_id } = await db
    .insertInto('refund')
    .values({ receipt: sql<string>`null`, ...values })
    .returning('refund_id')
    .executeTakeFirstOrThrow();
  return refund_id;
}

/** For tests: what a refund in a state beyond approval must have as well. */
export function seedApproved(state: string): Seed {
  const isEnded = ['landed', 'refused', 'not_landed'].includes(state);
  return {
    state,
    approval: 'policy',
    approved_at: '2026-11-21T10:00:00Z',
    approved_digest: digest('content'),
    ...(isEnded ? { ended_at: '2026-11-21T10:00:05Z' } : {}),
    ...(state === 'landed' ? { outcome_source: 'receipt', receipt: '{}' } : {}),
    ...(state === 'attention' ? { attention_reason: 'period_unclear' } : {}),
    ...(state === 'sending' ? { lease_owner: 'test' } : {}),
  };
}
