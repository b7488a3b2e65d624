import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { GameContext } from '../games/game-context.ts';
import { isForIdentity, readApproval, readInboundPending, readTransferDetail } from './read-transfer.ts';
import { listKnownTransfers, listReceivedTransfers } from './reads.ts';

const LONG = { limit_ms: 60_000 };

let environment: TestEnvironment;
let context: GameContext;
beforeAll(async () => {
  environment = await openTestEnvironment();
  context = { game: await environment.game(), config: environment.config };
});
afterAll(() => environment.close());
beforeEach(async () => {
  await environment.control('DELETE', 'faults');
  await environment.control('POST', 'shape', { 'transfer-status': null, 'approval-status': null, 'inbound-pending': null });
  await environment.pool.query('truncate detail_read, known_transfer');
});

const shape = (route: string, variant: string) => environment.control('POST', 'shape', { [route]: variant });
async function storedText(): Promise<string> {
  const { rows } = await environment.pool.query<{ body: Buffer }>('select body from detail_read');
  return rows.map(({ body }) => gunzipSync(body).toString('utf8')).join('\n');
}

describe('a transfer', () => {
  test('has both status fields, its amounts and its claim window as Invo wrote them', async () => {
    expect(await readTransferDetail(context, 'TRF_CLAIM', LONG)).toMatchObject({
      kind: 'live',
      value: {
        transaction_status: 'pending_claim',
        verification_state: 'approved',
        amount: '100.00',
        net_amount: '95.00',
        claimCodeExpiresAt: expect.stringMatching(/^2026-.*Z$/),
        isDestination: false,
        toPhone: null,
      },
    });
  });

  test('is another fact in the game that receives it: with the number masked, and no player where several share it', async () => {
    const gameSecret = 'upstream-emberfall-secret';
    const emberfall = { game: context.game, config: { ...environment.config, gameSecret } };
    expect(await readTransferDetail(emberfall, 'TRF_CLAIM', LONG)).toMatchObject({
      value: { isDestination: true, toPhone: '•••• 78', toIdentityId: 'idn_desk_910023' },
    });
    expect(await readTransferDetail(emberfall, 'TRF_SHARED', LONG)).toMatchObject({ value: { isDestination: true, toIdentityId: null } });
    expect(await storedText()).not.toContain('15112345678');
    const [shared] = await listKnownTransfers(context.game.db, context.game.gameId);
    expect(shared).toMatchObject({ transactionId: 'TRF_SHARED', isDestination: true, amount: '25.00', net_amount: '23.75' });
  });

  test('stores the answer to the later request, whichever comes first', async () => {
    await environment.control('POST', 'faults', [{ kind: 'hold', match: { route: 'transfer-status' } }]);
    const earlier = readTransferDetail(context, 'TRF_CLAIM', LONG);
    await expect.poll(() => environment.heldCount()).toBe(1);
    const later = await readTransferDetail(context, 'TRF_CLAIM', LONG);
    const before = await listKnownTransfers(context.game.db, context.game.gameId);
    await shape('transfer-status', 'new_status');
    await environment.release();
    expect(await earlier).toMatchObject({ kind: 'live', value: { verification_state: 'paused_by_operator' } });
    expect(later).toMatchObject({ kind: 'live', value: { verification_state: 'approved' } });
    expect(before).toMatchObject([{ verification_state: 'approved' }]);
    expect(await listKnownTransfers(context.game.db, context.game.gameId)).toEqual(before);
    expect(await storedText()).not.toContain('paused_by_operator');
  });

  test('into this game is listed for the identity it names, and for no other', async () => {
    const receivedBy = (identityId: string) => listReceivedTransfers(context.game.db, context.game.gameId, identityId);
    for (const id of ['TRF_IN', 'TRF_CLAIM']) await readTransferDetail(context, id, LONG);
    // Found among any number of transfers that were read later.
    await environment.pool.query(
      `insert into known_transfer (game_id, transaction_id, is_destination, read_at) select $1, 'TRF_LATER_' || n, true, now() from generate_series(1, 300) n`,
      [context.game.gameId],
    );
    expect(await receivedBy('idn_desk_910023')).toMatchObject([{ transactionId: 'TRF_IN', isDestination: true }]);
    expect(await receivedBy('idn_desk_910024')).toEqual([]);
    await shape('transfer-status', 'no_identity');
    await readTransferDetail(context, 'TRF_IN', LONG);
    expect(await receivedBy('idn_desk_910023')).toEqual([]);
  });

  test('that waits to be collected is for the identity its row names', async () => {
    const rowsOf = async (): Promise<boolean[]> => {
      const list = await readInboundPending(context, LONG);
      if (list.kind !== 'live') throw new Error(list.kind);
      return (list.value.rows ?? []).map((row) => isForIdentity(row, 'idn_desk_910023'));
    };
    expect(await rowsOf()).toEqual([false]);
    await shape('inbound-pending', 'identity');
    expect(await rowsOf()).toEqual([true]);
  });

  test('with words nobody documents shows them, and one that answers about another transfer is no answer', async () => {
    await shape('transfer-status', 'new_status');
    expect(await readTransferDetail(context, 'TRF_CLAIM', LONG)).toMatchObject({
      value: { transaction_status: 'under_review', verification_state: 'paused_by_operator' },
    });
    await shape('transfer-status', 'other');
    expect(await readTransferDetail(context, 'TRF_CLAIM', LONG)).toMatchObject({ kind: 'stored', error: { code: 'malformed' } });
  });

  test('with an amount as a JSON number shows it as not readable, and the number stays among all fields', async () => {
    await shape('transfer-status', 'number_money');
    expect(await readTransferDetail(context, 'TRF_CLAIM', LONG)).toMatchObject({
      value: { amount: null, net_amount: '95.00', unreadable: ['amount'], tree: { amount: 100 } },
    });
  });

  test.each([
    ['fees_object', { fees_preview: { total_fee: '5.00' } }],
    ['fees_text', { fees_preview: '2 % + 2 % + 1 %' }],
  ])('with fees in the shape %s shows them as they came', async (name, tree) => {
    await shape('transfer-status', name);
    expect(await readTransferDetail(context, 'TRF_CLAIM', LONG)).toMatchObject({ value: { amount: '100.00', tree } });
  });

  test('whose answer carries codes is stored with none of them', async () => {
    await shape('transfer-status', 'test_code');
    const detail = await readTransferDetail(context, 'TRF_CLAIM', LONG);
    expect(JSON.stringify(detail) + (await storedText())).not.toContain('canary');
    expect(await storedText()).toContain('TRF_CLAIM');
  });

  test('that Invo doesn’t know is not found, and a stored one is shown while Invo is away', async () => {
    expect(await readTransferDetail(context, 'TRF_NONE', LONG)).toEqual({ kind: 'not_found' });
    await readTransferDetail(context, 'TRF_DONE', LONG);
    await environment.control('POST', 'faults', [{ kind: '503', times: 20 }]);
    expect(await readTransferDetail(context, 'TRF_DONE', LONG)).toMatchObject({
      kind: 'stored',
      value: { verification_state: 'completed' },
    });
    await expect(readTransferDetail(context, 'a/b', LONG)).rejects.toThrow('not a transaction id');
  });
});

