import { afterAll, beforeAll, expect, test } from 'vitest';
import { PaidMonth, reissueAsShown } from '#e2e/support/payments/paid-month.ts';
import { debitOf, type TestPayment } from '#e2e/support/payouts/hand-over-all.ts';
import { dropConstraints, withTampering } from '#e2e/support/tampered-view.ts';
import type { TestEnvironment } from '#e2e/support/test-environment.ts';
import { listJournals } from '#lib/accounting/reads.ts';
import { compareMoney, negateMoney, normalizeMoney, sumMoney } from '../core/money.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { approveRun, confirmVoid, rejectRun, requestVoid } from '../payouts/decide-run.ts';
import { draftRun, recomposeRun, returnToDraft } from '../payouts/draft-run.ts';
import { findRunContent, type Run } from '../payouts/reads/find-run.ts';
import { listStatementFacts } from '../payouts/reads/statements.ts';
import { listWaitingPayouts } from '../payouts/reads/waiting-payouts.ts';
import { closeRun } from './close-run.ts';
import { decideRow } from './decide-row.ts';
import { decideElsewhere, proposeElsewhere } from './pay-elsewhere.ts';
import { findPaymentStory } from './reads/payment-story.ts';
import { findReissue } from './reads/reissues.ts';
import { listListedRows, listOpenRowsAbout } from './reads/reports.ts';
import { listWaiting } from './reads/waiting-items.ts';
import { decideReissue, proposeReissue } from './reissue.ts';

// August is paid; what comes back of it is re-issued, or due in September, once.
let paid: PaidMonth;
let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let ada: SessionActor;
let august: Run;
let september: Run;

beforeAll(async () => {
  paid = await PaidMonth.open();
  ({ testEnv, game, fiona, ada, run: august } = paid);
});
afterAll(() => testEnv.close());

const returnedOf = async (recipientId: number): Promise<string> => {
  const statement = 'select returned_usd from payout_line where run_id = $1 and recipient_player_id = $2';
  const { rows } = await testEnv.pool.query(statement, [september.runId, recipientId]);
  return rows[0]?.returned_usd ?? 'no line';
};
const submit = async (): Promise<void> => {
  september = await paid.submit(september);
};
const key = ({ itemNo }: Pick<TestPayment, 'itemNo'>) => ({ runId: august.runId, itemNo });
const undecided = async (payment: Pick<TestPayment, 'itemNo'>): Promise<string[]> =>
  (await listOpenRowsAbout(testEnv.db, game.gameId, { ...key(payment), batchNo: paid.file.batchNo })).map(({ problem }) => problem);

test('a payment that came back is due in the draft of the next month, and no longer once it arrives', async () => {
  const drafted = await draftRun(game, fiona, '2026-09');
  if (!drafted.ok) throw new Error(drafted.reason);
  september = drafted.run;
  const [first, second] = [paid.payment(0), paid.payment(1)];
  await paid.report([
    [first.reference, 'Returned', first.amount, 'R1', '2026-09-20'],
    [second.reference, 'Failed', second.amount, 'F1', '2026-09-05'],
  ]);
  expect([await returnedOf(first.recipientId), await returnedOf(second.recipientId)]).toEqual([first.amount, second.amount]);
  await paid.report([[second.reference, 'Completed', second.amount, 'F2', '2026-09-06']]);
  expect([await returnedOf(first.recipientId), await returnedOf(second.recipientId)]).toEqual([first.amount, '0.00']);
  expect(await paid.violations()).toEqual([]);
});

test('a submitted run has what came back, and gives it free again whenever it isn’t in review', { tags: 'proof' }, async () => {
  const first = paid.payment(0);
  await submit();
  expect((await findRunContent(testEnv.db, september))?.returned).toEqual([
    { runNo: 1, itemNo: first.itemNo, recipientId: first.recipientId, amount_usd: first.amount },
  ]);
  expect(await paid.stateOf(first)).toBe('to_balance');
  expect(await paid.violations()).toEqual([]);
  expect(await proposeReissue(game, fiona, { ...key(first), reason: 'New account' })).toEqual({ ok: false, reason: 'in_balance' });
  await returnToDraft(game, fiona, september.runId);
  expect([await paid.stateOf(first), await returnedOf(first.recipientId)]).toEqual(['returned', first.amount]);
  await submit();
  expect(await rejectRun(game, ada, september.runId, 'Check the amounts')).toMatchObject({ ok: true });
  expect(await paid.stateOf(first)).toBe('returned');
  await returnToDraft(game, fiona, september.runId);
  expect(await paid.violations()).toEqual([]);
});

