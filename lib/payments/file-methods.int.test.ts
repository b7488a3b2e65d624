import { afterAll, beforeAll, expect, test } from 'vitest';
import { reissueAsShown } from '#e2e/support/payments/paid-month.ts';
import { readNacha } from '#e2e/support/payments/read-nacha.ts';
import { answerChecks, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { confirmationOf, PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { SessionActor } from '../core/roles.ts';
import { Findings } from '../evidence/rules/findings.ts';
import type { OpenGame } from '../games/open-game.ts';
import { decideDetails } from '../payees/decide-details.ts';
import { proposeDetails } from '../payees/propose-details.ts';
import type { TypedDetails } from '../payees/rules/details.ts';
import { approveRun } from '../payouts/decide-run.ts';
import { draftRun } from '../payouts/draft-run.ts';
import { judgeRun } from '../payouts/find-close.ts';
import { findRun, type Run } from '../payouts/reads/find-run.ts';
import { setEurRate } from '../payouts/set-rate.ts';
import { submitRun } from '../payouts/submit-run.ts';
import { verifyRuns } from '../payouts/verify-runs.ts';
import { decideSender, proposeSender } from './change-sender.ts';
import { decideCancel, requestCancel } from './hand-over.ts';
import { makeFiles } from './make-files.ts';
import { openFile } from './open-file.ts';
import { proposeElsewhere } from './pay-elsewhere.ts';
import { sumWaiting } from './reads/waiting-items.ts';
import { decideReissue, proposeReissue, type ReissueKey } from './reissue.ts';
import { formatPaymentReference } from './rules/payment-reference.ts';
import type { TypedSender } from './rules/sender-entries.ts';
import { verifyPayments } from './verify-payments.ts';

let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let ada: SessionActor;
let recipients: number[];

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08');
  game = await testEnv.game();
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
});
afterAll(() => testEnv.close());

async function confirmDetails(recipientId: number, method: string, typed: TypedDetails): Promise<void> {
  const proposed = await proposeDetails(game, fiona, PAYEE_KEY, { recipientId, method, typed, reason: 'From the contract' });
  if (!proposed.ok) throw new Error(JSON.stringify(proposed));
  const confirmation = await confirmationOf(game, { recipientId, detailNo: proposed.detailNo });
  const decided = await decideDetails(game, ada, PAYEE_KEY, confirmation);
  if (!decided.ok) throw new Error(decided.reason);
}

async function confirmSender(method: string, typed: TypedSender): Promise<void> {
  const proposed = await proposeSender(game, fiona, PAYEE_KEY, { method, typed });
  if (!proposed.ok) throw new Error(JSON.stringify(proposed));
  const decided = await decideSender(game, ada, PAYEE_KEY, { senderNo: proposed.senderNo, decision: 'confirmed' });
  if (!decided.ok) throw new Error(decided.reason);
}

async function runOf(): Promise<Run> {
  const run = await findRun(game.db, game.gameId, { runNo: 1 });
  if (run === null) throw new Error('no run');
  return run;
}

/** The methods that the close lists as without a sender account. */
async function withoutSender(): Promise<unknown> {
  const { items } = await judgeRun(game, game.db, await runOf());
  return items.find(({ key }) => key === 'no_sender')?.rows.map(({ method }) => method);
}

const make = async (method: string, changed: { format?: string; executionDate?: string; count?: number; total_usd?: string } = {}) => {
  const run = await runOf();
  const { count = 0, total_usd = '0.00' } = (await sumWaiting(game.db, run)).find((group) => group.method === method) ?? {};
  const { format = null, executionDate = null } = changed;
  return await makeFiles(game, fiona, PAYEE_KEY, {
    runId: run.runId,
    method,
    format,
    executionDate,
    note: 'Share',
    shown: { count, total_usd },
  });
};

