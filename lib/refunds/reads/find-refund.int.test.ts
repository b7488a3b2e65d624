import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedApproved, seedColleague, seedRefund } from '#e2e/support/db/refund-seed.ts';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { pauseVersion } from '#e2e/support/refunds/resume-as-shown.ts';
import { samplePeriod } from '#e2e/support/refunds/sample-refund.ts';
import { recordPause, recordResume } from '#lib/approvals/writes.ts';
import { insertDecision } from '../writes/refund-decisions.ts';
import { findRefund, findRefundSituation } from './find-refund.ts';
import { listRefundTimeline } from './refund-history.ts';
import { findRefundPause } from './refund-preconditions.ts';

let testDb: TestDb;
let gameId: number;
const SAMI = { id: 'sami', email: 'sami@studio.example' };
const FIONA = { id: 'fiona', email: 'fiona@studio.example' };

beforeAll(async () => {
  testDb = await createTestDb();
  gameId = await seedGame(testDb.db);
  await seedColleague(testDb.db, 'Sami', 'finance');
  await seedColleague(testDb.db, 'Fiona', 'finance');
});
afterAll(() => testDb.close());

test('a refund is found with its colleagues, its player and the slice that reports its reversal', async () => {
  await seedSnapshot(testDb.db, gameId, {
    start: '2026-11-01T00:00:00Z',
    end: '2026-12-01T00:00:00Z',
    slices: [{ start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z' }],
  });
  const { slice_id } = await testDb.db.selectFrom('slice').select('slice_id').where('game_id', '=', gameId).executeTakeFirstOrThrow();
  await testDb.db
    .insertInto('known_player')
    .values({ game_id: gameId, player_id: 77, player_email: 'mira@players.example', player_name: 'Mira', seen_at: '2026-11-21T10:00:00Z' })
    .execute();
  const id = await seedRefund(testDb.db, gameId, {
    requested_by: 'sami',
    period_id: 21,
    assignee_id: 'fiona',
    ...seedApproved('landed'),
    reversal_slice_id: slice_id,
    reversal_seen_at: '2026-12-01T01:00:00Z',
  });
  expect(await findRefund(testDb.db, gameId, id)).toMatchObject({
    state: 'landed',
    requestedBy: { id: 'sami', name: 'Sami' },
    assignee: { name: 'Fiona' },
    approval: 'policy',
    approvedBy: null,
    playerName: 'Mira',
    reversal: { windowStart: '2026-11-01T00:00:00Z' },
    receipt: { refunded_amount_usd: null },
    contentDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(await findRefund(testDb.db, gameId + 1, id)).toBeNull();
});

test('the timeline lists actions, attempts and readings newest first, without actions that only mark a call', async () => {
  const id = await seedRefund(testDb.db, gameId, { requested_by: 'sami', period_id: 22, ...seedApproved('unknown') });
  const acts = [
    { at: '2026-11-21T10:00:00Z', actor: SAMI.email, act: 'asked for a refund', detail: JSON.stringify({ approval: 'policy' }) },
    { at: '2026-11-21T10:00:01Z', actor: 'worker', act: 'began to send' },
    { at: '2026-11-21T10:00:03Z', actor: 'worker', act: 'heard of attempt 1' },
    {
      at: '2026-11-21T10:00:04Z',
      actor: 'gone@studio.example',
      act: 'took a refund over',
      detail: JSON.stringify({ why: 'mira.holt@players.example wrote' }),
    },
  ];
  await testDb.db
    .insertInto('audit')
    .values(acts.map((act) => ({ ...act, game_id: gameId, subject: `refund ${id}` })))
    .execute();
  await testDb.db
    .insertInto('audit')
    .values({ actor: FIONA.email, act: 'asked for a refund', game_id: gameId, subject: `refund ${id}0` })
    .execute();
  await testDb.db
    .insertInto('refund_attempt')
    .values({
      game_id: gameId,
      refund_id: id,
      attempt_no: 1,
      owner: 'w',
      committed_at: '2026-11-21T10:00:02Z',
      request_digest: Buffer.alloc(32),
      finished_at: '2026-11-21T10:00:03Z',
      class: 'no_answer',
      phase: 'sent',
      error_code: 'timeout',
      error_id: null,
      status: null,
      answer_facts: JSON.stringify({ a: '1' }),
      body: null,
      sha256: null,
    })
    .execute();
  await testDb.db
    .insertInto('refund_read')
    .values({
      game_id: gameId,
      refund_id: id,
      read_no: 1,
      read_at: '2026-11-21T10:00:01.500Z',
      purpose: 'before',
      facts: JSON.stringify(samplePeriod()),
    })
    .execute();
  const listed = async (canSeeEmails: boolean): Promise<string[]> =>
    (await listRefundTimeline(testDb.db, gameId, id, { canSeeEmails })).entries.map((entry) =>
      entry.kind === 'act'
        ? [entry.actor, entry.act, entry.detail['why']].filter(Boolean).join(' ')
        : entry.kind === 'attempt'
          ? `try ${entry.attempt_no} ${entry.class} ${entry.facts['a']}`
          : `read ${entry.purpose}`,
    );
  expect(await listed(true)).toEqual([
    'gone@studio.example took a refund over mira.holt@players.example wrote',
    'try 1 no_answer 1',
    'read before',
    'Sami asked for a refund',
  ]);
  expect((await listed(false))[0]).toMatch(/^g•••@s•••\.example took a refund over m\S+@p\S+ wrote$/);
});

test('a timeline of 1,200 readings is listed newest first, page by page, each entry once', async () => {
  const refund_id = await seedRefund(testDb.db, gameId, { requested_by: 'sami', period_id: 29 });
  // Six readings in each second, so that pages end between entries of one instant.
  await testDb.pool.query(
    `insert into refund_read (game_id, refund_id, read_no, read_at, purpose, facts)
     select $1, $2, n, '2026-11-21T10:00:00Z'::timestamptz + n / 6 * interval '1 second', 'verify', jsonb_set($3, '{amount_usd}', to_jsonb(n || '.00'))
     from generate_series(1, 1200) as n`,
    [gameId, refund_id, JSON.stringify(samplePeriod())],
  );
  await testDb.pool.query(
    `insert into audit (at, actor, game_id, act, subject, detail)
     select '2026-11-21T10:00:00Z'::timestamptz + n * interval '30 seconds', 'worker', $1, 'act ' || n, 'refund ' || $2, '{}' from generate_series(1, 6) as n`,
    [gameId, refund_id],
  );
  const listed: string[] = [];
  let [before, pages]: [string | null, number] = [null, 0];
  do {
    const page = await listRefundTimeline(testDb.db, gameId, refund_id, { canSeeEmails: true, before });
    expect(page.newestPeriod?.amount_usd, 'the newest of all, on each page').toBe('1200.00');
    expect(page.entries.length).toBeLessThanOrEqual(100);
    listed.push(
      ...page.entries.map((entry) => `${Date.parse(entry.at) / 1000} ${entry.kind === 'reading' ? `reading ${entry.read_no}` : 'act'}`),
    );
    before = page.before;
    pages += 1;
  } while (before !== null);
  const start = Date.parse('2026-11-21T10:00:00Z') / 1000;
  const expected = Array.from({ length: 1200 }, (_, index) => 1200 - index).flatMap((n) => {
    const reading = `${start + Math.floor(n / 6)} reading ${n}`;
    return n % 180 === 5 && n > 180 ? [`${start + Math.floor(n / 6)} act`, reading] : [reading];
  });
  expect(listed).toEqual(expected);
  expect(pages).toBe(13);
  const first = await listRefundTimeline(testDb.db, gameId, refund_id, { canSeeEmails: true, before: 'nowhere' });
  expect(first.entries[0]).toMatchObject({ kind: 'reading', read_no: 1200 });
});

test('an outcome recorded by one person waits for the second', async () => {
  const refundId = await seedRefund(testDb.db, gameId, { requested_by: 'sami', period_id: 23, ...seedApproved('attention') });
  expect(await findRefundSituation(testDb.db, { gameId, refundId, personId: 'fiona' })).toMatchObject({
    refund: { refundId },
    outcome: null,
    pause: null,
    limits: { limits: {}, dayBefore: '0' },
    accounts: { own: 'counts', preparer: 'counts' },
  });
  expect(await insertDecision(testDb.db, { gameId, refundId, actor: SAMI, decision: 'send_again', text: 'It never went.' })).toBeNull();
  const { proposed_at: proposedAt } = await testDb.db
    .selectFrom('refund_decision')
    .select('proposed_at')
    .where('refund_id', '=', refundId)
    .executeTakeFirstOrThrow();
  const found = await findRefundSituation(testDb.db, { gameId, refundId, personId: 'fiona' });
  expect(found?.outcome).toEqual({
    decision: 'send_again',
    text: 'It never went.',
    by: { id: 'sami', name: 'Sami' },
    decision_no: 1,
    at: proposedAt,
  });
  expect(await findRefundSituation(testDb.db, { gameId: gameId + 1, refundId, personId: 'fiona' })).toBeNull();
});

test('a refund names those of its period that were open when it was requested, or shortly before, and no others', async () => {
  const insert = async (requested_at: string, ended_at: string | null, period_id = 31): Promise<number> =>
    await seedRefund(testDb.db, gameId, {
      requested_by: 'sami',
      period_id,
      requested_at,
      ...(ended_at === null ? {} : { state: 'rejected', ended_at }),
    });
  const long = await insert('2026-11-01T00:00:00Z', '2026-11-01T01:00:00Z');
  const lately = await insert('2026-11-09T20:00:00Z', '2026-11-10T11:59:59Z');
  await insert('2026-11-10T11:00:00Z', null, 32);
  const second = await insert('2026-11-10T12:00:00Z', '2026-11-11T00:00:00Z');
  const later = await insert('2026-11-11T12:00:00Z', null);
  const besides = async (refundId: number): Promise<number[]> =>
    ((await findRefundSituation(testDb.db, { gameId, refundId, personId: 'fiona' }))?.besides ?? []).map((each) => each.refundId);
  expect(await besides(second)).toEqual([lately]);
  expect(await besides(later)).toEqual([second]);
  expect(await besides(long)).toEqual([]);
});

test('a refund comes with the pause and the limits of its game, digit by digit', async () => {
  const refundId = await seedRefund(testDb.db, gameId, { requested_by: 'sami', period_id: 24, ...seedApproved('approved') });
  const limit = { name: 'support', limit_usd: '25.5000' };
  await testDb.db
    .insertInto('refund_limit')
    .values({ game_id: gameId, ...limit, set_by: 'fiona' })
    .execute();
  await recordPause(testDb.db, { gameId, actor: SAMI, what: 'refunds', why: 'A look first.' });
  const found = await findRefundSituation(testDb.db, { gameId, refundId, personId: 'fiona' });
  expect(found).toMatchObject({ refund: { refundId }, limits: { limits: { support: '25.5000' } }, pause: { why: 'A look first.' } });
  expect(found?.pause).toEqual(await findRefundPause(testDb.db, gameId));
  await recordResume(testDb.db, { gameId, what: 'refunds', actor: FIONA, version: await pauseVersion(testDb.db, gameId) });
  await recordResume(testDb.db, { gameId, what: 'refunds', actor: SAMI, version: await pauseVersion(testDb.db, gameId) });
});

test('a pause is found with who paused and who requested to resume, until refunds resume', async () => {
  expect(await findRefundPause(testDb.db, gameId)).toBeNull();
  await recordPause(testDb.db, { gameId, actor: SAMI, what: 'refunds', why: 'Twice the same.' });
  expect(await findRefundPause(testDb.db, gameId)).toMatchObject({ why: 'Twice the same.', pausedByName: 'Sami', resumeRequestedBy: null });
  expect(await findRefundPause(testDb.db, gameId + 1)).toBeNull();
  await recordResume(testDb.db, { gameId, what: 'refunds', actor: FIONA, version: await pauseVersion(testDb.db, gameId) });
  expect(await findRefundPause(testDb.db, gameId)).toMatchObject({ resumeRequestedBy: { id: 'fiona', name: 'Fiona' } });
  await recordResume(testDb.db, { gameId, what: 'refunds', actor: SAMI, version: await pauseVersion(testDb.db, gameId) });
  expect(await findRefundPause(testDb.db, gameId)).toBeNull();
});