test('another return, or a payment accepted as arrived after all, sends a run in review back', async () => {
  const [first, third] = [paid.payment(0), paid.payment(2)];
  await submit();
  expect(await paid.report([[third.reference, 'Returned', third.amount, 'R3', '2026-09-21']])).toMatchObject({ voidedSubmission: true });
  expect([(await paid.reread(september)).state, await returnedOf(third.recipientId)]).toEqual(['draft', third.amount]);
  await submit();
  expect(await paid.accept(first, 'Completed', first.amount, 'R1b', '2026-09-22')).toBe('dates_contradict');
  expect([(await paid.reread(september)).state, await paid.stateOf(first), await returnedOf(first.recipientId)]).toEqual([
    'draft',
    'paid',
    '0.00',
  ]);
  expect(await paid.violations()).toEqual([]);
});

test('a re-issue needs a second person who saw its payment details, gets a reference of its own, and leaves the next month', async () => {
  const third = paid.payment(2);
  expect(await proposeReissue(game, fiona, { ...key(paid.payment(0)), reason: 'Again' })).toEqual({ ok: false, reason: 'moved_on' });
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
  const stale = await reissueAsShown(game, key(third));
  const notAsShown = { ok: false, reason: 'not_as_shown' };
  expect(await decideReissue(game, fiona, stale)).toEqual({ ok: false, reason: 'same_person' });
  expect(await decideReissue(game, ada, { ...stale, detailNo: stale.detailNo + 1 })).toEqual(notAsShown);
  expect(await decideReissue(game, ada, { ...stale, decision: 'withdrawn' })).toMatchObject({ ok: true });
  const again = await proposeReissue(game, fiona, { ...key(third), reason: 'The account was closed' });
  expect(await decideReissue(game, ada, stale), 'a page that showed the withdrawn proposal').toEqual(notAsShown);
  const confirmed = await reissueAsShown(game, key(third));
  expect(await decideReissue(game, ada, confirmed)).toEqual({ ok: true, voidedSubmission: false });
  expect(await decideReissue(game, ada, confirmed)).toEqual({ ok: false, reason: 'moved_on' });
  expect([await paid.stateOf(third), again.ok && (await paid.stateOf(again)), await returnedOf(third.recipientId)]).toEqual([
    'reissued',
    'waiting',
    '0.00',
  ]);
  const story = await findPaymentStory(testEnv.db, { ...august, runNo: 1 }, third.itemNo, { canSeeEmails: true });
  expect(story?.reissues.map(({ outcome }) => outcome)).toEqual(['withdrawn', 'confirmed']);
  const { rows } = await testEnv.pool.query(
    `select act, detail ->> 'reason' as reason from audit where act like '%re-issue%' order by audit_id`,
  );
  expect(rows).toEqual([
    { act: 'proposed to re-issue a payment', reason: 'The account was closed' },
    { act: 'was refused confirmation of a re-issue', reason: 'same_person' },
    { act: 'was refused confirmation of a re-issue', reason: 'not_as_shown' },
    { act: 'withdrew the re-issue of a payment', reason: null },
    { act: 'proposed to re-issue a payment', reason: 'The account was closed' },
    { act: 'was refused confirmation of a re-issue', reason: 'not_as_shown' },
    { act: 'confirmed the re-issue of a payment', reason: null },
  ]);
  expect(await paid.violations()).toEqual([]);
});

test('money that moves for a replaced payment is an alarm, and payments made elsewhere are posted as they are confirmed', async () => {
  const third = paid.payment(2);
  expect(await paid.report([[third.reference, 'Completed', third.amount, 'R3b', '2026-09-25']])).toMatchObject({
    report: { result: '1 row: 1 is about a payment that was replaced.' },
  });
  expect(await paid.stateOf(third)).toBe('reissued');
  const itemNo = (await testEnv.pool.query('select max(item_no) as no from payout_item where run_id = $1', [august.runId])).rows[0].no;
  const proposed = await proposeElsewhere(game, fiona, { runId: august.runId, itemNos: [itemNo], paidOn: '2026-09-28', note: 'By card' });
  if (!proposed.ok) throw new Error(proposed.reason);
  expect(await decideElsewhere(game, ada, { batchNo: proposed.batchNo, decision: 'confirmed' })).toEqual({ ok: true });
  expect(await paid.stateOf({ itemNo })).toBe('paid');
  expect((await listJournals(testEnv.db, game.gameId, null)).at(-1)).toMatchObject({
    kind: 'payments',
    postedOn: '2026-09-28',
    transfers: [{ kind: 'items_paid', posted_usd: third.amount }],
  });
  expect(await paid.violations()).toEqual([]);
});

