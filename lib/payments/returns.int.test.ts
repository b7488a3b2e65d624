import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerChecks, closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { handOverAll, reportOf, type TestPayment } from '#e2e/support/payouts/hand-over-all.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { listJournals } from '#lib/accounting/reads.ts';
import { verifyJournals } from '#lib/accounting/verify-journals.ts';
import { compareMoney, negateMoney, normalizeMoney, sumMoney } from '../core/money.ts';
import type { SessionActor } from '../core/roles.ts';
import { Findings } from '../evidence/rules/findings.ts';
import type { OpenGame } from '../games/open-game.ts';
import { approveRun, confirmVoid, rejectRun, requestVoid } from '../payouts/decide-run.ts';
import { draftRun, recomposeRun, returnToDraft } from '../payouts/draft-run.ts';
import { findRun, findRunContent, type Run } from '../payouts/reads/find-run.ts';
import { listStatementFacts } from '../payouts/reads/statements.ts';
import { listWaitingPayouts } from '../payouts/reads/waiting-payouts.ts';
import { submitRun } from '../payouts/submit-run.ts';
import { verifyRuns } from '../payouts/verify-runs.ts';
import { closeRun } from './close-run.ts';
import { decideRow } from './decide-row.ts';
import { decideElsewhere, proposeElsewhere } from './pay-elsewhere.ts';
import { findPaymentStory } from './reads/payment-story.ts';
import { findReissue } from './reads/reissues.ts';
import { listListedRows } from './reads/reports.ts';
import { listWaiting } from './reads/waiting-items.ts';
import { recordReport } from './record-report.ts';
import { decideReissue, proposeReissue } from './reissue.ts';
import { verifyPaymentReports } from './verify-payment-reports.ts';

// August is paid; what comes back of it is re-issued, or due in September, once.
let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let ada: SessionActor;
let august: Run;
let september: Run;
let payments: TestPayment[];
let file: { batchNo: number; batchId: string };

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08', '2026-09');
  game = await testEnv.game();
  [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
  august = await closeMonth(testEnv, { preparer: fiona, approver: ada }, '2026-08');
  ({ payments, ...file } = await handOverAll(testEnv, { preparer: fiona, approver: ada }, august));
});
afterAll(() => testEnv.close());

const payment = (index: number): TestPayment => {
  const found = payments[index];
  if (found === undefined) throw new Error(`no payment ${index}: the month pays ${payments.length}`);
  return found;
};
const report = async (rows: Parameters<typeof reportOf>[0]) => {
  const recorded = await recordReport(game, fiona, PAYEE_KEY, { bytes: reportOf(rows), fileName: 'report.csv', dateOrder: null });
  if (!recorded.ok) throw new Error(JSON.stringify(recorded));
  return recorded;
};
const stateOf = async ({ itemNo }: Pick<TestPayment, 'itemNo'>): Promise<string> => {
  const { rows } = await testEnv.pool.query('select state from payout_item where run_id = $1 and item_no = $2', [august.runId, itemNo]);
  return rows[0].state;
};
const returnedOf = async (recipientId: number): Promise<string> => {
  const statement = 'select returned_usd from payout_line where run_id = $1 and recipient_player_id = $2';
  const { rows } = await testEnv.pool.query(statement, [september.runId, recipientId]);
  return rows[0]?.returned_usd ?? 'no line';
};
const reread = async (run: Run): Promise<Run> => {
  const found = await findRun(testEnv.db, game.gameId, { runId: run.runId });
  if (found === null) throw new Error('the run is gone');
  return found;
};
const submit = async (): Promise<void> => {
  september = await reread(september);
  await answerChecks(testEnv, fiona, september);
  september = await reread(september);
  const submitted = await submitRun(game, fiona, september.runId, september.draftDigest ?? '');
  if (!submitted.ok) throw new Error(JSON.stringify(submitted));
  september = submitted.run;
};
async function violations(): Promise<unknown[]> {
  const findings = new Findings();
  await verifyRuns(testEnv.db, game.gameId, findings);
  await verifyJournals(testEnv.db, game.gameId, findings);
  await verifyPaymentReports(testEnv.db, game.gameId, PAYEE_KEY, findings);
  return findings.violations;
}
const accept = async ({ reference }: TestPayment, status: string, amount: string, id: string, date: string): Promise<string> => {
  const { reportNo } = (await report([[reference, status, amount, id, date]])).report;
  const [listed] = await listListedRows(testEnv.db, game.gameId, { reportNo });
  const row = { reportNo, rowNo: 2, note: 'The bank shows it', reportedState: null };
  expect(await decideRow(game, fiona, { ...row, decision: 'accepted', target: { of: 'named' } })).toMatchObject({ ok: true });
  return listed?.problem ?? 'not listed';
};
const key = ({ itemNo }: TestPayment) => ({ runId: august.runId, itemNo });

