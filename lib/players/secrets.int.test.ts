import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GameContext } from '../games/game-context.ts';
import { readOrderInBooks } from '../orders/read-order.ts';
import { search } from '../search/search.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { readApproval, readInboundPending, readTransferDetail } from '../transfers/read-transfer.ts';
import { readPlayer, readPlayerItems, readPlayerLoyalty } from './read-player.ts';

const LONG = { limit_ms: 60_000 };

let environment: TestEnvironment;
let context: GameContext;
beforeAll(async () => {
  environment = await openTestEnvironment();
  context = { game: await environment.game(), config: environment.config };
});
afterAll(() => environment.close());

test('after every read of the desk no table holds a code, a client secret, a phone or a loyalty card', async () => {
  await environment.control('POST', 'shape', { loyalty: 'full_code', 'transfer-status': 'test_code', 'approval-status': 'extra' });
  for (const name of ['asa.venn', 'bree.okoro'])
    await search(context, `${name}@players.example`, { scope: 'invo', canSeeEmails: true, canReadDesk: true });
  const player = await readPlayer(context, 910_023, LONG);
  if (player.kind !== 'player') throw new Error(player.kind);
  const read = [
    await readPlayerLoyalty(context, player, LONG),
    await readPlayerItems(context, player, LONG),
    await readOrderInBooks(context, 'ORD_BREE_02', LONG),
    await readOrderInBooks(context, 'ORD_BREE_03', LONG),
    await readTransferDetail({ ...context, config: { ...environment.config, gameSecret: 'upstream-emberfall-secret' } }, 'TRF_CLAIM', LONG),
    await readTransferDetail(context, 'TRF_IN', LONG),
    await readApproval(context, 'TRF_MINOR', LONG),
    await readInboundPending(context, LONG),
  ];
  expect(JSON.stringify(read)).not.toMatch(/canary|15112345678|15198765432/i);
  const { rows: tables } = await environment.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const stored: string[] = [];
  for (const { name } of tables) {
    const { rows } = await environment.pool.query<{ text: string }>(`select t::text as text from "${name}" t`);
    stored.push(...rows.map(({ text }) => `${name} ${text}`));
  }
  const { rows: bodies } = await environment.pool.query<{ kind: string; body: Buffer }>('select kind, body from detail_read');
  stored.push(...bodies.map(({ kind, body }) => `${kind} ${gunzipSync(body).toString('utf8')}`));
  expect(bodies.map(({ kind }) => kind).filter((kind) => /order|transfer|approval|item/.test(kind)).length).toBeGreaterThan(4);
  expect(stored.filter((text) => /canary|15112345678|15198765432|Harbour week/i.test(text))).toEqual([]);
  // The email is stored where a player is known by it, and in no answer about an order.
  expect(
    stored.filter((text) => /^(order|item_order|item_history|transfer|approval|known_order|known_transfer) .*@players\.example/.test(text)),
  ).toEqual([]);
});
