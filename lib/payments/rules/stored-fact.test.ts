import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { knows, outcomesOf, payment, row, SECOND, stated } from '#e2e/support/payments/matched-rows.ts';
import { readReport } from '../reports/read-report.ts';
import type { KnownConfirmation } from './match-rows.ts';
import { REPORTED_STATES } from './reported-states.ts';
import { MATCH_RULES_VERSION } from './stored-fact.ts';

const DAYS = [null, '2026-10-01', '2026-11-04', '2026-11-05', '2027-01-01'];
const IDS = [null, 'T1'];
const combine = <A, B>(some: readonly A[], others: readonly B[]): [A, B][] => some.flatMap((a) => others.map((b): [A, B] => [a, b]));

function matchEverything(): unknown[] {
  const confirmations = combine(REPORTED_STATES, combine(DAYS, [true, false])).map(([state, [occurredOn, isOfFile]]) =>
    stated({ state, occurredOn, isOfFile, providerId: 'T2' }),
  );
  const known: KnownConfirmation[][] = [[], ...confirmations.map((each) => [each]), ...combine(confirmations, confirmations.slice(0, 6))];
  const facts = [{}, { isHandedOver: false }, { isReplaced: true }];
  const rows = combine(REPORTED_STATES, combine(DAYS, IDS)).map(([state, [occurredOn, providerId]]) => ({ state, occurredOn, providerId }));
  return combine(known, facts).flatMap(([own, fact]) => {
    const first = payment(1, { confirmations: own, ...fact });
    const batch = { batchNo: 9, runId: 70, currency: 'USD', total: '135.35', payments: [first, SECOND] };
    const all = knows([first, SECOND], { byBatchId: new Map([['B9', batch]]), byMistyped: new Map([['A200700014', [first, SECOND]]]) });
    return rows.flatMap((each) => [
      outcomesOf([row(each), row({ occurredOn: each.occurredOn, state: 'failed' })], all),
      outcomesOf([row(each)], all),
      outcomesOf([row({ ...each, references: [], mistyped: ['A200700014'] })], all),
      outcomesOf([row({ ...each, references: [], batchId: 'B9', amounts: [{ amount: '135.35', currency: 'USD' }] })], all),
    ]);
  });
}

const CELLS = [
  '1,234.50',
  '1.234,50',
  '1,234',
  '-5',
  '2026-11-05',
  '2026-11-5',
  '2026/11/05',
  '05.11.2026',
  '25.11.2026',
  '2026-13-01',
  '',
];

function readEverything(): unknown[] {
  const header = 'reference,status,amount,currency,provider_id,date\n';
  return combine(CELLS, ['paid', 'On hold', 'Completed', 'none']).map(([cell, word]) =>
    [`,${word},"${cell}",USD,T,2026-11-25`, `,${word},1.00,USD,T,${cell}`, `,${word},1.00,USD,T,${cell}\n,paid,1.00,USD,T,2026-11-25`].map(
      (rows) => readReport(Buffer.from(header + rows)),
    ),
  );
}

const PASTED = [
  '1,234.50 USD',
  'EUR 1 080,00',
  'USD 12 013.50',
  '120.35 USD 2026-11-05',
  '120.35 USD 25.11.2026',
  '120.35 USD 05.11.2026',
  '1.00 USD 2.00 EUR',
];

function readPasted(): unknown[] {
  return combine(PASTED, ['paid', 'On hold', 'not paid', 'nicht paid', 'none']).map(([amount, word]) =>
    readReport(Buffer.from(`A200701TC8 paid 1.00 USD\nA200701TC8 ${amount} ${word}`)),
  );
}

test('the version of the rules is raised with each change of what reports confirm: verify matches a report again only by its own version', () => {
  const digest = createHash('sha256')
    .update(JSON.stringify([matchEverything(), readEverything(), readPasted()]))
    .digest('hex');
  // Another digest: raise MATCH_RULES_VERSION unless no report was stored by this version yet, and write both here.
  expect([MATCH_RULES_VERSION, digest.slice(0, 16)]).toEqual([4, 'ab5c5b1d4b407774']);
});
