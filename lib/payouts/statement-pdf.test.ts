import { expect, test } from 'vitest';
import { composeStatement, type EarnedRenewal, type Statement } from './rules/statement.ts';
import { toPrintable } from './statement-fonts.ts';
import { groupEarnings, layOutStatement } from './statement-paper.ts';
import { drawStatement } from './statement-pdf.ts';

const ZERO = '0.00';

function statementOf(
  name: string | null,
  {
    count = 2,
    itemName = 'Creator club',
    subscriptions = ['SUB_1790000000_ABCK2F'],
    ...game
  }: { count?: number; itemName?: string; subscriptions?: string[]; environment?: 'sandbox'; isSimulated?: boolean } = {},
): Statement {
  const renewals = Array.from(
    { length: count },
    (_, index): EarnedRenewal => ({
      periodId: index + 1,
      subscriptionId: subscriptions[index % subscriptions.length] ?? '',
      itemName,
      settledAt: '2026-10-02T08:00:00Z',
      periodStart: '2026-10-02T08:00:00Z',
      periodEnd: '2026-11-02T08:00:00Z',
      percent: '25.00',
      base_usd: '8.00',
      attributed_usd: '2.00',
    }),
  );
  const earned_usd = `${2 * count}.00`;
  return composeStatement({
    game: { slug: 'starfall', name: 'Starfall', environment: 'production', timeZone: 'UTC', isSimulated: false, ...game },
    run: {
      runNo: 7,
      window: { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' },
      approvedAt: '2026-11-04T15:05:00.123456Z',
      contentDigest: '3f9a12c4'.repeat(8),
      previous: null,
    },
    line: {
      recipientId: 72,
      name,
      email: 'noor@creators.example',
      outcome: 'payable',
      also: [],
      opening_usd: ZERO,
      earned_usd,
      reversed_usd: ZERO,
      pinned_usd: ZERO,
      adjusted_usd: ZERO,
      returned_usd: ZERO,
      due_usd: earned_usd,
      held_usd: ZERO,
      minimum_usd: '10.00',
      together_usd: earned_usd,
      payable_usd: earned_usd,
      closing_usd: ZERO,
    },
    renewals,
    reversals: [],
    adjustments: [],
    returned: [],
  });
}

const print = (statement: Statement) => toPrintable(layOutStatement(statement, { canSeeEmails: true }));
/** How many pages a PDF says it has. */
const pagesOf = (pdf: Buffer): number => Number(/\/Type \/Pages\n\/Count (\d+)/.exec(pdf.toString('latin1'))?.[1]);

test('the same facts give the same bytes, whatever was drawn between', async () => {
  const first = await drawStatement(statementOf('Ωμέγα Жанна'));
  const latin = await drawStatement(statementOf('Noor Haddad'));
  expect((await drawStatement(statementOf('Ωμέγα Жанна'))).equals(first)).toBe(true);
  expect((await drawStatement(statementOf('Noor Haddad'))).equals(latin)).toBe(true);
  expect(latin.toString('latin1')).toContain('(D:20261104150500Z)');
  expect(first.toString('latin1')).toContain('DejaVuSans');
  expect(latin.toString('latin1')).not.toContain('DejaVuSans');
});

test('rows that don’t fit go to further pages', async () => {
  expect(pagesOf(await drawStatement(statementOf('Noor', { count: 5 })))).toBe(1);
  expect(pagesOf(await drawStatement(statementOf('Noor', { count: 100 })))).toBeGreaterThan(2);
});

test.each([
  ['Noor Haddad-Müller', true],
  ['Łukasz Żółć', false],
  ['Ωμέγα Жанна', false],
])('the name %s is printed as it is', (name, isLatin) => {
  expect(print(statementOf(name))).toMatchObject({ isLatin, note: null, paper: { name, player: 'Player 72' } });
});

test.each(['李小龙', 'שלום', 'سلام', 'Ada\u202Eadmin', 'Bo\nb', '\u{20BB7}'])(
  'the name %j is replaced by the player id, which the statement says',
  (name) => {
    const { paper, isLatin, note } = print(statementOf(name));
    expect([paper.name, paper.player, isLatin]).toEqual([null, 'Player 72', true]);
    expect(note).toBe('The name of the recipient is in characters that this file can’t show. The player ID is shown instead.');
  },
);

test('another character that no font has is a box, which the statement says', () => {
  const { paper, note } = print(statementOf('Noor', { itemName: '龙 club' }));
  expect(paper.tables[0]?.rows[0]?.[1]).toBe('□ club · SUB_1790…CK2F');
  expect(note).toBe('□ is a character that this file can’t show.');
});

test('a sandbox and simulated data are named on the paper, and the notice says who issued it', () => {
  expect(layOutStatement(statementOf('N', { environment: 'sandbox' }), { canSeeEmails: true }).banner).toBe(
    'SANDBOX. No real money moved.',
  );
  expect(layOutStatement(statementOf('N', { isSimulated: true }), { canSeeEmails: true }).banner).toMatch(/^SIMULATED DATA/);
  const paper = layOutStatement(statementOf('N'), { canSeeEmails: true });
  expect(paper.banner).toBeNull();
  expect(paper.notice).toContain('Issued by Starfall, not by Invo. Invo settles to the partner only and hasn’t paid any recipient.');
});

test('a reader without the right to see emails sees none, not even as a name', () => {
  const { name, email } = layOutStatement(statementOf('noor@creators.example'), { canSeeEmails: false });
  expect([name, email]).toEqual(['n•••@c•••.example', null]);
});

test('rows of 0.00 are left out of the balance, except what is due, payable and carried forward', () => {
  const { balance } = layOutStatement(statementOf('Noor'), { canSeeEmails: true });
  expect(balance.map(({ label, amount_usd }) => `${label} ${amount_usd}`)).toEqual([
    'Earned 4.00',
    'Due 4.00',
    'Payable 4.00',
    'Carried forward 0.00',
  ]);
});

test('earnings are grouped by subscription, the largest sum first, and the groups have each line once', () => {
  const statement = statementOf('Noor', {
    count: 5,
    subscriptions: ['SUB_1790000000_ABCK2F', 'SUB_1790000001_ABCK2G', 'SUB_1790000001_ABCK2G'],
  });
  const groups = groupEarnings(statement);
  expect(groups.map(({ foot }) => foot)).toEqual([
    ['3 renewals', 'Creator club · SUB_1790…CK2G', '', '24.00', '', '6.00'],
    ['2 renewals', 'Creator club · SUB_1790…CK2F', '', '16.00', '', '4.00'],
  ]);
  const { rows } = layOutStatement(statement, { canSeeEmails: true }).tables[0] ?? { rows: [] };
  expect(groups.flatMap((group) => group.rows).toSorted()).toEqual(rows.toSorted());
});