describe('a guardian’s approval', () => {
  test('has the state Invo wrote, and a 404 states that no guardian is needed', async () => {
    expect(await readApproval(context, 'TRF_MINOR', LONG)).toMatchObject({ kind: 'live', value: { state: 'pending' } });
    expect(await readApproval(context, 'TRF_REFUSED', LONG)).toMatchObject({ value: { state: 'rejected' } });
    expect(await readApproval(context, 'TRF_CLAIM', LONG)).toEqual({ kind: 'not_found' });
  });

  test('shows undocumented fields, with phones masked, and undocumented words as they are', async () => {
    await shape('approval-status', 'extra');
    expect(await readApproval(context, 'TRF_MINOR', LONG)).toMatchObject({
      value: { tree: { approval: { approval_id: 'APR_1', guardian_phone: '•••• 32', consent_channel: 'email' } } },
    });
    await shape('approval-status', 'new_state');
    expect(await readApproval(context, 'TRF_MINOR', LONG)).toMatchObject({ value: { state: 'escalated' } });
  });
});

test('an address in an answer is shown as text and never called', async () => {
  await shape('approval-status', 'extra');
  await environment.forgetCalls();
  const read = await readApproval(context, 'TRF_MINOR', LONG);
  expect(read).toMatchObject({ value: { tree: { approval: { poll_endpoint: expect.stringContaining('https://elsewhere.example/') } } } });
  expect((await environment.calls()).map(({ path }) => path)).toEqual(['/api/transactions/TRF_MINOR/approval-status']);
});

describe('what waits to be collected', () => {
  test.each(['array', 'transfers', 'items', 'pages'])('is read from the shape %s', async (name) => {
    await shape('inbound-pending', name);
    const list = await readInboundPending(context, LONG);
    expect('value' in list && list.value.rows).toMatchObject([
      {
        transactionId: 'TRF_IN',
        amounts: [
          { field: 'amount', amount: '80.00' },
          { field: 'net_amount', amount: '76.00' },
        ],
        currencyName: 'Lumens',
        expiresAt: expect.stringMatching(/Z$/),
        fields: { to_phone: '•••• 78' },
      },
    ]);
  });

  test.each(['pages+more', 'more_flat', 'cursor', 'total'])('is more than the rows of the shape %s, which says so', async (name) => {
    await shape('inbound-pending', name);
    expect(await readInboundPending(context, LONG)).toMatchObject({ value: { rows: [{ transactionId: 'TRF_IN' }], hasMore: true } });
  });

  test('under names nobody knows is shown row by row, and nothing is guessed', async () => {
    await shape('inbound-pending', 'renamed');
    const list = await readInboundPending(context, LONG);
    expect('value' in list && list.value.rows).toMatchObject([
      { transactionId: null, amounts: [], expiresAt: null, fields: { ref: 'TRF_IN', how_much: '80.00', flags: ['a', 'b'] } },
    ]);
  });

  test('is none, or not known from an answer without a list, or not read; and is never stored', async () => {
    await shape('inbound-pending', 'empty');
    expect(await readInboundPending(context, LONG)).toMatchObject({ kind: 'live', value: { rows: [] } });
    await shape('inbound-pending', 'none');
    expect(await readInboundPending(context, LONG)).toMatchObject({ kind: 'live', value: { rows: null } });
    await environment.control('POST', 'faults', [{ kind: '503', times: 20 }]);
    expect(await readInboundPending(context, LONG)).toMatchObject({ kind: 'nothing', error: { code: 'upstream_fault' } });
    expect(await storedText()).toBe('');
  });
});