test('SEPA needs a rate before submission, and the approval covers it', async () => {
  const drafted = await draftRun(game, fiona, '2026-08');
  if (!drafted.ok) throw new Error(drafted.reason);
  const { rows } = await testEnv.pool.query<{ id: number }>(
    'select recipient_player_id as id from payout_line where run_id = $1 and payable_usd > 0 order by payable_usd desc, 1 limit 5',
    [drafted.run.runId],
  );
  recipients = rows.map(({ id }) => id);
  const [sepa = 0, ach = 0, company = 0, wise = 0, other = 0] = recipients;
  await confirmDetails(sepa, 'sepa', { iban: 'DE89 3704 0044 0532 0130 00', holder_name: 'Mira Vale' });
  await confirmDetails(ach, 'ach', {
    routing_number: '021000021',
    account_number: '12345678',
    account_type: 'checking',
    holder_name: 'Noor Hale',
  });
  const firm = {
    routing_number: '021000021',
    account_number: '87654321',
    account_type: 'savings',
    holder_name: 'Hale LLC',
    holder_kind: 'company',
  };
  await confirmDetails(company, 'ach', firm);
  await confirmDetails(wise, 'wise', { email: 'vale@creators.example', currency: 'GBP', holder_name: 'Ines Vale' });
  await confirmDetails(other, 'other', { address: 'Cheque by post', holder_name: 'Olu Vale' });
  await answerChecks(testEnv, fiona, await runOf()).catch(() => undefined);
  const submit = async () => {
    await answerChecks(testEnv, fiona, await runOf()).catch(() => undefined);
    return await submitRun(game, fiona, drafted.run.runId, (await runOf()).draftDigest ?? '');
  };
  const blocked = await submit();
  expect(!blocked.ok && blocked.reason === 'not_ready' && blocked.close.items.find(({ key }) => key === 'eur_rate')).toMatchObject({
    group: 'blocks',
    count: 1,
  });
  expect(await withoutSender(), 'method other needs none').toEqual(['ach', 'paypal', 'sepa', 'wise']);
  for (const rate of ['', 'x', '1,08', '0', '0.1', '10.5', '1.08e0', '-1.1'])
    expect(await setEurRate(game, fiona, drafted.run.runId, { rate, source: 'ECB' })).toMatchObject({ problem: 'not_a_rate' });
  expect(await setEurRate(game, fiona, drafted.run.runId, { rate: '1.0842', source: ' ' })).toMatchObject({
    field: 'source',
    problem: 'missing',
  });
  expect(await setEurRate(game, fiona, drafted.run.runId, { rate: '1.0842', source: 'ECB, 20 November' })).toMatchObject({ ok: true });
  const submitted = await submit();
  if (!submitted.ok) throw new Error(JSON.stringify(submitted));
  expect(submitted.run.eurRate).toEqual({ usd_per_eur: '1.0842', source: 'ECB, 20 November' });
  expect(await setEurRate(game, fiona, drafted.run.runId, { rate: '1.2', source: 'x' })).toMatchObject({ reason: 'moved_on' });
  const approved = await approveRun(game, ada, submitted.run.runId, submitted.run.contentDigest ?? '');
  expect(approved).toMatchObject({ ok: true });
  const findings = new Findings();
  await verifyRuns(testEnv.db, game.gameId, findings);
  expect(findings.violations).toEqual([]);
});

const BANK: TypedSender = {
  name: 'Dragon Games GmbH',
  account: 'DE75 5121 0800 1245 1261 99',
  bic: 'SOGEDEFFXXX',
  town: 'Berlin',
  country: 'DE',
};
const ACH: TypedSender = {
  company_name: 'Dragon Games',
  company_id: '1123456789',
  entry_description: 'PAYROLL',
  immediate_origin: '1123456789',
  bank_name: 'First Bank',
  bank_routing_number: '021000021',
};

