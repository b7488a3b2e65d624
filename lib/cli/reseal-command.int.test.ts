import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '#e2e/support/cli/run-cli.ts';
import { dbOver } from '#e2e/support/db/db-over.ts';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { handOverAll, reportOf } from '#e2e/support/payouts/hand-over-all.ts';
import { readAudit } from '#e2e/support/people/seed-people.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { Findings } from '#lib/evidence/rules/findings.ts';
import { verifyGame } from '../evidence/verify/verify-game.ts';
import { findSealed } from '../payees/reads/payee-details.ts';
import type { Resealed } from '../payees/reseal-details.ts';
import { fingerprintOf, nameKey, openEntries } from '../payees/seal.ts';
import { verifyDetails } from '../payees/verify-details.ts';
import { showSender } from '../payments/change-sender.ts';
import { openFile } from '../payments/open-file.ts';
import { recordReport } from '../payments/record-report.ts';
import { resealPayments } from '../payments/reseal-payments.ts';
import { readStoredReport } from '../payments/seal-report.ts';

const NEW_KEY = Buffer.alloc(32, 9);
const KEYS = { SHAREBOOK_PAYEE_KEY_PREVIOUS: PAYEE_KEY.toString('base64'), SHAREBOOK_PAYEE_KEY: NEW_KEY.toString('base64') };
let testEnv: TestEnvironment;
let gameId: number;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-10');
  ({ gameId } = await testEnv.game());
});
afterAll(() => testEnv.close());

test('without two different keys nothing is resealed', async () => {
  const same = { ...KEYS, SHAREBOOK_PAYEE_KEY: KEYS.SHAREBOOK_PAYEE_KEY_PREVIOUS };
  for (const changed of [{}, same, { SHAREBOOK_PAYEE_KEY: KEYS.SHAREBOOK_PAYEE_KEY }])
    expect(await runCli(testEnv, ['reseal'], changed)).toMatchObject({ code: 2, err: expect.stringContaining('Nothing was changed.') });
});

test('every detail is sealed under the new key, accounts that were equal still are, and verify is whole', async () => {
  const { rows } = await testEnv.pool.query<{ count: number }>('select count(*)::int as count from payee_detail');
  const count = rows[0]?.count ?? 0;
  const ran = await runCli(testEnv, ['reseal', '--game', 'demo', '--json'], KEYS);
  expect([ran.code, JSON.parse(ran.out)]).toMatchObject([
    0,
    { from: nameKey(PAYEE_KEY), to: nameKey(NEW_KEY), games: [{ game: 'demo', done: count, already: 0, neither: 0 }] },
  ]);
  expect(count).toBeGreaterThan(10);
  const stored = await findSealed(testEnv.db, gameId, 9001, 1);
  if (stored === null) throw new Error('no details');
  expect(openEntries(stored.sealed, stored, NEW_KEY)).toEqual({ email: 'payee-9001@creators.example' });
  expect(openEntries(stored.sealed, stored, PAYEE_KEY)).toBeNull();
  expect(stored.fingerprint).toEqual(fingerprintOf('paypal payee-9001@creators.example', gameId, NEW_KEY));
  const findings = new Findings();
  expect(await verifyDetails(testEnv.db, gameId, NEW_KEY, findings)).toBe(count);
  expect(findings.violations).toEqual([]);
  const again = await runCli(testEnv, ['reseal', '--json'], KEYS);
  expect(JSON.parse(again.out).games).toMatchObject([{ done: 0, already: count, neither: 0 }]);
  const audited = (await readAudit(testEnv.db)).filter(({ act }) => act === 'sealed payment details under another key');
  expect(audited).toMatchObject([{ actor: 'command line', detail: { from: nameKey(PAYEE_KEY), to: nameKey(NEW_KEY), details: count } }]);
});

