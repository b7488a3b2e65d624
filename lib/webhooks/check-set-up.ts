import { randomUUID } from 'node:crypto';
import { TEST_EVENT_TYPE } from './rules/event.ts';
import { signDelivery } from './rules/signature-header.ts';

/** The result of the delivery that Sharebook posted to itself. */
export type SetUpCheck =
  | { ok: true }
  | { ok: false; reason: 'no_secret' | 'not_reached' }
  /** Something other than the intake answered, or the intake refused. */
  | { ok: false; reason: 'answered'; status: number };

const LIMIT_MS = 10_000;

/**
 * Signs a delivery of its own and posts it to the public address, as Invo would: name, certificate, proxies, secret, clock and database are all
 * tested. It is stored as a test and changes nothing.
 */
export async function checkSetUp({
  address,
  secret,
  tenantId,
  now,
}: {
  address: string;
  /** null: none is configured. */
  secret: string | null;
  tenantId: string | null;
  /** By the database clock, which the intake compares with. */
  now: string;
}): Promise<SetUpCheck> {
  if (secret === null) return { ok: false, reason: 'no_secret' };
  const id = randomUUID();
  const body = Buffer.from(
    JSON.stringify({ event_id: id, event_type: TEST_EVENT_TYPE, created_at: now, tenant_id: tenantId, data: { check: id } }),
  );
  const signedAt = String(Math.floor(Date.parse(now) / 1_000));
  try {
    const answer = await fetch(address, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(LIMIT_MS),
      headers: {
        'content-type': 'application/json',
        'x-service-signature': `t=${signedAt},v1=${signDelivery(body, signedAt, secret).toString('hex')}`,
        'x-service-idempotency-key': `sharebook-check-${id}`,
        'x-service-event-id': id,
      },
      body,
    });
    const { message } = (await answer.json().catch(() => ({}))) as { message?: string };
    return answer.status === 200 && message === 'stored' ? { ok: true } : { ok: false, reason: 'answered', status: answer.status };
  } catch {
    return { ok: false, reason: 'not_reached' };
  }
}
