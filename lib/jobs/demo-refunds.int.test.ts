import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenDb, openDb } from '#db/kit/open.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { NOW, SECRET } from '#e2e/support/test-environment.ts';
import { createUpstream, type Upstream } from '#e2e/upstream/server.ts';
import { type Config, readConfig } from '../config.ts';
import { openGame } from '../games/open-game.ts';
import { ensureDemoPeople } from '../people/manage-people.ts';
import { requestDemoRefunds } from '../refunds/request-demo-refunds.ts';
import { createHandlers } from './handlers.ts';

let database: TestDb;
let own: OpenDb;
let invo: Upstream;

beforeAll(async () => {
  [database, invo] = await Promise.all([createTestDb(), createUpstream({ now: NOW })]);
  own = openDb(database.logins.worker);
});
afterAll(() => Promise.all([own.close(), database.close(), invo.close()]));

function configure(settings: Record<string, string> = {}): Config {
  const game = { INVO_GAME: 'demo', INVO_BASE_URL: invo.url, INVO_GAME_SECRET: SECRET };
  return readConfig({ DATABASE_URL: database.url, SHAREBOOK_SIMULATED: '1', SHAREBOOK_NOW: NOW, ...game, ...settings });
}

/** One tick of the worker, then everything that is due for its refunds. */
async function work(config: Config): Promise<void> {
  const logged: string[] = [];
  const handlers = createHandlers(config, {
    open: (game) => openGame(own.db, game, { settleLag_minutes: 15, now: () => NOW }),
    db: own.db,
    owner: 'test',
    signal: new AbortController().signal,
    log: (line, fields) => logged.push(`${line} ${JSON.stringify(fields)}`),
  });
  await handlers.tick.run(null);
  const { rows } = await database.pool.query<{ game_id: number }>('select game_id from game');
  for (const { game_id } of rows) await handlers.refund.run(game_id);
  expect(logged).toEqual([]);
}

async function listRefunds(): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `select period_id::text, state, attention_reason, last_error_code, amount_usd::text from refund order by period_id`,
  );
  return rows;
}

test('the worker requests no demo refunds when they are switched off, or the data is not simulated', async () => {
  await work(configure({ SHAREBOOK_DEMO_REFUNDS: 'off' }));
  await work({ ...configure(), isSimulated: false, hasDemoRefunds: false });
  expect(await listRefunds()).toEqual([]);
});

test('demo refunds and demo people can never reach data that is not simulated', async () => {
  const config = configure();
  const [gameConfig] = config.games;
  if (gameConfig === undefined) throw new Error('no game is configured');
  const game = await openGame(database.db, gameConfig, { settleLag_minutes: 15, now: () => NOW });
  await expect(requestDemoRefunds({ game, config: gameConfig }, { isSimulated: false })).rejects.toThrow(/simulated database only/);
  const elsewhere = { ...gameConfig, baseUrl: 'https://api.invo.example' };
  await expect(requestDemoRefunds({ game, config: elsewhere }, config)).rejects.toThrow(/simulated Invo only/);
  expect((await database.pool.query('select 1 from person')).rowCount).toBe(0);
  expect(await listRefunds()).toEqual([]);
});

test('the worker requests the demo refunds once and settles each into its own state', { tags: 'proof' }, async () => {
  await ensureDemoPeople(database.db, { isSimulated: true });
  await work(configure());
  const refunds = [
    { period_id: '2024128015', state: 'landed', attention_reason: null, last_error_code: null, amount_usd: '12.00' },
    { period_id: '2024128016', state: 'landed', attention_reason: null, last_error_code: null, amount_usd: '18.00' },
    { period_id: '2024128017', state: 'awaiting_approval', attention_reason: null, last_error_code: null, amount_usd: '180.00' },
    { period_id: '2024128018', state: 'refused', attention_reason: null, last_error_code: 'NO_PAYMENT_REFERENCE', amount_usd: '22.00' },
    { period_id: '2024128019', state: 'unknown', attention_reason: null, last_error_code: 'INTERNAL_ERROR', amount_usd: '26.00' },
    {
      period_id: '2024128020',
      state: 'attention',
      attention_reason: 'invo_asks_for_a_person',
      last_error_code: 'REFUND_LOOKUP_FAILED',
      amount_usd: '35.00',
    },
  ];
  expect(await listRefunds()).toEqual(refunds);
  await work(configure());
  expect(await listRefunds()).toEqual(refunds);
  const { rows } = await database.pool.query(`select distinct email, roles from refund join person on person.id = refund.requested_by`);
  expect(rows).toEqual([{ email: 'support@starfall.example', roles: ['support'] }]);
});
