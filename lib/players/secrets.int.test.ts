import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listTablesHolding, openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { GameContext } from '../games/game-context.ts';
import { readOrderInBooks } from '../orders/read-order.ts';
import { search } from '../search/search.ts';
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
  const { rows: bodies } = await environment.pool.query<{ kind: string; body: Buffer }>('select kind, body from detail_read');
  const stored = bodies.map(({ kind, body }) => `${kind} ${gunzipSync(body).toString('utf8')}`);
  const { rows: known } = await environment.pool.query<{ text: string }>(
    `select 'known_order ' || t::text as text from known_order t union all select 'known_transfer ' || t::text from known_transfer t`,
  );
  stored.push(...known.map(({ text }) => text));
  expect(known.length).toBeGreaterThan(1);
  expect(bodies.map(({ kind }) => kind).filter((kind) => /order|transfer|approval|item/.test(kind)).length).toBeGreaterThan(4);
  expect(await listTablesHolding(environment.pool, /canary|15112345678|15198765432|Harbour week/i)).toEqual([]);
  expect(
    stored.filter((text) =>
      /^(order|item_order|item_history|transfer|approval|known_order|known_transfer) .*(Bree Okoro|Asa Venn)/.test(text),
    ),
  ).toEqual([]);
  // The email is stored where a player is known by it, and in no answer about an order.
  expect(
    stored.filter((text) => /^(order|item_order|item_history|transfer|approval|known_order|known_transfer) .*@players\.example/.test(text)),
  ).toEqual([]);
});
