import { expect, test } from 'vitest';
import { request } from '../pages/visit.ts';

interface Rows {
  rows: { cells: Record<string, unknown> }[];
  total: { count: number; sums: Record<string, string> };
}

async function readRows(view: string): Promise<Rows> {
  const answer = await request(`/demo/lists/recipients/rows?month=2026-10&sort=net_attributed_usd&dir=desc&limit=200&${view}`);
  return (await answer.json()) as Rows;
}

test.each([
  ['9001', 2, '4.50', '0.00', '4.50'],
  ['9002', 1, '4.50', '-0.90', '3.60'],
  ['9003', 1, '9.50', '-0.95', '8.55'],
  ['9005', 1, '2.2509', '-1.1255', '1.1254'],
  ['9009', 1, '13.50', '0.00', '13.50'],
  ['9010', 1, '9.00', '-9.00', '0.00'],
  ['9012', 1, '0.90', '-0.90', '0.00'],
  ['9013', 1, '2.70', '-1.35', '1.35'],
  ['9014', 1, '3.60', '0.00', '3.60'],
  ['9019', 0, '0.00', '-13.50', '-13.50'],
])(
  'a search for player %s finds the figures worked out by hand in October, and sums them',
  async (player, renewals, gross, reversed, net) => {
    const { rows, total } = await readRows(`chip=all&find=${player}`);
    const figures = { gross_attributed_usd: gross, reversed_attributed_usd: reversed, net_attributed_usd: net };
    expect(rows.map(({ cells }) => cells)).toEqual([
      expect.objectContaining({ recipient_player_id: Number(player), renewal_count: renewals, ...figures }),
    ]);
    expect(total).toMatchObject({ count: 1, sums: { renewal_count: String(renewals), ...figures } });
  },
);

test('remarks about recipients with a negative balance are beside their figures', async () => {
  const { rows, total } = await readRows('chip=negative');
  expect(total).toMatchObject({
    count: 2,
    sums: { gross_attributed_usd: '0.00', reversed_attributed_usd: '-21.60', net_attributed_usd: '-21.60' },
  });
  expect(rows.map(({ cells }) => cells)).toMatchObject([
    { recipient_player_id: 9021, net_attributed_usd: '-8.10' },
    { recipient_player_id: 9019, net_attributed_usd: '-13.50', flags: [{ word: 'reverses September' }] },
  ]);
});

test('a search without results has no row and counts none', async () => {
  expect(await readRows('chip=all&find=no%20such%20name')).toMatchObject({ rows: [], total: { count: 0 } });
});
