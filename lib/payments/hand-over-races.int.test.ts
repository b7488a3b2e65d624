// @module-tag no-retry
import { beforeAll, expect, test } from 'vitest';
import type { Db } from '#db/kit/open.ts';
import { isBlocked } from '#e2e/citus/test-cluster.ts';
import { dbOver } from '#e2e/support/db/db-over.ts';
import { closeMonth, confirmVoidAsShown, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { type PreparedEnvironment, prepareEnvironment, type TestEnvironment, type TestGame } from '#e2e/support/test-environment.ts';
import { verifyJournals } from '#lib/accounting/verify-journals.ts';
import type { SessionActor } from '../core/roles.ts';
import { Findings } from '../evidence/rules/findings.ts';
import type { OpenGame } from '../games/open-game.ts';
import { requestVoid } from '../payouts/decide-run.ts';
import type { Run } from '../payouts/reads/find-run.ts';
import { decideSender, proposeSender } from './change-sender.ts';
import { decideCancel, handOver, requestCancel } from './hand-over.ts';
import { makeFiles } from './make-files.ts';
import { openFile } from './open-file.ts';
import { sumWaiting } from './reads/waiting-items.ts';
import { verifyPayments } from './verify-payments.ts';

const ROUNDS = proofSize(4, 200);
/** How many statements the first act has sent when the second starts, round by round. After one it has no lock, after eight it has all of them. */
const HEADS = [1, 8, 2, 7, 3, 6, 4, 5];
const REASON = 'Race';

type Act = (opened: OpenGame) => Promise<{ ok: boolean; reason?: string }>;
interface Facts {
  fiona: SessionActor;
  ada: SessionActor;
  run: Run;
  /** The file of all payments of the run. */
  batchNo: number;
  references: string[];
}

let prepared: PreparedEnvironment<Facts>;

beforeAll(async () => {
  prepared = await prepareEnvironment(['2026-08'], async (testEnv) => {
    const game = await testEnv.game();
    const [fiona, ada] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'ada')];
    const run = await closeMonth(testEnv, { preparer: fiona, approver: ada }, '2026-08');
    await proposeSender(game, fiona, PAYEE_KEY, { method: 'paypal', typed: { decimal_sign: '.' } });
    await decideSender(game, ada, PAYEE_KEY, { senderNo: 1, decision: 'confirmed' });
    const batchNo = await makeFile(game, fiona, run);
    return { fiona, ada, run, batchNo, references: await listReferences(game, batchNo, ada) };
  });
});

/** Puts every payment that waits into a file. Returns its number. */
async function makeFile(game: OpenGame, actor: SessionActor, run: Run): Promise<number> {
  const { count = 0, total_usd = '0.00' } = (await sumWaiting(game.db, run))[0] ?? {};
  const wanted = { runId: run.runId, method: 'paypal', format: null, executionDate: null, note: 'Share', shown: { count, total_usd } };
  const made = await makeFiles(game, actor, PAYEE_KEY, wanted);
  if (!made.ok) throw new Error(JSON.stringify(made));
  return made.files[0]?.batchNo ?? 0;
}

interface Meeting {
  /** How many statements the first act has sent when the second starts. */
  head: number;
  /** Whether the first act then waits until the second has ended or waits for a lock; otherwise both run. */
  isHeld: boolean;
}

/** Runs two acts at once. The second starts when the first has sent some statements, or has ended. */
async function runAtOnce(
  { pool }: TestEnvironment,
  game: TestGame,
  [first, second]: readonly [Act, Act],
  { head, isHeld }: Meeting,
): Promise<Awaited<ReturnType<Act>>[]> {
  const { promise: started, resolve: start } = Promise.withResolvers<undefined>();
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  let sent = 0;
  const db: Db = dbOver(game.pool, async () => {
    sent++;
    if (sent <= head) return;
    start(undefined);
    if (isHeld) await released;
  });
  const leading = first({ ...game, db }).finally(() => start(undefined));
  await started;
  const following = second(game);
  await untilBlocked(pool, following);
  release(undefined);
  return await Promise.all([leading, following]);
}

/** Resolves when a connection of the database waits for a lock, or the act has ended. */
async function untilBlocked(pool: TestEnvironment['pool'], act: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  act.then(end, end);
  while (!isOver) {
    if (await isBlocked(pool)) return;
  }
}

/** Half of the rounds hold the first act, at each number of statements. */
function meetingOf(round: number): Meeting {
  const turn = Math.floor(round / 2);
  return { head: HEADS[turn % HEADS.length] ?? 1, isHeld: Math.floor(turn / HEADS.length) % 2 === 0 };
}

/** Plays one round from the prepared state. Returns who won. */
async function playRound(round: number, rival: (facts: Facts) => Act, before?: Act): Promise<string> {
  const { fiona, batchNo } = prepared.facts;
  const testEnv = await prepared.openCopy();
  try {
    const game = await testEnv.game();
    if (before !== undefined) expect(await before(game)).toMatchObject({ ok: true });
    const handing: Act = (opened) => handOver(opened, fiona, { batchNo, providerReference: 'PB-1' });
    const isHandingFirst = round % 2 === 0;
    const opposing = rival(prepared.facts);
    const answers = await runAtOnce(testEnv, game, isHandingFirst ? [handing, opposing] : [opposing, handing], meetingOf(round));
    const [handed, opposed] = isHandingFirst ? answers : answers.toReversed();
    expect([handed?.ok, opposed?.ok].filter(Boolean), JSON.stringify({ round, handed, opposed })).toHaveLength(1);
    expect(handed?.ok ? 'none' : handed?.reason).toMatch(/^(none|moved_on|cancel_requested)$/);
    return await expectOneStory(testEnv, game, handed?.ok === true);
  } finally {
    await testEnv.close();
  }
}

