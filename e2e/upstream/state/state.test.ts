import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDoor } from '../test-door.ts';

test('a refund made shows up in the next report, and a later window holds a later one', async () => {
  const door = await openDoor();
  const made = await door.control('POST', 'refunds', { period_id: 2026100001, amount_usd: '5.00' });
  expect(made.body).toEqual({
    period_id: 2026100001,
    refunded_at: '2026-11-21T12:00:00.000Z',
    refunded_amount_usd: '5.00',
    remaining_refundable_usd: '15.00',
    basis: 'refund_receipts',
  });
  const {
    recipients: [owed],
  } = await door.report('2026-11-21', '2026-11-22', '&recipient_player_id=9001');
  expect(owed).toMatchObject({ renewal_count: 0, first_paid_at: null, net_attributed_usd: '-0.45' });
  expect(owed.reversals[0]).toMatchObject({
    settled_in_this_window: false,
    reversed_attributed_usd: '0.45',
    partner_revenue_reversed_usd: '4.50',
  });
  const { totals } = await door.report('2026-10-01', '2026-10-02');
  expect(totals.reversed_attributed_usd).toBe('27.3155');
});

test('the refund that completes a period takes back exactly what is left', async () => {
  const door = await openDoor();
  for (const amount_usd of ['0.05', '0.05', '19.90']) await door.control('POST', 'refunds', { period_id: 2026100001, amount_usd });
  const { refunds } = (await door.ask('/api/subscriptions/reporting/periods/2026100001')).body;
  const shares = (name: string): string[] => refunds.events.map((event: Record<string, string>) => event[name]);
  expect(shares('reversed_attributed_usd')).toEqual(['0.00', '0.00', '1.80']);
  expect(shares('partner_revenue_reversed_usd')).toEqual(['0.05', '0.05', '17.90']);
});

test('a second coarse refund moves the whole reversal to its own window', async () => {
  const door = await openDoor();
  await door.control('POST', 'refunds', { period_id: 2026100007, amount_usd: '6.00' });
  expect((await door.report('2026-10-01', '2026-10-02')).totals.reversals_without_receipts).toBe(0);
  const {
    recipients: [moved],
  } = await door.report('2026-11-21', '2026-11-22', '&recipient_player_id=9013');
  expect(moved.reversals[0]).toMatchObject({
    reversal_basis: 'period_row',
    reversed_attributed_usd: '2.03',
    refunded_to_date_usd: '18.00',
  });
});

test.each([
  [{ period_id: 1 }, 404, 'PERIOD_NOT_FOUND'],
  [{ period_id: 2026100019 }, 409, 'PERIOD_NOT_REFUNDABLE'],
  [{ period_id: 2026100005 }, 409, 'ALREADY_REFUNDED'],
  [{ period_id: 2026100001, amount_usd: '20.01' }, 400, 'AMOUNT_EXCEEDS_REMAINING'],
  [{ period_id: 2026100001, amount_usd: '-1' }, 400, 'INVALID_AMOUNT'],
])('refund %j is %i %s', async (refund, status, code) => {
  const door = await openDoor();
  const answered = await door.control('POST', 'refunds', refund);
  expect([answered.status, answered.body.error_code]).toEqual([status, code]);
});

test('refunds and a clock that was set survive a restart; a reset forgets them', async () => {
  const stateFolder = mkdtempSync(join(tmpdir(), 'upstream-'));
  onTestFinished(() => rmSync(stateFolder, { recursive: true }));
  const first = await openDoor({ stateFolder, now: undefined });
  await first.control('POST', 'clock', { now: '2026-11-10T00:00:00Z' });
  await first.control('POST', 'refunds', { period_id: 2026100001 });
  await first.close();
  const second = await openDoor({ stateFolder, now: undefined });
  const body = await second.report('2026-11-10', '2026-11-11');
  expect(body.report.generated_at).toBe('2026-11-10T00:00:00.000Z');
  expect(body.recipients.at(-1)).toMatchObject({ recipient: { player_id: 9001 }, net_attributed_usd: '-1.80' });
  await second.control('POST', 'reset');
  const { body: clock } = await second.control('GET', 'clock');
  expect(Date.parse(clock.now)).not.toBe(Date.parse('2026-11-10T00:00:00Z'));
  const third = await openDoor({ stateFolder, now: '2026-11-10T00:00:00Z' });
  expect((await third.report('2026-11-10', '2026-11-11', '&recipient_player_id=9001')).recipients).toEqual([]);
});

test('control wants no browser and knows its words', async () => {
  const door = await openDoor();
  expect((await fetch(`${door.controlUrl}/calls`, { headers: { origin: 'http://127.0.0.1:3000' } })).status).toBe(403);
  expect((await door.control('POST', 'clock', { now: 'tomorrow' })).status).toBe(400);
  expect((await door.control('POST', 'game', { rotation: 'sideways' })).status).toBe(400);
  expect((await door.control('POST', 'faults', [{ kind: 'gremlin' }])).status).toBe(400);
  expect((await door.control('GET', 'secrets')).status).toBe(404);
});