test('a payment that came back is due in the draft of the next month, and no longer once it arrives', async () => {
  const drafted = await draftRun(game, fiona, '2026-09');
  if (!drafted.ok) throw new Error(drafted.reason);
  september = drafted.run;
  const [first, second] = [payment(0), payment(1)];
  await report([
    [first.reference, 'Returned', first.amount, 'R1', '2026-09-20'],
    [second.reference, 'Failed', second.amount, 'F1', '2026-09-05'],
  ]);
  expect([await returnedOf(first.recipientId), await returnedOf(second.recipientId)]).toEqual([first.amount, second.amount]);
  await report([[second.reference, 'Completed', second.amount, 'F2', '2026-09-06']]);
  expect([await returnedOf(first.recipientId), await returnedOf(second.recipientId)]).toEqual([first.amount, '0.00']);
  expect(await violations()).toEqual([]);
});

test('a submitted run has what came back, and gives it free again whenever it isn’t in review', async () => {
  const first = payment(0);
  await submit();
  expect((await findRunContent(testEnv.db, september))?.returned).toEqual([
    { runNo: 1, itemNo: first.itemNo, recipientId: first.recipientId, amount_usd: first.amount },
  ]);
  expect(await stateOf(first)).toBe('to_balance');
  expect(await violations()).toEqual([]);
  expect(await proposeReissue(game, fiona, { ...key(first), reason: 'New account' })).toEqual({ ok: false, reason: 'in_balance' });
  await returnToDraft(game, fiona, september.runId);
  expect([await stateOf(first), await returnedOf(first.recipientId)]).toEqual(['returned', first.amount]);
  await submit();
  expect(await rejectRun(game, ada, september.runId, 'Check the amounts')).toMatchObject({ ok: true });
  expect(await stateOf(first)).toBe('returned');
  await returnToDraft(game, fiona, september.runId);
  expect(await violations()).toEqual([]);
});

test('another return sends a run in review back, and so does a payment that a person accepts as arrived after all', async () => {
  const [first, third] = [payment(0), payment(2)];
  await submit();
  expect(await report([[third.reference, 'Returned', third.amount, 'R3', '2026-09-21']])).toMatchObject({ voidedSubmission: true });
  expect([(await reread(september)).state, await returnedOf(third.recipientId)]).toEqual(['draft', third.amount]);
  await submit();
  expect(await accept(first, 'Completed', first.amount, 'R1b', '2026-09-22')).toBe('dates_contradict');
  expect([(await reread(september)).state, await stateOf(first), await returnedOf(first.recipientId)]).toEqual(['draft', 'paid', '0.00']);
  expect(await violations()).toEqual([]);
});

test('a re-issue needs a second person who saw its payment details, gets a reference of its own, and leaves the next month', async () => {
  const third = payment(2);
  expect(await proposeReissue(game, fiona, { ...key(payment(0)), reason: 'Again' })).toEqual({ ok: false, reason: 'moved_on' });
  expect(await proposeReissue(game, fiona, { ...key(third), reason: ' ' })).toEqual({ ok: false, reason: 'missing' });
  const proposed = await proposeReissue(game, fiona, { ...key(third), reason: 'The account was closed' });
  if (!proposed.ok) throw new Error(proposed.reason);
  expect(proposed.reference).not.toBe(third.reference);
  expect(await proposeReissue(game, ada, { ...key(third), reason: 'Again' })).toEqual({ ok: false, reason: 'another_waits' });
  const shown = await findReissue(testEnv.db, game.gameId, key(third));
  expect(shown).toMatchObject({
    state: 'returned',
    proposal: { proposedById: fiona.id },
    details: { account: expect.stringContaining('PayPal') },
  });
  const detailNo = shown?.details?.detailNo ?? 0;
  expect(await decideReissue(game, fiona, { ...key(third), decision: 'confirmed', detailNo })).toEqual({
    ok: false,
    reason: 'same_person',
  });
  expect(await decideReissue(game, ada, { ...key(third), decision: 'confirmed', detailNo: detailNo + 1 })).toEqual({
    ok: false,
    reason: 'not_as_shown',
  });
  expect(await decideReissue(game, ada, { ...key(third), decision: 'withdrawn' })).toMatchObject({ ok: true });
  const again = await proposeReissue(game, fiona, { ...key(third), reason: 'The account was closed' });
  expect(await decideReissue(game, ada, { ...key(third), decision: 'confirmed', detailNo })).toEqual({ ok: true, voidedSubmission: false });
  expect(await decideReissue(game, ada, { ...key(third), decision: 'confirmed', detailNo })).toEqual({ ok: false, reason: 'moved_on' });
  expect([await stateOf(third), again.ok && (await stateOf(again)), await returnedOf(third.recipientId)]).toEqual([
    'reissued',
    'waiting',
    '0.00',
  ]);
  const { rows } = await testEnv.pool.query(
    `select act, detail ->> 'reason' as reason from audit where act like '%re-issue%' order by audit_id`,
  );
  expect(rows).toEqual([
    { act: 'proposed to re-issue a payment', reason: 'The account was closed' },
    { act: 'was refused confirmation of a re-issue', reason: 'same_person' },
    { act: 'was refused confirmation of a re-issue', reason: 'not_as_shown' },
    { act: 'withdrew the re-issue of a payment', reason: null },
    { act: 'proposed to re-issue a payment', reason: 'The account was closed' },
    { act: 'confirmed the re-issue of a payment', reason: null },
  ]);
  expect(await violations()).toEqual([]);
});

