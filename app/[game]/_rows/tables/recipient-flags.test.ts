import { expect, test } from 'vitest';
import { recipientFlags } from './recipient-flags.ts';

const OCTOBER = {
  month: '2026-10',
  snapshot: {
    gameId: 1,
    slug: 'starfall',
    environment: 'production',
    snapshotId: 41,
    windowStart: '2026-10-01T00:00:00Z',
    windowEnd: '2026-11-01T00:00:00Z',
  },
};
const PLAIN = {
  recipient_player_id: 7,
  resolved: true,
  net_attributed_usd: '1.00',
  baseMismatchCount: 0,
  coarseReversalCount: 0,
  netsToZeroCount: 0,
  reversedMonths: [] as string[],
  isFirstTime: false,
};

test.each([
  ['nothing odd', {}, []],
  ['unresolved', { resolved: false }, ['unresolved, carried']],
  ['resolved not recorded is not unresolved', { resolved: null }, []],
  ['one line', { baseMismatchCount: 1 }, ['base differs on 1 line']],
  ['two lines', { baseMismatchCount: 2 }, ['base differs on 2 lines']],
  ['owed back', { reversedMonths: ['2026-09'], net_attributed_usd: '-0.01' }, ['reverses September, owed back']],
  ['reversed and still paid', { reversedMonths: ['2026-08', '2026-09'] }, ['reverses August and September']],
  ['long ago', { reversedMonths: ['2025-08', '2025-09', '2026-01'], net_attributed_usd: '-1' }, ['reverses 3 earlier months, owed back']],
  ['nets to zero', { netsToZeroCount: 1, net_attributed_usd: '0.00' }, ['settled and refunded, pays nothing']],
  ['coarse and new', { coarseReversalCount: 2, isFirstTime: true }, ['2 reversals without receipts', 'first time']],
])('%s', (_, facts, words) => {
  expect(recipientFlags(OCTOBER, { ...PLAIN, ...facts }).map((flag) => flag.word)).toEqual(words);
});

test('a remark leads to its lines', () => {
  expect(recipientFlags(OCTOBER, { ...PLAIN, baseMismatchCount: 1 })[0]?.href).toBe('/starfall/months/2026-10/lines?find=7&show=base');
});
