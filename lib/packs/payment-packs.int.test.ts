// @module-tag no-retry
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '#e2e/support/cli/run-cli.ts';
import { dbOver } from '#e2e/support/db/db-over.ts';
import { drawBy, seededRandom } from '#e2e/support/evidence/draw-tampers.ts';
import { drawPackTamper, PACK_TAMPERS, type PackParts, partsOf, reseal, zipParts } from '#e2e/support/packs/change-pack.ts';
import { reissueAsShown } from '#e2e/support/payments/paid-month.ts';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { handOverAll, reportOf, type TestPayment } from '#e2e/support/payouts/hand-over-all.ts';
import { proofCases, proofSize, recordFigure } from '#e2e/support/proof.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { chainAudit } from '#lib/audit/chain-audit.ts';
import type { SessionActor } from '#lib/core/roles.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { decideSender, proposeSender } from '#lib/payments/change-sender.ts';
import { decideRow } from '#lib/payments/decide-row.ts';
import { decideCancel, requestCancel } from '#lib/payments/hand-over.ts';
import { makeFiles } from '#lib/payments/make-files.ts';
import { decideElsewhere, proposeElsewhere } from '#lib/payments/pay-elsewhere.ts';
import { sumWaiting } from '#lib/payments/reads/waiting-items.ts';
import { recordReport } from '#lib/payments/record-report.ts';
import { decideReissue, proposeReissue } from '#lib/payments/reissue.ts';
import { PAYMENT_PATHS } from '#lib/payments/rules/packed-payments.ts';
import { exportPack } from './export-pack.ts';
import { PackError } from './open-pack.ts';
import { PATHS } from './rules/pack-files.ts';
import { INDEX_PATH, parseIndex, writeIndex } from './rules/pack-index.ts';
import { verifyPack } from './verify-pack.ts';

const COUNT = proofSize(PACK_TAMPERS.length, 500);
let testEnv: TestEnvironment;
let game: OpenGame;
let folder: string;
let fiona: SessionActor;
let payments: TestPayment[];
let withAccounts: Buffer;
let without: Buffer;

/** A run with a cancelled file, one that was handed over, a payment recorded elsewhere, and a report of paid and returned payments with a row that a person accepted. */
beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08');
  folder = await mkdtemp(path.join(tmpdir(), 'packs-'));
  game = await testEnv.game();
  const people = { preparer: await seedFinance(testEnv, 'fiona'), approver: await seedFinance(testEnv, 'ada') };
  const { preparer, approver: ada } = people;
  fiona = preparer;
  const run = await closeMonth(testEnv, people, '2026-08');
  await proposeSender(game, fiona, PAYEE_KEY, { method: 'paypal', typed: { decimal_sign: '.' } });
  await decideSender(game, ada, PAYEE_KEY, { senderNo: 1, decision: 'confirmed' });
  await proposeElsewhere(game, fiona, { runId: run.runId, itemNos: [2], paidOn: '2026-11-20', note: 'By hand' });
  await decideElsewhere(game, ada, { batchNo: 1, decision: 'confirmed' });
  const waiting = (await sumWaiting(game.db, run))[0];
  const shown = { count: waiting?.count ?? 0, total_usd: waiting?.total_usd ?? '' };
  await makeFiles(game, fiona, PAYEE_KEY, { runId: run.runId, method: 'paypal', format: null, executionDate: null, note: 'Share', shown });
  await requestCancel(game, fiona, { batchNo: 2, reason: 'Wrong note', isNotUploaded: true });
  const shownCancel = { batchNo: 2, requesterId: fiona.id, reason: 'Wrong note' };
  await decideCancel(game, ada, shownCancel, { isAgreed: true, isNotUploaded: true });
  ({ payments } = await handOverAll(testEnv, people, run));
  const rows = payments
    .slice(0, 3)
    .map(({ reference, amount }, index) => [reference, index === 2 ? 'returned' : 'paid', amount, `PP-${index}`] as const);
  await record([...rows, [payments[5]?.reference ?? '', 'paid', '0.35', 'PP-5']]);
  const accepted = { decision: 'accepted', target: { of: 'named' }, reportedState: null } as const;
  expect(await decideRow(game, fiona, { reportNo: 1, rowNo: 5, note: 'Fees were kept', ...accepted })).toMatchObject({ ok: true });
  const key = { runId: run.runId, itemNo: payments[2]?.itemNo ?? 0 };
  expect(await proposeReissue(game, fiona, { ...key, reason: 'New account' })).toMatchObject({ ok: true });
  expect(await decideReissue(game, ada, { ...(await reissueAsShown(game, key)), decision: 'withdrawn' })).toMatchObject({ ok: true });
  await chainAudit(testEnv.db);
  [withAccounts, without] = [await pack(PAYEE_KEY), await pack(null)];
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await testEnv.close();
});