test('each method gets the files of its layout, whose amounts, parties and totals are those of the run', async () => {
  const { rows } = await testEnv.pool.query<{ id: number; usd: string }>(
    'select recipient_player_id as id, amount_usd as usd from payout_item where recipient_player_id = any($1)',
    [recipients],
  );
  const usdOf = (index: number): string => rows.find(({ id }) => id === recipients[index])?.usd ?? '';
  expect(await make('sepa', { executionDate: '2026-11-23' })).toMatchObject({ blockers: [{ reason: 'sender_missing' }] });
  await confirmSender('sepa', BANK);
  expect(await withoutSender()).toEqual(['ach', 'paypal', 'wise']);
  expect(await make('sepa')).toMatchObject({ blockers: [{ reason: 'execution_date_missing' }] });
  expect(await make('sepa', { executionDate: '2026-11-20' })).toMatchObject({ blockers: [{ reason: 'execution_date_past' }] });
  for (const executionDate of ['2026-11-28', '2026-11-29'])
    expect(await make('sepa', { executionDate })).toMatchObject({ blockers: [{ reason: 'execution_date_weekend' }] });
  for (const executionDate of ['2026-12-25', '2027-03-26'])
    expect(await make('sepa', { executionDate })).toMatchObject({ blockers: [{ reason: 'execution_date_closed' }] });
  const sepa = await make('sepa', { executionDate: '2026-11-23', format: 'pain_001_03' });
  if (!sepa.ok) throw new Error(JSON.stringify(sepa));
  const xml = await textOf(sepa.files[0]?.batchNo);
  const eur = (Math.round((Number(usdOf(0)) / 1.0842) * 100) / 100).toFixed(2);
  expect(xml).toContain(`<InstdAmt Ccy="EUR">${eur}</InstdAmt>`);
  expect(xml).toContain('<IBAN>DE89370400440532013000</IBAN>');
  expect(xml).toContain('<IBAN>DE75512108001245126199</IBAN>');

  await confirmSender('ach', ACH);
  const ach = await make('ach', { executionDate: '2026-11-23' });
  if (!ach.ok) throw new Error(JSON.stringify(ach));
  expect(ach.files.map(({ format }) => format).toSorted()).toEqual(['nacha_ccd', 'nacha_ppd']);
  const headers = await Promise.all(ach.files.map(async ({ batchNo }) => (await textOf(batchNo)).slice(0, 94)));
  // File ID modifiers of one origin and day differ.
  expect(headers.map((header) => header[33])).toEqual(['A', 'B']);
  const read = readNacha(await textOf(ach.files[0]?.batchNo));
  expect(JSON.stringify(read)).toContain('PAYROLL');
  const traces = await testEnv.pool.query(`select trace from payout_item where trace is not null order by 1`);
  expect(traces.rows.map((row) => row['trace'])).toEqual(['021000020000001', '021000020000001']);

  await confirmSender('wise', {
    template_header: 'name,recipientEmail,recipientId,sourceCurrency,targetCurrency,amountCurrency,amount,paymentReference,receiverType',
  });
  const wise = await make('wise');
  if (!wise.ok) throw new Error(JSON.stringify(wise));
  expect(await textOf(wise.files[0]?.batchNo)).toMatch(
    new RegExp(`Ines Vale,vale@creators\\.example,,USD,GBP,source,${usdOf(3)},[A-Z0-9]{10},PERSON`),
  );
  const other = await make('other');
  if (!other.ok) throw new Error(JSON.stringify(other));
  expect(await textOf(other.files[0]?.batchNo)).toContain('Cheque by post');
  const findings = new Findings();
  await verifyPayments(testEnv.db, game.gameId, PAYEE_KEY, findings);
  expect(findings.violations).toEqual([]);
});

