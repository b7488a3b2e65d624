import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '#e2e/support/cli/run-cli.ts';
import { seedFinance } from '#e2e/support/payouts/close-month.ts';
import { PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { withTampering } from '#e2e/support/tampered-view.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { Findings } from '#lib/evidence/rules/findings.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { findKeyProblem } from './find-key-refusal.ts';
import { proposeDetails } from './propose-details.ts';
import { nameKey, type PayeeKey } from './seal.ts';
import { showDetails } from './show-details.ts';
import { verifyDetails } from './verify-details.ts';

const RECIPIENT = 9019;
let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-10');
  game = await testEnv.game();
  fiona = await seedFinance(testEnv, 'fiona');
  const typed = { email: 'mira@creators.example' };
  const proposed = await proposeDetails(game, fiona, PAYEE_KEY, {
    recipientId: RECIPIENT,
    method: 'paypal',
    typed,
    reason: 'By telephone',
  });
  expect(proposed).toEqual({ ok: true, detailNo: 2 });
});
afterAll(() => testEnv.close());

test('payment details verify without a key, with theirs and with another', async () => {
  for (const key of [null, PAYEE_KEY, Buffer.alloc(32, 8)]) {
    const findings = new Findings();
    expect(await verifyDetails(testEnv.db, game.gameId, key, findings)).toBeGreaterThan(2);
    expect(findings.violations).toEqual([]);
  }
});

test('without their key pages name the key that sealed stored details, and advise a new one only where none are stored', async () => {
  const name = nameKey(PAYEE_KEY);
  const unset = await findKeyProblem(testEnv.db, null);
  expect(unset).toMatchObject({ isKeyMissed: true, text: expect.stringContaining(`Set it to key ${name} for the web processes`) });
  expect(unset?.text).not.toMatch(/openssl|Make one/);
  expect((await findKeyProblem(testEnv.db, Buffer.alloc(32, 8)))?.text).toContain(`Set it to key ${name}, or run reseal`);
  expect(await findKeyProblem(testEnv.db, PAYEE_KEY)).toBeNull();
  const doctor = await runCli(testEnv, ['doctor'], {});
  expect(doctor.out).toContain(`set SHAREBOOK_PAYEE_KEY to the key that sealed them (${name})`);
  await withTampering(
    testEnv.pool,
    async (client) => void (await client.query('delete from payee_detail')),
    async (db) =>
      expect(await findKeyProblem(db, null)).toMatchObject({ isKeyMissed: false, text: expect.stringContaining('openssl rand') }),
  );
});

test.each<[string, string, PayeeKey | null, string]>([
  ['mask', `mask = 'm•••@x•••.example'`, null, 'detail_facts'],
  ['method', `method = 'wise'`, null, 'detail_facts'],
  ['identity', `identity_id = 'idn_other'`, null, 'detail_facts'],
  ['country', `country = 'FR'`, null, 'detail_facts'],
  ['digest', `digest = sha256('x')`, null, 'detail_digest'],
  ['digest that was removed', `digest = null, salt = null`, null, 'detail_digest'],
  [
    'fingerprint',
    `fingerprint = (select fingerprint from payee_detail where recipient_player_id = 9001 limit 1)`,
    PAYEE_KEY,
    'detail_seal',
  ],
  ['account', `sealed = (select sealed from payee_detail where recipient_player_id = 9001 limit 1)`, PAYEE_KEY, 'detail_seal'],
])('a row with another %s is named by verify, and isn’t opened', async (_, change, key, name) => {
  await withTampering(
    testEnv.pool,
    async (client) =>
      void (await client.query(`update payee_detail set ${change} where recipient_player_id = ${RECIPIENT} and detail_no = 2`)),
    async (db) => {
      const findings = new Findings();
      await verifyDetails(db, game.gameId, key, findings);
      expect(findings.violations.map((each) => `${each.name} ${each.subject}`)).toContain(`${name} recipient ${RECIPIENT}, details 2`);
      if (!change.startsWith('digest'))
        expect(await showDetails({ db, gameId: game.gameId }, fiona, PAYEE_KEY, { recipientId: RECIPIENT, detailNo: 2 })).toEqual({
          ok: false,
          reason: 'unreadable',
        });
    },
  );
});

test('a row of an imported file that is gone is named by its file', async () => {
  await withTampering(
    testEnv.pool,
    async (client) => void (await client.query('delete from payee_detail where recipient_player_id = 9002')),
    async (db) => {
      const findings = new Findings();
      await verifyDetails(db, game.gameId, null, findings);
      expect(findings.violations).toMatchObject([{ name: 'detail_set' }]);
    },
  );
});
