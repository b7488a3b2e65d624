import { beforeAll, expect, test } from 'vitest';
import { control, readSecrets } from '../pages/simulated-invo.ts';
import { request, visit } from '../pages/visit.ts';

const BOTH = '/demo/webhooks?find=whk_page_beside';

beforeAll(async () => {
  const data = { order_id: 'ORD_PAGE_BESIDE', player_email: 'vera@players.example', currency_amount: '500.00' };
  await deliver('purchase.completed', data, 'whk_page_beside');
  await deliver('purchase.completed', { ...data, currency_amount: '550.00' }, 'whk_page_beside');
});

test('support sees the fields of a delivery and not its bytes', async () => {
  const page = await openDelivery('support');
  expect(page.text).toContain('vera@players.example');
  expect(page.buttons).toContain('Read order again');
  expect(page.folded.map(({ text }) => text).join()).not.toContain('"event_type"');
  expect(page.html).not.toContain('Show the body');
  expect((await visit('/demo/webhooks?find=nothing_like_it', 'support')).text).toContain(
    'Types match from their start, IDs and keys in full.',
  );
  expect((await visit('/demo/webhooks', 'support')).links).not.toContain('Export these rows');
  expect((await request('/demo/lists/deliveries/file', 'support')).status).toBe(403);
});

test('an auditor exports the deliveries the table shows, without a field of their bodies', async () => {
  expect((await visit('/demo/webhooks?show=conflict', 'auditor')).link('Export these rows')).toBe(
    '/demo/lists/deliveries/file?chip=conflict',
  );
  const file = await request('/demo/lists/deliveries/file?chip=conflict', 'auditor');
  expect(file.headers.get('content-disposition')).toMatch(/demo-webhooks-2026-.*Z\.filtered\.csv/);
  const text = await file.text();
  const [head, ...rows] = text.split('\r\n');
  expect(head).toMatch(/^game,environment,delivery_id,received_at,event_type,/);
  expect(rows.find((row) => row.includes('ORD_PAGE_BESIDE'))).toMatch(
    /^demo,production,\d+,[^,]+,purchase\.completed,.*,order,ORD_PAGE_BESIDE,1,conflict,/,
  );
  expect(text).not.toMatch(/@players|550\.00|currency_amount/);
  expect((await request('/demo/lists/deliveries/file?find=vera@players.example', 'auditor')).status).toBe(400);
});

test('an auditor sees the bytes as they were signed, never a secret or a signature, and changes nothing', async () => {
  const page = await openDelivery('auditor');
  expect(page.unfold('Show the body').text).toContain('"event_type":"purchase.completed"');
  expect(page.buttons.filter((name) => /Read order again|Settle/.test(name))).toEqual([]);
  for (const secret of Object.values(readSecrets())) expect(page.html).not.toContain(secret);
  expect(page.html).not.toMatch(/v1=[0-9a-f]/);
});

test('a send that only webhooks name isn’t said to be unsent: Invo reports no status for it', async () => {
  await deliver('transfer.sent', { transaction_id: 'SND_TOLD', amount: '25.00' });
  const page = await visit('/demo/transfers/SND_TOLD', 'support');
  expect(page.text).toContain('It may be a send: Invo reports no status for sends.');
  expect(page.text).toContain('transfer.sent');
});

async function deliver(eventType: string, data: Record<string, string>, key?: string): Promise<void> {
  await control('deliveries/send', { event_type: eventType, data, ...(key === undefined ? {} : { key }) });
}

/** Opens the newest of both. */
async function openDelivery(role: 'support' | 'auditor'): ReturnType<typeof visit> {
  const row = (await visit(BOTH, role)).rows.find(({ text }) => text.includes('ORD_PAGE_BESIDE'));
  return await visit(row?.element.querySelector('a')?.getAttribute('href') ?? '', role);
}