test('sender accounts, payment files and bank reports are sealed under the new key with the same bytes', { tags: 'proof' }, async () => {
  const own = await openPulledEnvironment('2026-08');
  const people = { preparer: await seedFinance(own, 'fiona'), approver: await seedFinance(own, 'ada') };
  const run = await closeMonth(own, people, '2026-08');
  const { payments } = await handOverAll(own, people, run);
  const game = await own.game();
  const bytes = reportOf([[payments[0]?.reference ?? '', 'paid', payments[0]?.amount ?? '', 'PP-1']]);
  expect(await recordReport(game, people.preparer, PAYEE_KEY, { bytes, fileName: 'report.csv', dateOrder: null })).toMatchObject({
    ok: true,
  });
  // Another run seals everything before this one lists it, or before it changes the first.
  for (const [moment, keys] of [
    ['select own.kind', { previous: PAYEE_KEY, key: NEW_KEY }],
    ['insert into "audit"', { previous: NEW_KEY, key: PAYEE_KEY }],
  ] as const) {
    const others: Resealed[] = [];
    let isTurn = true;
    const db = dbOver(own.pool, async (text) => {
      if (!isTurn || !text.includes(moment)) return;
      isTurn = false;
      others.push(await resealPayments(own.db, game.gameId, keys));
    });
    const mine = await resealPayments(db, game.gameId, keys);
    expect([mine, ...others], moment).toEqual([
      { done: 0, already: 3, neither: 0 },
      { done: 3, already: 0, neither: 0 },
    ]);
  }
  const before = await openFile(game, people.preparer, PAYEE_KEY, 1);
  const ran = await runCli(own, ['reseal', '--game', 'demo', '--json'], KEYS);
  expect([ran.code, JSON.parse(ran.out)]).toMatchObject([0, { games: [{ already: 0, neither: 0 }] }]);
  const after = await openFile(game, people.preparer, NEW_KEY, 1);
  expect(before.ok && after.ok && before.bytes.equals(after.bytes)).toBe(true);
  expect(await openFile(game, people.preparer, PAYEE_KEY, 1)).toEqual({ ok: false, reason: 'unreadable' });
  expect(await showSender(game, people.preparer, NEW_KEY, 1)).toMatchObject({ ok: true });
  expect((await readStoredReport(own.db, game.gameId, 1, NEW_KEY))?.rows).toHaveLength(1);
  expect((await verifyGame(own.db, game.gameId, () => undefined, [], NEW_KEY)).violations).toEqual([]);
  const old = { SHAREBOOK_PAYEE_KEY: KEYS.SHAREBOOK_PAYEE_KEY_PREVIOUS };
  const verified = await runCli(own, ['verify', '--json'], old);
  expect(JSON.parse(verified.out).unopened, 'verify states what it couldn’t open').toEqual([
    { key: nameKey(NEW_KEY), count: expect.any(Number) },
  ]);
  const packed = await runCli(own, ['pack', '--game', 'demo', '--month', '2026-08', '--with-accounts', '--out', '-'], old);
  expect(packed).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`Set it to key ${nameKey(NEW_KEY)}`) });
  await own.close();
});

test('what opens under neither key is counted, and neither the web nor the worker login may reseal', async () => {
  const ran = await runCli(testEnv, ['reseal', '--json'], {
    SHAREBOOK_PAYEE_KEY_PREVIOUS: Buffer.alloc(32, 1).toString('base64'),
    SHAREBOOK_PAYEE_KEY: Buffer.alloc(32, 2).toString('base64'),
  });
  expect(ran.code).toBe(1);
  expect(JSON.parse(ran.out).games[0]).toMatchObject({ done: 0, already: 0, neither: expect.any(Number) });
  for (const login of ['sharebook_web', 'sharebook_worker']) {
    const client = await testEnv.pool.connect();
    try {
      await client.query('begin');
      await client.query(`set local role ${login}`);
      await expect(
        client.query(`update payee_detail set key_name = '00000000', sealed = 'x' where recipient_player_id = 9001`),
      ).rejects.toThrow(/never changed|permission denied/);
    } finally {
      await client.query('rollback');
      client.release();
    }
  }
});
