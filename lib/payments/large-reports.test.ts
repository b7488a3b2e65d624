import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Db } from '#db/kit/open.ts';
import { runInTurns } from '../core/steps.ts';
import { digestFacts, digestFactsInSteps, listFacts, listFactsInSteps } from './digest-report.ts';
import { previewReport } from './record-report.ts';
import { readReport } from './reports/read-report.ts';
import { type KnownPayments, matchRows } from './rules/match-rows.ts';

const ROWS = 20_000;
const FEWEST_TURNS = ROWS / 1_000;
const NOBODY: KnownPayments = {
  byReference: new Map(),
  byTrace: new Map(),
  byProviderId: new Map(),
  byBatchId: new Map(),
  byMistyped: new Map(),
  listed: new Set(),
};
/** Its first statement fails, so that no turn is one that waits for a database. */
const NO_DATABASE = new Proxy({} as Db, {
  get: () => {
    throw new Error('the report was read');
  },
});

let turns = 0;
let next: NodeJS.Immediate;
beforeEach(() => {
  turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  next = setImmediate(count);
});
afterEach(() => clearImmediate(next));

const csv = [
  'reference,status,amount,currency,provider_id,date',
  ...Array.from({ length: ROWS }, (_, index) => `Rent,Completed,${index}.50,USD,R${index},2026-11-20`),
].join('\n');
const pasted = Array.from({ length: ROWS }, (_, index) => `A200701TC8 paid ${index + 1}.00 USD 2026-11-20`).join('\n');

const entry = '<Ntry><Amt Ccy="USD">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts></Ntry>';
const xml = `<Document><BkToCstmrStmt><Stmt>${entry.repeat(ROWS)}</Stmt></BkToCstmrStmt></Document>`;
const item = { transaction_id: 'T1', transaction_status: 'SUCCESS', payout_item: { amount: { currency: 'USD', value: '1.00' } } };
const json = JSON.stringify({ batch_header: {}, items: Array.from({ length: ROWS }, () => item) });

test.each([
  ['CSV', csv],
  ['pasted lines', pasted],
  ['XML', xml],
  ['JSON', json],
])('others have their turns while a large report in %s is read', { tags: 'proof' }, async (_, text) => {
  const given = { bytes: Buffer.from(text), fileName: null, dateOrder: null };
  await expect(previewReport(NO_DATABASE, 7, null, given)).rejects.toThrow('the report was read');
  expect(turns).toBeGreaterThan(2 * FEWEST_TURNS);
});

test('others have their turns while the rows of a large report are matched, and their facts listed and digested', async () => {
  const reading = readReport(Buffer.from(csv));
  if (!reading.ok) throw new Error(reading.refusal.reason);
  expect(turns).toBe(0);
  const matched = await runInTurns(matchRows(reading.report, NOBODY, '2026-11-28T20:00:00Z'));
  expect(turns).toBeGreaterThan(FEWEST_TURNS);
  turns = 0;
  const facts = await runInTurns(listFactsInSteps(matched));
  expect(await runInTurns(digestFactsInSteps(facts))).toBe(digestFacts(listFacts(matched)));
  expect(turns).toBeGreaterThanOrEqual(2 * FEWEST_TURNS - 2);
});