async function pack(accountsKey: Buffer | null, db = game.db): Promise<Buffer> {
  const made = await exportPack({ ...game, db }, { runNo: 1 }, { takenBy: 'command line', accountsKey });
  if (!made.ok) throw new Error(made.reason);
  return Buffer.concat(await Array.fromAsync(made.pieces));
}

/** Records a report of these rows. */
async function record(rows: Parameters<typeof reportOf>[0]): Promise<void> {
  const recorded = await recordReport(game, fiona, PAYEE_KEY, { bytes: reportOf(rows), fileName: 'report.csv', dateOrder: null });
  expect(recorded).toMatchObject({ ok: true, isNew: true });
}

async function find(bytes: Buffer): Promise<string[]> {
  const file = path.join(folder, 'pack.zip');
  await writeFile(file, bytes);
  return (await verifyPack(file)).violations.map(({ name }) => name);
}

describe('the payments of an evidence pack', () => {
  test('are proven with accounts, and without them by totals and digests', async () => {
    expect(await find(withAccounts)).toEqual([]);
    expect(await find(without)).toEqual([]);
    expect([...partsOf(without).keys()].filter((name) => name.startsWith('payments/')).toSorted()).toEqual([
      PAYMENT_PATHS.batches,
      PAYMENT_PATHS.confirmations,
      PAYMENT_PATHS.items,
      PAYMENT_PATHS.listed,
      PAYMENT_PATHS.reports,
    ]);
    expect(without.includes('creators.example')).toBe(false);
    expect(partsOf(withAccounts).has(PAYMENT_PATHS.file('demo-2026-08-run1-paypal-file3.csv'))).toBe(true);
  });

  const text = (parts: PackParts, name: string): string => parts.get(name)?.toString() ?? '';
  const replaced = (name: string, from: RegExp | string, to: string) => (parts: PackParts) => {
    const before = text(parts, name);
    const after = before.replace(from, to);
    expect(after).not.toBe(before);
    parts.set(name, Buffer.from(after));
  };
  /** Removes an act: its link is that of no other row. */
  const withoutAct = (act: string) => (parts: PackParts) => {
    const rows: { act: string }[] = JSON.parse(text(parts, PATHS.audit));
    expect(rows.filter((row) => row.act === act)).toHaveLength(1);
    parts.set(
      PATHS.audit,
      Buffer.from(
        `${JSON.stringify(
          rows.filter((row) => row.act !== act),
          null,
          2,
        )}\n`,
      ),
    );
  };
  const file = PAYMENT_PATHS.file('demo-2026-08-run1-paypal-file3.csv');
  const changes: [string, (parts: PackParts) => void, string][] = [
    ['an amount of a payment', replaced(PAYMENT_PATHS.items, /,(\d+)\.(\d)\d,,,/, ',$1.$29,,,'), 'payment_of_line'],
    ['a reference', replaced(PAYMENT_PATHS.items, /(\r\n1,[A-Z0-9]{9})./, '$1Z'), 'payment_reference'],
    ['a state', replaced(PAYMENT_PATHS.items, ',paid\r\n', ',sent\r\n'), 'payment_state'],
    ['the file of a payment', replaced(PAYMENT_PATHS.items, /,3,(\d+\.\d\d),,,sent/, ',2,$1,,,sent'), 'batch_payments'],
    ['a removed payment', replaced(PAYMENT_PATHS.items, /\r\n2,[^\r]*/, ''), 'payments_of_lines'],
    ['the total of a file', replaced(PAYMENT_PATHS.batches, /"total_usd": "(\d+)\./, '"total_usd": "1$1.'), 'batch_total'],
    ['who handed a file over', replaced(PAYMENT_PATHS.batches, '"handed_over_by": "fiona', '"handed_over_by": "gus'), 'batch_handed_over'],
    [
      'the bank’s number of a file',
      replaced(PAYMENT_PATHS.batches, /("handed_over_by": "fiona[^"]*",\s*"provider_reference": )null/, '$1"Upload 9999"'),
      'batch_handed_over_as',
    ],
    ['the day of payments elsewhere', replaced(PAYMENT_PATHS.batches, '"2026-11-20"', '"2026-11-21"'), 'batch_elsewhere'],
    ['the note on payments elsewhere', replaced(PAYMENT_PATHS.batches, '"By hand"', '"By card"'), 'batch_elsewhere'],
    [
      'a row of the audit without its link',
      replaced(PATHS.audit, /("act": "handed over a payment file"[^]*?"link": )\{[^}]*\}/, '$1null'),
      'audit_is_linked',
    ],
    ['all rows of the audit without their links', replaced(PATHS.audit, /"link": \{[^}]*\}/g, '"link": null'), 'unlinked_rows'],
    ['the note of a file', replaced(PAYMENT_PATHS.batches, '"note": "Revenue share"', '"note": "Revenue shares"'), 'batch_file'],
    ['the digest of a file', replaced(PAYMENT_PATHS.batches, /"sha256": "./, '"sha256": "0'), 'batch_file'],
    ['what a report states', replaced(PAYMENT_PATHS.confirmations, ',returned,', ',paid,'), 'confirmation_state'],
    ['the amount in a report', replaced(PAYMENT_PATHS.confirmations, /paid,2026-11-05,\d+/, 'paid,2026-11-05,9999'), 'payment_paid'],
    ['a confirmation that no report has', replaced(PAYMENT_PATHS.confirmations, /,1,2,paid/, ',1,9,paid'), 'confirmation_row'],
    [
      'the date from which an accepted row counts',
      replaced(PAYMENT_PATHS.confirmations, ',1,5,paid,2026-11-05', ',1,5,paid,2026-11-04'),
      'row_confirms',
    ],
    ['what a person accepted', replaced(PATHS.audit, /(?<="state": )"paid"/, '"pending"'), 'row_confirms'],
    ['a confirmation that a person made without an act', withoutAct('accepted a row of a bank report'), 'row_confirms'],
    ['a report without an act', withoutAct('recorded a bank report'), 'report_recorded'],
    ['a withdrawn re-issue', replaced(PAYMENT_PATHS.items, /,withdrawn,(.*),withdrawn/, ',proposed,$1,proposed'), 'reissue_decided'],
    ['a removed re-issue', replaced(PAYMENT_PATHS.items, /\r\n[^\r]*,withdrawn,[^\r]*/, ''), 'reissue_is_stored'],
    ['the result of a report', replaced(PAYMENT_PATHS.reports, /"result": "\d/, '"result": "9'), 'report_recorded'],
    ['what a report lists', replaced(PAYMENT_PATHS.listed, '"0.35"', '"0.36"'), 'report_lists'],
    ['what a report confirms', replaced(PAYMENT_PATHS.confirmations, ',PP-1,', ',PP-7,'), 'report_confirms'],
    ['a byte of a payment file', replaced(file, 'USD', 'USS'), 'file_sha256'],
    ['an account', replaced(PAYMENT_PATHS.accounts, 'payee-', 'payer-'), 'file_written_again'],
    ['a byte of a report', replaced(PAYMENT_PATHS.report(1), 'paid', 'Paid'), 'report_sha256'],
    ['a removed file', (parts) => void parts.delete(file), 'file_is_present'],
    ['an added file', (parts) => void parts.set('payments/files/other.csv', Buffer.from('x')), 'entry_is_known'],
  ];
  test.each(proofCases(6, changes))('%s that was changed is named, although every digest fits again', async (_, change, name) => {
    const parts = partsOf(withAccounts);
    change(parts);
    expect(await find(await zipParts(reseal(parts)))).toContain(name);
  });
});

test('a pack of the version before acts about reports were part of it is proven without them', { tags: 'proof' }, async () => {
  const parts = partsOf(withAccounts);
  const rows: { act: string }[] = JSON.parse(parts.get(PATHS.audit)?.toString() ?? '');
  parts.set(PATHS.audit, Buffer.from(JSON.stringify(rows.filter(({ act }) => !act.endsWith('bank report')))));
  const { index } = parseIndex(parts.get(INDEX_PATH)?.toString() ?? '') ?? {};
  if (index === undefined) throw new Error('the pack has no index');
  expect(await find(await zipParts(reseal(parts)))).toEqual(['report_recorded', 'report_added_at', 'row_confirms', 'row_decided']);
  parts.delete(PAYMENT_PATHS.listed);
  expect(await find(await zipParts(reseal(parts.set(INDEX_PATH, Buffer.from(writeIndex({ ...index, pack: 1 }))))))).toEqual([]);
});

test(`each of ${COUNT} changes of a pack with payments, with accounts and without them, is named, drawn at random`, {
  tags: ['proof'],
  timeout: 900_000,
}, async () => {
  const pick = drawBy(seededRandom(20_261_126));
  const unnoticed: string[] = [];
  const counts = { 'with accounts': 0, without: 0 };
  for (let draw = 0; draw < COUNT; draw++) {
    const kind = PACK_TAMPERS[draw % PACK_TAMPERS.length];
    if (kind === undefined) continue;
    const name = pick(['with accounts', 'without'] as const);
    const { what, parts } = drawPackTamper(partsOf(name === 'without' ? without : withAccounts), kind, pick);
    counts[name]++;
    const named = await find(await zipParts(parts)).catch((error: unknown) => {
      if (error instanceof PackError) return [error.message];
      throw error;
    });
    if (named.length === 0) unnoticed.push(`${name}: ${what}`);
  }
  expect(unnoticed).toEqual([]);
  const { without: plain, 'with accounts': withThem } = counts;
  recordFigure('Tampers with packs of payments', `${COUNT} of ${COUNT} named, ${withThem} with accounts and ${plain} without`);
});

test('a pack is of the state at its start, although a report is recorded while it is written', { tags: 'proof' }, async () => {
  const { reference = '', amount = '' } = payments[3] ?? {};
  let isRecorded = false;
  // The payments are written with their states by then, and what reports state of them is read next.
  const db = dbOver(testEnv.pool, async (text) => {
    if (isRecorded || !text.includes('c.matched_by, encode(c.row_digest')) return;
    isRecorded = true;
    await record([[reference, 'paid', amount, 'PP-3']]);
  });
  const written = await pack(PAYEE_KEY, db);
  expect(isRecorded).toBe(true);
  expect(await find(written)).toEqual([]);
  expect(written.equals(withAccounts)).toBe(true);
  const later = await pack(PAYEE_KEY);
  expect(await find(later)).toEqual([]);
  expect(partsOf(later).has(PAYMENT_PATHS.report(2))).toBe(true);
});

describe('the erasure of a person', () => {
  const erase = (playerId: number) =>
    runCli(testEnv, ['erase', '--game', 'demo', '--recipient', String(playerId), '--reason', 'GDPR', '--json']);
  const entriesOf = (bytes: Buffer): string[] => [...partsOf(bytes).keys()].filter((name) => /^payments\/(files|reports)\//.test(name));
  const leftOutOf = (bytes: Buffer): string[] =>
    (parseIndex(partsOf(bytes).get(INDEX_PATH)?.toString() ?? '')?.index.left_out ?? []).map(({ what }) => what);

  test('a pack with accounts has all files after the erasure of a person whom none of them names', { tags: 'proof' }, async () => {
    const { rows } = await testEnv.pool.query<{ id: number }>('select recipient_player_id as id from payout_item where item_no = 2');
    const before = entriesOf(await pack(PAYEE_KEY));
    await erase(rows[0]?.id ?? 0);
    const bytes = await pack(PAYEE_KEY);
    expect(entriesOf(bytes)).toEqual(before);
    expect(await find(bytes)).toEqual([]);
  });

  test('a pack with accounts leaves out what names an erased person, states so, and is proven', { tags: 'proof' }, async () => {
    const [theirs, , , , other] = payments;
    if (theirs === undefined || other === undefined) throw new Error('the run has too few payments');
    // A report that has their row of the first one again, and so states nothing of their payment.
    const repeated = [theirs.reference, 'paid', theirs.amount, 'PP-0'] as const;
    await record([repeated, [other.reference, 'paid', other.amount, 'PP-4']]);
    // The bank mistyped their reference, so nobody knows whom its row is about.
    await record([
      [`${theirs.reference.slice(0, -2)}`, 'paid', theirs.amount, 'PP-8'],
      [other.reference, 'pending', other.amount, 'PP-9', '2026-11-04'],
    ]);
    const account = `payee-${theirs.recipientId}@creators.example`;
    expect((await pack(PAYEE_KEY)).includes(account)).toBe(true);
    expect(JSON.parse((await erase(theirs.recipientId)).out)).toMatchObject({
      remaining: expect.arrayContaining([
        expect.objectContaining({ place: 'payout_batch.sealed', count: 2, what: 'payment files that pay them' }),
        expect.objectContaining({ place: 'payment_report.sealed', count: 1, what: 'bank reports about payments to them' }),
      ]),
    });
    const bytes = await pack(PAYEE_KEY);
    expect(bytes.includes(account)).toBe(false);
    // The second report is about another payment alone.
    expect(entriesOf(bytes)).toEqual([PAYMENT_PATHS.report(2)]);
    expect(leftOutOf(bytes)).toEqual(
      expect.arrayContaining([
        PAYMENT_PATHS.file('demo-2026-08-run1-paypal.csv'),
        PAYMENT_PATHS.file('demo-2026-08-run1-paypal-file3.csv'),
        PAYMENT_PATHS.report(1),
        PAYMENT_PATHS.report(3),
        PAYMENT_PATHS.report(4),
      ]),
    );
    expect(await find(bytes)).toEqual([]);
    const file = path.join(folder, 'erased.zip');
    await writeFile(file, bytes);
    expect(await runCli(testEnv, ['verify', '--pack', file])).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /left out: payments\/reports\/3: It names a payment to a person who was erased[^]*reports\/4: It has rows that name no known payment/,
      ),
    });
  });
});