test('a payment whose details changed since the approval is blocked by name, and is paid to the new ones once two people agree', async () => {
  await confirmSender('paypal', { decimal_sign: '.' });
  const { rows } = await testEnv.pool.query<{ id: number; no: number }>(
    `select recipient_player_id as id, item_no as no from payout_item where state = 'waiting' order by item_no limit 1`,
  );
  const [first] = rows;
  await confirmDetails(first?.id ?? 0, 'paypal', { email: 'moved@creators.example' });
  expect(await make('paypal')).toMatchObject({
    reason: 'blocked',
    blockers: [{ reason: 'details_changed', item: { itemNo: first?.no, recipientId: first?.id } }],
  });
  const { runId } = await runOf();
  const changed = { runId, itemNo: first?.no ?? 0 };
  const { rows: others } = await testEnv.pool.query<{ no: number }>(
    `select item_no as no from payout_item where state = 'waiting' and item_no <> $1 limit 1`,
    [changed.itemNo],
  );
  const other = { runId, itemNo: others[0]?.no ?? 0 };
  expect(await proposeReissue(game, fiona, { ...other, reason: 'Nothing changed' })).toEqual({ ok: false, reason: 'moved_on' });
  const proposed = await proposeReissue(game, fiona, { ...changed, reason: 'They moved' });
  if (!proposed.ok) throw new Error(proposed.reason);
  const elsewhere = { runId, itemNos: [changed.itemNo], paidOn: '2026-10-01', note: 'By card' };
  expect(await proposeElsewhere(game, fiona, elsewhere)).toEqual({ ok: false, reason: 'moved_on' });
  const confirmed = await reissueAsShown(game, changed);
  expect(await decideReissue(game, fiona, confirmed)).toEqual({ ok: false, reason: 'same_person' });
  expect(await decideReissue(game, ada, confirmed)).toMatchObject({ ok: true });
  const made = await make('paypal');
  if (!made.ok) throw new Error(JSON.stringify(made));
  const files = await Promise.all(made.files.map(({ batchNo }) => textOf(batchNo)));
  expect(files.flatMap((text) => text.split('\r\n')).filter((line) => line.includes('moved@creators.example'))).toEqual([
    expect.stringContaining(proposed.reference),
  ]);
  expect(files.join('')).not.toContain(formatPaymentReference({ gameId: game.gameId, runNo: 1, itemNo: changed.itemNo }));
  const findings = new Findings();
  await verifyPayments(game.db, game.gameId, PAYEE_KEY, findings);
  expect(findings.violations).toEqual([]);
});

test('a payment of a cancelled file goes to the details that the file paid, unless two people agree to a re-issue', async () => {
  const { rows } = await testEnv.pool.query<{ batch: number; id: number; no: number }>(
    `select i.batch_no as batch, i.recipient_player_id as id, i.item_no as no from payout_item i join payout_batch b using (game_id, batch_no)
     where b.method = 'paypal' order by i.item_no desc limit 1`,
  );
  const [paid] = rows;
  const cancel = { batchNo: paid?.batch ?? 0, reason: 'Wrong note' };
  expect(await requestCancel(game, fiona, { ...cancel, isNotUploaded: true })).toEqual({ ok: true });
  const shown = { ...cancel, requesterId: fiona.id };
  expect(await decideCancel(game, ada, shown, { isAgreed: true, isNotUploaded: true })).toEqual({ ok: true });
  await confirmDetails(paid?.id ?? 0, 'paypal', { email: 'elsewhere@creators.example' });
  const { rows: replaced } = await testEnv.pool.query<{ no: number }>('select item_no as no from payout_item where replaces_item_no = $1', [
    paid?.no,
  ]);
  const [item] = replaced;
  expect(await make('paypal')).toMatchObject({ reason: 'blocked', blockers: [{ reason: 'details_changed', item: { itemNo: item?.no } }] });
  const key = { runId: (await runOf()).runId, itemNo: item?.no ?? 0 };
  const agreed = await reissue(key);
  await confirmDetails(paid?.id ?? 0, 'paypal', { email: 'again@creators.example' });
  const blocked = { reason: 'blocked', blockers: [{ reason: 'details_changed', item: { itemNo: agreed } }] };
  expect(await make('paypal'), 'the second person agreed to the details before').toMatchObject(blocked);
  await reissue({ ...key, itemNo: agreed });
  expect(await make('paypal')).toMatchObject({ ok: true });
  const findings = new Findings();
  await verifyPayments(game.db, game.gameId, PAYEE_KEY, findings);
  expect(findings.violations).toEqual([]);
});

/** Re-issues a payment by two people. Returns the number of the new one. */
async function reissue(key: ReissueKey): Promise<number> {
  const proposed = await proposeReissue(game, fiona, { ...key, reason: 'They moved' });
  if (!proposed.ok) throw new Error(proposed.reason);
  expect(await decideReissue(game, ada, await reissueAsShown(game, key))).toMatchObject({ ok: true });
  return proposed.itemNo;
}

async function textOf(batchNo = 0): Promise<string> {
  const opened = await openFile(game, fiona, PAYEE_KEY, batchNo);
  if (!opened.ok) throw new Error(opened.reason);
  return opened.bytes.toString('utf8');
}
