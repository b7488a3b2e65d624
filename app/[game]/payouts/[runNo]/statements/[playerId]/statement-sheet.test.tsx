import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { PaperGroup, StatementPaper } from '#lib/payouts/statement-paper.ts';
import { StatementSheet } from './statement-sheet.tsx';

const lines = Array.from({ length: 31 }, (_, index) => [`Line ${index}`, index < 30 ? 'SUB_A' : 'SUB_B', '1.50']);
const [last = []] = lines.slice(-1);
const groups: PaperGroup[] = [
  { rows: lines.slice(0, 30), foot: ['30 renewals', 'SUB_A', '45.00'] },
  { rows: [last], foot: last },
];
const paper: StatementPaper = {
  issuer: 'Starfall',
  title: 'Statement',
  month: 'October 2026',
  banner: null,
  name: 'Noor',
  player: 'Player 500003',
  email: null,
  period: '1 to 31 October 2026',
  timeZone: 'UTC',
  number: 'demo-2026-10-500003',
  issued: '2 November 2026',
  payable: '$46.50',
  why: 'Paid by the studio.',
  balance: [],
  tables: [
    {
      title: 'Earnings',
      columns: [
        { label: 'Date', kind: 'text', width: 1 },
        { label: 'Subscription', kind: 'text', width: 1 },
        { label: 'Share', kind: 'money', width: 1 },
      ],
      rows: lines,
      foot: ['Total', '', '46.50'],
    },
  ],
  notice: 'Issued by Starfall.',
  run: 'Run 12',
};

test('a long statement begins with the sum of each subscription, whose lines open below it, and has every line once', () => {
  const html = renderToStaticMarkup(<StatementSheet paper={paper} groups={{ Earnings: groups }} isWhole={false} />);
  expect(html.match(/<details><summary>[^<]*/g)).toEqual(['<details><summary>30 renewals']);
  const bodies = html.split('<tbody>').slice(2);
  expect(bodies.map((body) => body.match(/>Line \d+</g)?.length)).toEqual([30, 1]);
  expect(bodies.map((body) => body.match(/<tr class="[^"]*line[^"]*"/g)?.length ?? 0)).toEqual([30, 0]);
  expect(html).toContain('2 subscriptions, the largest sum first.');
});

test('a statement of 30 lines has each line and no sums of subscriptions', () => {
  const [table] = paper.tables;
  if (table === undefined) throw new Error('the paper has no table');
  const short = { ...paper, tables: [{ ...table, rows: lines.slice(0, 30) }] };
  const html = renderToStaticMarkup(<StatementSheet paper={short} groups={{ Earnings: groups }} isWhole={false} />);
  expect(html).not.toContain('<details>');
  expect(html.match(/>Line \d+</g)).toHaveLength(30);
  expect(html).not.toContain('the largest sum first');
});
