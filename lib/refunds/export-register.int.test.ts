import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AskedRegister, exportRegister } from './export-register.ts';
import { REGISTER_COLUMNS } from './rules/register-sheet.ts';
import { type DeskGame, openRefundDesk, type RefundDesk, SECOND_PERIOD_ID } from './testing/open-refund-desk.ts';

let desk: RefundDesk;
let game: DeskGame;

/** A book with one refund that landed and one that Invo refused. */
beforeAll(async () => {
  desk = await openRefundDesk();
  game = await desk.newGame();
  await game.ask(desk.people.support, { reason_text: '=1+1, "sorry"' });
  await game.settleToRest();
  await desk.spoil('404');
  await game.ask(desk.people.finance, { periodId: SECOND_PERIOD_ID, amountText: '7.25' });
  await game.settleToRest();
});
afterAll(() => desk.close());

async function take(part: Partial<AskedRegister['filter']> = {}): Promise<{ fileName: string; rows: Record<string, string>[] }> {
  const filter = { chip: 'all', find: '', personId: 'nobody', ...part } as const;
  const file = await exportRegister(game.db, game, { filter, takenAt: '2026-11-21T12:00:00.123Z', takenBy: 'fin@studio.example' });
  let text = '';
  for await (const piece of file.text) text += piece;
  const [header = '', ...lines] = text.split('\r\n');
  expect(header).toBe(REGISTER_COLUMNS.map(({ key }) => key).join(','));
  expect(lines.pop(), 'the last line ends with CRLF').toBe('');
  const keys = header.split(',');
  const rows = lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [keys[index] ?? 'beyond', cell])));
  return { fileName: file.fileName, rows };
}

test('the register is a file of every refund, oldest first; what did not happen has no figure', async () => {
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

test('only the rows a table shows are said to be only some', async () => {
  const { fileName, rows } = await take({ chip: 'landed' });
  expect(fileName).toContain('.filtered.csv');
  expect(rows.map(({ state }) => state)).toEqual(['landed']);
});

test('who took it is written down', async () => {
  await take();
  const taken = await game.db.selectFrom('audit').select(['actor', 'subject']).where('act', '=', 'took a file').execute();
  expect(taken).toContainEqual({ actor: 'fin@studio.example', subject: `${game.slug}-refunds-2026-11-21T120000Z.csv` });
});
