import { PostgresQueryCompiler } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListFilter } from '#db/kit/list.ts';
import { eventBody, type IntakeEnvironment, openIntakeEnvironment } from '#e2e/support/webhooks/intake-environment.ts';
import { DELIVERY_COLUMNS, exportDeliveries } from './export-deliveries.ts';
import { listDeliveries } from './reads/list-deliveries.ts';

let env: IntakeEnvironment;

beforeAll(async () => {
  env = await openIntakeEnvironment();
  const key = (text: string) => ({ headers: { 'x-service-idempotency-key': text } });
  // Four digits before the point: no time in the file can contain the amount.
  const order = { order_id: 'ORD_1', usd_amount: '4321.99', player_email: 'vera@players.example' };
  await env.deliver({ body: eventBody('purchase.completed', order), ...key('=cmd|calc') });
  await env.deliver({ body: eventBody('purchase.completed', order), ...key('=cmd|calc') });
  await env.deliver({ body: eventBody('purchase.completed', { ...order, usd_amount: '9.99' }), ...key('=cmd|calc') });
  await env.deliver({ body: eventBody('=HYPERLINK("http://x")', { order_id: '-2+3' }), ...key('vera@players.example') });
  await env.deliver({ body: eventBody('purchase.failed', { order_id: 'ORD_2' }, { event_id: 'vera@players.example' }) });
  await env.deliver({ body: eventBody('purchase.completed', { order_id: 'ORD_3' }, { tenant_id: '90417' }) });
  await env.deliver({ body: 'not JSON from vera@players.example' });
  await env.deliver({ body: eventBody('purchase.completed', { order_id: 'ORD_9', replaced: { order_id: 'ORD_0' } }) });
});
afterAll(() => env.close());

async function take(part: Partial<ListFilter> = {}): Promise<{ fileName: string; text: string; rows: string[] }> {
  const game = { gameId: env.gameId, slug: 'demo', environment: 'production', timeZone: 'UTC' } as const;
  const filter = { chip: 'all', find: '', ...part } as const;
  const file = await exportDeliveries(env.db, game, { filter, exportedAt: '2026-11-21T12:00:00.123Z', exportedBy: 'fin@studio.example' });
  const text = Buffer.concat(await Array.fromAsync(file.bytes)).toString();
  const [header, ...rows] = text.trimEnd().split('\r\n');
  expect(header).toBe(DELIVERY_COLUMNS.map(({ key }) => key).join(','));
  return { fileName: file.fileName, text, rows };
}

test('the file has one row for each delivery, oldest first, with what it is about and what it opened', async () => {
  const { fileName, rows } = await take();
  expect(fileName).toBe('demo-webhooks-2026-11-21T120000Z.csv');
  expect(rows).toHaveLength(7);
  expect(rows[0]).toMatch(
    /^demo,production,\d+,\d{4}-[^,]+Z,purchase\.completed,2026-11-20T10:00:00[^,]*Z,order,ORD_1,2,received,,,,order,ORD_1,,,/,
  );
  expect(rows[1]).toMatch(/,order,ORD_1,1,conflict,,\d+,,order,ORD_1,/);
  expect(rows[5]).toMatch(/,failing,,,not_json,/);
});

test('the file has no email, no field of a body and no cell that a spreadsheet runs', async () => {
  const { text, rows } = await take();
  expect(text).not.toMatch(/vera|players\.example|4321\.99|usd_amount|player_email/);
  expect(rows[0]).toContain(",'=cmd|calc,");
  expect(rows[2]).toContain(`,"'=HYPERLINK(""http://x"")",`);
  expect(rows[2]).toContain(",order,'-2+3,");
});

test.each<[Partial<ListFilter>, number]>([
  [{ chip: 'attention' }, 3],
  [{ chip: 'conflict' }, 1],
  [{ chip: 'other_game' }, 1],
  [{ chip: 'elsewhere' }, 0],
  [{ find: 'ORD_1' }, 2],
  [{ find: 'purchase.f' }, 1],
  [{ find: '=cmd|calc' }, 2],
])('with the filter %j the file has the rows of the table, and its name says so', async (filter, count) => {
  const { fileName, rows } = await take(filter);
  const page = { sort: 'received_at', dir: 'asc', limit: 50, after: null, withTotal: true } as const;
  const listed = await listDeliveries(env.db, env, { chip: 'all', find: '', ...filter, page });
  expect(rows.map((row) => Number(row.split(',')[2]))).toEqual(listed.rows.map((row) => row.delivery_id));
  expect(rows).toHaveLength(count);
  expect(fileName).toContain('.filtered.csv');
});

test('an event that names several orders is about the one it reads', async () => {
  const page = { sort: 'received_at', dir: 'asc', limit: 50, after: null, withTotal: true } as const;
  const { rows } = await listDeliveries(env.db, env, { chip: 'all', find: 'ORD_0', page });
  expect(rows).toMatchObject([{ about_kind: 'order', about_id: 'ORD_9' }]);
});

test('what a delivery is about is read for its row, and not for the count', async () => {
  const statements: string[] = [];
  const recorded = env.db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      statements.push(new PostgresQueryCompiler().compileQuery(node, queryId).sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const page = { sort: 'received_at', dir: 'desc', limit: 50, after: null, withTotal: true } as const;
  await listDeliveries(recorded, env, { chip: 'attention', find: '', page });
  const [total = '', rows = ''] = statements.at(-1)?.split(' as total left join ') ?? [];
  expect(total).toContain('count(*)');
  expect(total).not.toMatch(/delivery_subject|delivery_read/);
  expect(rows).toMatch(/left join lateral \(select "delivery_subject"/);
});

test('the audit records who exported the file', async () => {
  await take();
  const taken = await env.db.selectFrom('audit').select(['actor', 'subject']).where('act', '=', 'took a file').execute();
  expect(taken).toContainEqual({ actor: 'fin@studio.example', subject: 'demo-webhooks-2026-11-21T120000Z.csv' });
});