test('each return has its bank fee, and one dated before the payment counts from its acceptance', { tags: 'proof' }, async () => {
  const [fifth, { amount }] = [paid.payment(4), paid.payment(4)];
  const less = (Number(amount) - 1).toFixed(2);
  const fees = async (): Promise<number> =>
    (await listJournals(testEnv.db, game.gameId, null)).filter(({ transfers }) => transfers.some(({ kind }) => kind === 'return_fees'))
      .length;
  await paid.report([[fifth.reference, 'Completed', amount, 'V1', '2026-09-10']]);
  expect([await paid.accept(fifth, 'Returned', less, 'V2', '2026-09-12'), await fees()]).toEqual(['returned_in_part', 1]);
  expect([await paid.accept(fifth, 'Completed', amount, 'V3', '2026-09-14'), await paid.stateOf(fifth)]).toEqual(['paid_twice', 'paid']);
  expect([await paid.accept(fifth, 'Returned', less, 'V4', '2026-09-16'), await fees()]).toEqual(['returned_in_part', 2]);
  expect([await paid.accept(fifth, 'Completed', amount, 'V5', '2026-09-18'), await paid.stateOf(fifth)]).toEqual(['paid_twice', 'paid']);
  expect([await paid.accept(fifth, 'Returned', amount, 'V6', '2026-09-17'), await paid.stateOf(fifth)]).toEqual([
    'dates_contradict',
    'returned',
  ]);
  const story = await findPaymentStory(testEnv.db, { ...august, runNo: 1 }, fifth.itemNo, { canSeeEmails: true });
  expect(story?.confirmations.map(({ state, accepted }) => [state, accepted?.note ?? 'by itself']).slice(0, 2)).toEqual([
    ['returned', 'The bank shows it'],
    ['paid', 'The bank shows it'],
  ]);
  expect(story?.confirmations.at(-1)).toMatchObject({ occurredOn: '2026-09-10', accepted: null });
  expect(await paid.violations()).toEqual([]);
});

test('a run closes once no payment is open, and what comes back then is due in the next run once', { tags: 'proof' }, async () => {
  expect(await closeRun(game, fiona, august.runId)).toEqual({ ok: false, reason: 'not_paid' });
  const arrived = paid.payments.map(({ reference, amount }, index) => [reference, 'Completed', amount, `P${index}`, '2026-09-26'] as const);
  const { reportNo: foreign } = (await paid.report([...arrived, ['', 'Completed', '900.00', 'Rent']])).report;
  expect(await closeRun(game, fiona, august.runId)).toEqual({ ok: false, reason: 'rows_open' });
  const reportsWithRows = async (): Promise<number[]> =>
    (await listWaitingPayouts(testEnv.db, game.gameId, ada.id, 100)).flatMap(({ kind, id }) => (kind === 'report_rows' ? [id] : []));
  const open = await listListedRows(testEnv.db, game.gameId, { isOpen: true });
  expect(await reportsWithRows()).toEqual([...new Set(open.map(({ reportNo }) => reportNo))]);
  const about = open.find(({ payment }) => payment !== null);
  if (!about?.payment) throw new Error('no open row is about a payment');
  expect(await undecided(about.payment)).toContain(about.problem);
  await paid.setAside('Corrected by an adjustment');
  expect([await reportsWithRows(), await undecided(about.payment)]).toEqual([[foreign], []]);
  // A bank's answer to the whole file, with a status that isn't known: it may be a rejection.
  const answer = `<Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>2026-09-01T10:00:00</CreDtTm></GrpHdr><OrgnlGrpInfAndSts>
    <OrgnlMsgId>${paid.file.batchId}</OrgnlMsgId><GrpSts>HOLD</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`;
  const answered = await paid.report(Buffer.from(answer));
  expect(answered.report.result).toBe('1 row: 1 has an unknown status.');
  expect(await undecided(about.payment)).toEqual(['unknown_word']);
  expect(await closeRun(game, fiona, august.runId)).toEqual({ ok: false, reason: 'rows_open' });
  const row = { reportNo: answered.report.reportNo, rowNo: 1, note: 'The bank explained it' };
  const target = { of: 'batch' as const, batchNo: paid.file.batchNo };
  expect(await decideRow(game, fiona, { ...row, decision: 'accepted', target, reportedState: 'pending' })).toMatchObject({ ok: true });
  expect(await closeRun(game, fiona, august.runId)).toMatchObject({ ok: true, run: { closedBy: { id: fiona.id } } });
  expect(await closeRun(game, fiona, august.runId)).toMatchObject({ ok: true });
  expect(await closeRun(game, ada, august.runId)).toEqual({ ok: false, reason: 'moved_on' });
  const fourth = paid.payment(3);
  await paid.report([[fourth.reference, 'Returned', fourth.amount, 'R4', '2026-10-02']]);
  expect(await proposeReissue(game, fiona, { ...key(fourth), reason: 'Again' })).toEqual({ ok: false, reason: 'closed' });
  await recomposeRun(game, fiona, september.runId);
  expect(await returnedOf(fourth.recipientId)).toBe(fourth.amount);
  await submit();
  const approved = await approveRun(game, ada, september.runId, september.contentDigest ?? '');
  if (!approved.ok) throw new Error(JSON.stringify(approved));
  expect(await paid.stateOf(fourth)).toBe('to_balance');
  expect(await paid.report([[fourth.reference, 'Completed', fourth.amount, 'R4b', '2026-10-09']])).toMatchObject({
    report: { result: '1 row: 1 is about a payment that was replaced.' },
  });
  const [facts] = await listStatementFacts(testEnv.db, { gameId: game.gameId, runNo: 2 }, [fourth.recipientId]);
  const back = { runNo: 1, windowStart: '2026-08-01T00:00:00Z', amount_usd: fourth.amount, hasFailed: false, occurredOn: '2026-10-02' };
  expect(facts?.returned).toEqual([back]);
  expect(await paid.violations()).toEqual([]);
});