test('money that moves for a replaced payment is an alarm, and payments made elsewhere are posted as they are confirmed', async () => {
  const third = payment(2);
  expect(await report([[third.reference, 'Completed', third.amount, 'R3b', '2026-09-25']])).toMatchObject({
    report: { result: '1 row: 1 is about a payment that was replaced.' },
  });
  expect(await stateOf(third)).toBe('reissued');
  const itemNo = (await testEnv.pool.query('select max(item_no) as no from payout_item where run_id = $1', [august.runId])).rows[0].no;
  const proposed = await proposeElsewhere(game, fiona, { runId: august.runId, itemNos: [itemNo], paidOn: '2026-09-28', note: 'By card' });
  if (!proposed.ok) throw new Error(proposed.reason);
  expect(await decideElsewhere(game, ada, { batchNo: proposed.batchNo, decision: 'confirmed' })).toEqual({ ok: true });
  expect(await stateOf({ itemNo })).toBe('paid');
  expect((await listJournals(testEnv.db, game.gameId, null)).at(-1)).toMatchObject({
    kind: 'payments',
    postedOn: '2026-09-28',
    transfers: [{ kind: 'items_paid', posted_usd: third.amount }],
  });
  expect(await violations()).toEqual([]);
});

test('each return of a payment has its bank fee, and one dated before the payment counts from the day a person accepts it', async () => {
  const [fifth, { amount }] = [payment(4), payment(4)];
  const less = (Number(amount) - 1).toFixed(2);
  const fees = async (): Promise<number> =>
    (await listJournals(testEnv.db, game.gameId, null)).filter(({ transfers }) => transfers.some(({ kind }) => kind === 'return_fees'))
      .length;
  await report([[fifth.reference, 'Completed', amount, 'V1', '2026-09-10']]);
  expect([await accept(fifth, 'Returned', less, 'V2', '2026-09-12'), await fees()]).toEqual(['returned_in_part', 1]);
  expect([await accept(fifth, 'Completed', amount, 'V3', '2026-09-14'), await stateOf(fifth)]).toEqual(['paid_twice', 'paid']);
  expect([await accept(fifth, 'Returned', less, 'V4', '2026-09-16'), await fees()]).toEqual(['returned_in_part', 2]);
  expect([await accept(fifth, 'Completed', amount, 'V5', '2026-09-18'), await stateOf(fifth)]).toEqual(['paid_twice', 'paid']);
  expect([await accept(fifth, 'Returned', amount, 'V6', '2026-09-17'), await stateOf(fifth)]).toEqual(['dates_contradict', 'returned']);
  const story = await findPaymentStory(testEnv.db, { ...august, runNo: 1 }, fifth.itemNo, { canSeeEmails: true });
  expect(story?.confirmations.map(({ state, accepted }) => [state, accepted?.note ?? 'by itself']).slice(0, 2)).toEqual([
    ['returned', 'The bank shows it'],
    ['paid', 'The bank shows it'],
  ]);
  expect(story?.confirmations.at(-1)).toMatchObject({ occurredOn: '2026-09-10', accepted: null });
  expect(await violations()).toEqual([]);
});

