import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listTablesHolding, openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { GameContext } from '../games/game-context.ts';
import type { LoyaltyCards } from '../invo/routes/loyalty.ts';
import { readLoyalty } from './read-player.ts';

const LONG = { limit_ms: 60_000 };
const ASA = 'asa.venn@players.example';

let environment: TestEnvironment;
let context: GameContext;
beforeAll(async () => {
  environment = await openTestEnvironment();
  context = { game: await environment.game(), config: environment.config };
});
afterAll(() => environment.close());
beforeEach(async () => {
  await environment.control('DELETE', 'faults');
  await environment.control('POST', 'shape', { loyalty: null });
});

const shape = (variant: string) => environment.control('POST', 'shape', { loyalty: variant });
async function cardsOf(email: string): Promise<LoyaltyCards['cards']> {
  const detail = await readLoyalty(context, email, LONG);
  if (detail.kind !== 'live') throw new Error(`not live: ${detail.kind}`);
  return detail.value.cards;
}

describe('a player’s loyalty cards', () => {
  test('have the states Invo wrote, and a step without progress has none', async () => {
    const [harbour, review] = await cardsOf(ASA);
    expect(harbour).toMatchObject({
      kind: 'known',
      card: {
        status: 'in_progress',
        steps_required: 3,
        steps_complete: 1,
        steps: [
          { state: 'complete', progress: { current: 1, target: 1 } },
          { state: 'open', progress: { current: 2, target: 5 } },
          { state: 'locked', progress: null },
        ],
      },
    });
    expect(review).toMatchObject({
      card: { status: 'in_review', completion_note: 'Finish any time before the season ends.', window_ends_at: null },
    });
  });

  test('have rewards in each state as Invo wrote it, and steps in any order with the state Invo gives each', async () => {
    const [, review, done, market] = await cardsOf(ASA);
    expect(done).toMatchObject({
      card: { rewards: ['unlocked', 'redeemed', 'reserved', 'revoked', 'expired'].map((state) => ({ state })) },
    });
    expect(review).toMatchObject({ card: { order_mode: 'any_order' } });
    expect(market).toMatchObject({ card: { mode: 'rehearsal', status: 'available', steps: [{ action: 'visit_stall', state: 'open' }] } });
  });

  test('show of a code its last four characters, even where Invo sends it whole', async () => {
    await shape('full_code');
    const text = JSON.stringify(await cardsOf(ASA));
    expect(text).toContain('••••7K2Q');
    expect(text).not.toMatch(/CANARY/);
  });

  test('of another version are raw fields without codes, and no state is read from them', async () => {
    await shape('version_2');
    const [first] = await cardsOf(ASA);
    expect(first).toMatchObject({
      kind: 'other_version',
      raw: { title: 'Harbour week', card_version: 2, fields: { status: 'phase_two' } },
    });
    expect(JSON.stringify(first)).not.toMatch(/CANARY/);
  });

  test('an empty loyalty list, an unknown player, no set-up, a rate limit and an outage are distinguished', async () => {
    expect(await readLoyalty(context, 'mira.holt@players.example', LONG)).toMatchObject({ kind: 'live', value: { cards: [] } });
    expect(await readLoyalty(context, 'nobody@players.example', LONG)).toEqual({ kind: 'not_found' });
    await shape('not_set_up');
    expect(await readLoyalty(context, ASA, LONG)).toMatchObject({ kind: 'not_set_up' });
    await shape('renamed');
    expect(await readLoyalty(context, ASA, LONG)).toMatchObject({ kind: 'nothing', error: { code: 'malformed' } });
    for (const kind of ['502', '503', '429']) {
      await environment.control('DELETE', 'faults');
      await environment.control('POST', 'faults', [{ kind, times: 20 }]);
      expect(await readLoyalty(context, ASA, { limit_ms: 3_000 })).toMatchObject({ kind: 'nothing' });
    }
  });

  test.each([
    ['404 NOT_FOUND', 'nothing'],
    ['403 TENANT_NOT_MIGRATED', 'not_migrated'],
    ['503 sdk_verification_disabled', 'not_enabled'],
  ])('that Invo refuses with %s are %s', async (answer, kind) => {
    const [status, code] = answer.split(' ');
    await environment.control('POST', 'faults', [{ kind: 'refuse', status: Number(status), code, times: 20, match: { route: 'loyalty' } }]);
    expect(await readLoyalty(context, ASA, { limit_ms: 3_000 })).toMatchObject({ kind });
  });

  test('that a setting of Invo withholds are requested once', async () => {
    const fault = { kind: 'refuse', status: 503, code: 'sdk_verification_disabled', times: 2, match: { route: 'loyalty' } };
    await environment.control('POST', 'faults', [fault]);
    expect(await readLoyalty(context, ASA, LONG)).toMatchObject({ kind: 'not_enabled' });
    expect(await readLoyalty(context, ASA, LONG)).toMatchObject({ kind: 'not_enabled' });
    expect(await readLoyalty(context, ASA, LONG)).toMatchObject({ kind: 'live' });
  });

  test('are stored nowhere', async () => {
    await cardsOf(ASA);
    const holding = () => listTablesHolding(environment.pool, /Harbour week|vault/);
    expect(await holding()).toEqual([]);
    // A stored answer is gzipped, and found all the same.
    const card = gzipSync('{"title":"Harbour week"}');
    await environment.pool.query(`insert into detail_read values ($1, 'cards', '910023', now(), $2, sha256(''))`, [
      context.game.gameId,
      card,
    ]);
    expect(await holding()).toEqual(['detail_read']);
    await environment.pool.query('truncate detail_read');
  });
});