test('what a run pays again waits until a person decides each row that may show it as paid', { tags: 'proof' }, async () => {
  const [third, fourth, fifth] = [paid.payment(2), paid.payment(3), paid.payment(4)];
  const heldBack = async (db = testEnv.db): Promise<number[]> =>
    (await listWaiting(db, september, 'paypal')).flatMap(({ recipientId, isReportedPaid }) => (isReportedPaid ? [recipientId] : []));
  expect(await heldBack()).toEqual([fourth.recipientId]);
  const both = [fourth.recipientId, fifth.recipientId];
  await paid.setAside();
  expect(await heldBack()).toEqual([]);
  expect(await paid.report(debitOf(paid.file.batchId, '0.35', '2026-10-09'))).toMatchObject({
    report: { result: '1 row: 1 total differs.' },
  });
  expect(await heldBack()).toEqual(both);
  // Its payments that arrived aren't paid again, unless one was voided or paid by a run in between.
  const among = async (statement: string): Promise<boolean> =>
    await withTampering(
      testEnv.pool,
      async (client) => {
        await dropConstraints(client, ['payout_run']);
        expect((await client.query(statement, [august.runId, third.itemNo])).rowCount).toBe(1);
      },
      async (view) => (await heldBack(view)).includes(third.recipientId),
    );
  const reissue = `from payout_item next where next.run_id = $1 and next.replaces_item_no = $2 and next.withdrawn_at is null`;
  expect(await among(`select 1 ${reissue}`)).toBe(false);
  const paidAgain = `update payout_item i set returned_in_run_id = ${september.runId} ${reissue} and i.game_id = next.game_id and i.run_id = $1 and i.item_no = next.item_no`;
  expect(await among(paidAgain)).toBe(true);
  expect(await among(`update payout_run set state = 'void' where run_id = $1 and $2 > 0`)).toBe(true);
  await paid.setAside();
  await paid.report([[`${third.reference} ${fourth.reference}`, 'Completed', '1.00', 'B1', '2026-10-09']]);
  expect(await heldBack()).toEqual(both);
  await paid.setAside();
  await paid.report([[fifth.reference, 'Executed', fifth.amount, 'B2', '2026-10-09']]);
  expect(await heldBack(), 'an unknown status may mean paid').toEqual([fifth.recipientId]);
  await paid.setAside();
  expect(await heldBack()).toEqual([]);
  expect(await paid.violations()).toEqual([]);
});

test('the journals owe what runs carry and what wasn’t paid yet, to the last digit', { tags: 'proof' }, async () => {
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

test('a voided run gives back what came back to it', { tags: 'proof' }, async () => {
  const fourth = paid.payment(3);
  expect(await requestVoid(game, fiona, { runId: september.runId, why: 'Wrong month', isNotUploaded: true })).toMatchObject({ ok: true });
  const { version } = await paid.reread(september);
  expect(await confirmVoid(game, ada, { runId: september.runId, version }, { isAgreed: true, isNotUploaded: true })).toMatchObject({
    ok: true,
  });
  expect(await paid.stateOf(fourth)).toBe('returned');
  expect(await paid.violations()).toEqual([]);
});
