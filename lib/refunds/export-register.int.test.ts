import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openRefundEnvironment,
  type RefundEnvironment,
  type RefundGame,
  SECOND_PERIOD_ID,
} from '#e2e/support/refunds/refund-environment.ts';
import { exportRegister, REGISTER_COLUMNS } from './export-register.ts';
import type { RefundFilter } from './reads/list-refunds.ts';

let testEnv: RefundEnvironment;
let game: RefundGame;

/** A database with one refund that landed and one that Invo refused. */
beforeAll(async () => {
  testEnv = await openRefundEnvironment();
  game = await testEnv.newGame();
  await game.ask(testEnv.people.support, { reason_text: '=1+1, "sorry"' });
  await game.settleToRest();
  await testEnv.spoil('404');
  await game.ask(testEnv.people.finance, { periodId: SECOND_PERIOD_ID, amountText: '7.25' });
  await game.settleToRest();
});
afterAll(() => testEnv.close());

async function take(part: Partial<RefundFilter> = {}): Promise<{ fileName: string; rows: Record<string, string>[] }> {
  const filter = { chip: 'all', find: '', personId: 'nobody', ...part } as const;
  const registerGame = { gameId: game.gameId, slug: game.slug, environment: 'production', timeZone: 'UTC' } as const;
  const file = await exportRegister(game.db, registerGame, {
    filter,
    exportedAt: '2026-11-21T12:00:00.123Z',
    exportedBy: 'fin@studio.example',
  });
  const text = Buffer.concat(await Array.fromAsync(file.bytes)).toString();
  const [header = '', ...lines] = text.split('\r\n');
  expect(header).toBe(REGISTER_COLUMNS.map(({ key }) => key).join(','));
  expect(lines.pop(), 'the last line ends with CRLF').toBe('');
  const keys = header.split(',');
  const rows = lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [keys[index] ?? 'beyond', cell])));
  return { fileName: file.fileName, rows };
}

test('the file lists every refund, oldest first; refunds that did not land have no figures', async () => {
  const { fileName, rows } = await take();
  expect(fileName).toBe(`${game.slug}-refunds-2026-11-21T120000Z.csv`);
  expect(rows).toMatchObject([
    {
      game: game.slug,
      environment: 'production',
      state: 'landed',
      asked_usd: '5.00',
      refunded_amount_usd: '5.00',
      outcome_source: 'receipt',
      approval: 'policy',
    },
    { state: 'refused', asked_usd: '7.25', refunded_amount_usd: '', card_refunded_usd: '', outcome_source: '', refunded_at: '' },
  ]);
  expect(rows[0]).toMatchObject({ card_refunded_usd: '0.00', balance_delta_coins: '50.00', total_refunded_amount_usd: '5.00' });
  expect(rows.map(Object.keys).flat()).not.toContain('beyond');
});

test('the name of a filtered file says that it is filtered', async () => {
  const { fileName, rows } = await take({ chip: 'landed' });
  expect(fileName).toContain('.filtered.csv');
  expect(rows.map(({ state }) => state)).toEqual(['landed']);
});

test('the audit records who exported the file', async () => {
  await take();
  const taken = await game.db.selectFrom('audit').select(['actor', 'subject']).where('act', '=', 'took a file').execute();
  expect(taken).toContainEqual({ actor: 'fin@studio.example', subject: `${game.slug}-refunds-2026-11-21T120000Z.csv` });
});