/** The file was handed over, or it was cancelled or its run voided: never both, in rows, in the audit and in files made after. Returns which. */
async function expectOneStory(testEnv: TestEnvironment, game: TestGame, isHandedOver: boolean): Promise<string> {
  const { fiona, run, batchNo, references } = prepared.facts;
  const { rows } = await testEnv.pool.query<{ handed: boolean; cancelled: boolean; state: string; payments: string[]; acts: string[] }>(
    `select b.handed_over_at is not null as handed, b.cancelled_at is not null as cancelled, r.state,
       (select array_agg(distinct state) from payout_item i where i.game_id = b.game_id and i.batch_no = b.batch_no) as payments,
       (select array_agg(act order by audit_id) from audit where act in ('handed over a payment file', 'cancelled a payment file', 'voided payout run')) as acts
     from payout_batch b join payout_run r using (game_id, run_id) where b.batch_no = $1`,
    [batchNo],
  );
  const [after] = rows;
  const story = after?.handed ? 'handed over' : after?.cancelled ? 'cancelled' : 'voided';
  const [isVoid, isCancelled] = [story === 'voided', story === 'cancelled'];
  expect(after).toEqual({
    handed: isHandedOver,
    cancelled: isCancelled,
    state: isVoid ? 'void' : 'approved',
    payments: [isHandedOver ? 'sent' : isCancelled ? 'cancelled' : expect.any(String)],
    acts: [isHandedOver ? 'handed over a payment file' : isCancelled ? 'cancelled a payment file' : 'voided payout run'],
  });
  await expectVerified(testEnv, game);
  if (isVoid) {
    expect(await openFile(game, fiona, PAYEE_KEY, batchNo)).toMatchObject({ ok: false });
    return story;
  }
  // What is paid next has each payment of the run once, under a reference that no cancelled file has.
  const paidNo = isHandedOver ? batchNo : await makeFile(game, fiona, run);
  if (!isHandedOver) expect(await handOver(game, fiona, { batchNo: paidNo, providerReference: 'PB-2' })).toEqual({ ok: true });
  const paid = await listReferences(game, paidNo);
  expect(new Set(paid).size).toBe(run.payableCount);
  expect(isHandedOver ? paid : paid.filter((each) => references.includes(each))).toEqual(isHandedOver ? references : []);
  await expectVerified(testEnv, game);
  return story;
}

/** The references of a file’s payments, from its bytes. */
async function listReferences(game: OpenGame, batchNo: number, actor = prepared.facts.ada): Promise<string[]> {
  const opened = await openFile(game, actor, PAYEE_KEY, batchNo);
  if (!opened.ok) throw new Error(opened.reason);
  return opened.bytes
    .toString('utf8')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(',')[3] ?? '');
}

async function expectVerified(testEnv: TestEnvironment, { gameId }: OpenGame): Promise<void> {
  const findings = new Findings();
  await verifyPayments(testEnv.db, gameId, PAYEE_KEY, findings);
  await verifyJournals(testEnv.db, gameId, findings);
  expect(findings.violations).toEqual([]);
}

/** How many rounds ended in each story, by its name. */
async function playRounds(rival: (facts: Facts) => Act, before?: Act): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++) {
    const story = await playRound(round, rival, before);
    counts[story] = (counts[story] ?? 0) + 1;
  }
  return counts;
}

/** Rounds that each of them wins for certain: it is first with all locks, or the other is held before it has any. */
const CERTAIN = Math.floor(ROUNDS / 5);

test(`in ${ROUNDS} rounds a file is handed over or cancelled by two people at once, never both, and each wins some`, {
  tags: ['proof'],
  timeout: 1_200_000,
}, async () => {
  const counts = await playRounds(({ fiona, ada, batchNo }) => async (opened) => {
    const requested = await requestCancel(opened, ada, { batchNo, reason: REASON, isNotUploaded: true });
    if (!requested.ok) return requested;
    const shown = { batchNo, requesterId: ada.id, reason: REASON };
    return await decideCancel(opened, fiona, shown, { isAgreed: true, isNotUploaded: true });
  });
  const { 'handed over': handed = 0, cancelled = 0 } = counts;
  expect(handed + cancelled).toBe(ROUNDS);
  expect(Math.min(handed, cancelled)).toBeGreaterThanOrEqual(CERTAIN);
  recordFigure('Hand-over against cancellation', `${ROUNDS} rounds: ${handed} handed over, ${cancelled} cancelled, none both`);
});

test(`in ${ROUNDS} rounds a file is handed over or its run voided by two people at once, never both, and each wins some`, {
  tags: ['proof'],
  timeout: 1_200_000,
}, async () => {
  const { fiona, run } = prepared.facts;
  const counts = await playRounds(
    ({ ada, run: { runId } }) =>
      (opened) =>
        confirmVoidAsShown(opened, ada, runId),
    (opened) => requestVoid(opened, fiona, { runId: run.runId, why: REASON, isNotUploaded: true }),
  );
  const { 'handed over': handed = 0, voided = 0 } = counts;
  expect(handed + voided).toBe(ROUNDS);
  expect(Math.min(handed, voided)).toBeGreaterThanOrEqual(CERTAIN);
  recordFigure('Hand-over against void', `${ROUNDS} rounds: ${handed} handed over, ${voided} voided, none both`);
});