test('a run closes once none of its payments is open, whatever rows are foreign, and what comes back then is due in the next run once', async () => {
  expect(await closeRun(game, fiona, august.runId)).toEqual({ ok: false, reason: 'not_paid' });
  const arrived = payments.map(({ reference, amount }, index) => [reference, 'Completed', amount, `P${index}`, '2026-09-26'] as const);
  const { reportNo: foreign } = (await report([...arrived, ['', 'Completed', '900.00', 'Rent']])).report;
  expect(await closeRun(game, fiona, august.runId)).toEqual({ ok: false, reason: 'rows_open' });
  const reportsWithRows = async (): Promise<number[]> =>
    (await listWaitingPayouts(testEnv.db, game.gameId, ada.id, 100)).flatMap(({ kind, id }) => (kind === 'report_rows' ? [id] : []));
  const open = await listListedRows(testEnv.db, game.gameId, { isOpen: true });
  expect(await reportsWithRows()).toEqual([...new Set(open.map(({ reportNo }) => reportNo))]);
  for (const { reportNo, rowNo, problem } of open)
    if (problem !== 'foreign') await decideRow(game, fiona, { reportNo, rowNo, decision: 'set_aside', note: 'Corrected by an adjustment' });
  expect(await reportsWithRows()).toEqual([foreign]);
  // A bank's answer to the whole file, with a status that isn't known: it may be a rejection.
  const answer = `<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>2026-09-01T10:00:00</CreDtTm></GrpHdr><OrgnlGrpInfAndSts>
    <OrgnlMsgId>${file.batchId}</OrgnlMsgId><GrpSts>HOLD</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`;
  const answered = await recordReport(game, fiona, PAYEE_KEY, { bytes: Buffer.from(answer), fileName: 'answer.xml', dateOrder: null });
  expect(answered).toMatchObject({ ok: true, report: { result: '1 row: 1 has an unknown status.' } });
  expect(await closeRun(game, fiona, august.runId)).toEqual({ ok: false, reason: 'rows_open' });
  const row = { reportNo: answered.ok ? answered.report.reportNo : 0, rowNo: 1, note: 'The bank explained it' };
  const target = { of: 'batch' as const, batchNo: file.batchNo };
  expect(await decideRow(game, fiona, { ...row, decision: 'accepted', target, reportedState: 'pending' })).toMatchObject({ ok: true });
  expect(await closeRun(game, fiona, august.runId)).toMatchObject({ ok: true, run: { closedBy: { id: fiona.id } } });
  expect(await closeRun(game, fiona, august.runId)).toMatchObject({ ok: true });
  expect(await closeRun(game, ada, august.runId)).toEqual({ ok: false, reason: 'moved_on' });
  const fourth = payment(3);
  await report([[fourth.reference, 'Returned', fourth.amount, 'R4', '2026-10-02']]);
  expect(await proposeReissue(game, fiona, { ...key(fourth), reason: 'Again' })).toEqual({ ok: false, reason: 'closed' });
  await recomposeRun(game, fiona, september.runId);
  expect(await returnedOf(fourth.recipientId)).toBe(fourth.amount);
  await submit();
  const approved = await approveRun(game, ada, september.runId, september.contentDigest ?? '');
  if (!approved.ok) throw new Error(JSON.stringify(approved));
  expect(await stateOf(fourth)).toBe('to_balance');
  expect(await report([[fourth.reference, 'Completed', fourth.amount, 'R4b', '2026-10-09']])).toMatchObject({
    report: { result: '1 row: 1 is about a payment that was replaced.' },
  });
  const [facts] = await listStatementFacts(testEnv.db, { gameId: game.gameId, runNo: 2 }, [fourth.recipientId]);
  const back = { runNo: 1, windowStart: '2026-08-01T00:00:00Z', amount_usd: fourth.amount, hasFailed: false, occurredOn: '2026-10-02' };
  expect(facts?.returned).toEqual([back]);
  const waiting = await listWaiting(testEnv.db, september, 'paypal');
  expect(waiting.flatMap(({ recipientId, isReportedPaid }) => (isReportedPaid ? [recipientId] : []))).toEqual([fourth.recipientId]);
  expect(await violations()).toEqual([]);
});

test('the journals owe what runs carry and what wasn’t paid yet, to the last digit', async () => {
  const journals = await listJournals(testEnv.db, game.gameId, null);
  const exact = (account: string): string =>
    sumMoney(
      journals.flatMap(({ transfers }) =>
        transfers.flatMap(({ debit, credit, exact_usd }) => [
          ...(credit === account ? [exact_usd] : []),
          ...(debit === account ? [negateMoney(exact_usd)] : []),
        ]),
      ),
    );
  const { rows } = await testEnv.pool.query(
    `select (select closing_usd from payout_run where run_id = $1) + (select coalesce(sum(amount_usd), 0) from payout_item
       where state in ('waiting', 'sent', 'pending', 'failed', 'returned')) as owed`,
    [september.runId],
  );
  const posted = sumMoney([exact('recipients_payable'), exact('recipients_receivable')]);
  expect(compareMoney(normalizeMoney(posted), normalizeMoney(rows[0].owed))).toBe(0);
});

test('a voided run gives back what came back to it', async () => {
  const fourth = payment(3);
  expect(await requestVoid(game, fiona, { runId: september.runId, why: 'Wrong month', isNotUploaded: true })).toMatchObject({ ok: true });
  const { version } = await reread(september);
  expect(await confirmVoid(game, ada, { runId: september.runId, version }, { isAgreed: true, isNotUploaded: true })).toMatchObject({
    ok: true,
  });
  expect(await stateOf(fourth)).toBe('returned');
  expect(await violations()).toEqual([]);
});
