import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '#e2e/support/cli/run-cli.ts';
import { seedFinance } from '#e2e/support/payouts/close-month.ts';
import { confirmationOf, PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { verifyGame } from '#lib/evidence/verify/verify-game.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { draftRun, recomposeRun } from '../payouts/draft-run.ts';
import { decideDetails } from './decide-details.ts';
import { proposeDetails } from './propose-details.ts';
import { findPayee } from './reads/payee-details.ts';
import { showDetails } from './show-details.ts';

const RECIPIENT = 9019;
let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let gus: SessionActor;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-09');
  game = await testEnv.game();
  [fiona, gus] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'gus')];
});
afterAll(() => testEnv.close());

test('an erasure destroys what was sealed of a recipient, and leaves number, people and dates', async () => {
  const typed = { recipientId: RECIPIENT, method: 'paypal', typed: { email: 'mira@creators.example' }, reason: 'By telephone' };
  expect(await proposeDetails(game, fiona, PAYEE_KEY, typed)).toMatchObject({ ok: true });
  const drafted = await draftRun(game, fiona, '2026-09');
  if (!drafted.ok) throw new Error(drafted.reason);
  const refused = `update payee_detail set sealed = '', mask = 'Erased', fingerprint = null, salt = null, identity_id = null, country = null,
    method = 'none', erased_at = now() where recipient_player_id = ${RECIPIENT}`;
  await expect(testEnv.pool.query(refused), 'nobody was erased yet').rejects.toThrow(/never changed/);
  const erased = await runCli(testEnv, ['erase', '--game', 'demo', '--recipient', String(RECIPIENT), '--reason', 'a request']);
  expect(erased.code, erased.err).toBe(0);
  const { rows } = await testEnv.pool.query(
    `select detail_no, sealed = '' as "isEmpty", mask, method, fingerprint, salt, identity_id, country, proposed_by is not null as author, confirmed_by is not null as confirmer
     from payee_detail where recipient_player_id = ${RECIPIENT} order by detail_no`,
  );
  const empty = {
    isEmpty: true,
    mask: 'Erased',
    method: 'none',
    fingerprint: null,
    salt: null,
    identity_id: null,
    country: null,
    author: true,
  };
  expect(rows).toEqual([
    { ...empty, detail_no: 1, confirmer: true },
    { ...empty, detail_no: 2, confirmer: false },
  ]);
  expect((await verifyGame(testEnv.db, game.gameId, undefined, [], PAYEE_KEY)).violations).toEqual([]);
});

test('erased details pay nothing, are neither opened nor confirmed, and can be withdrawn', async () => {
  const { rows } = await testEnv.pool.query<{ runId: number }>('select run_id as "runId" from payout_run');
  await recomposeRun(game, fiona, rows[0]?.runId ?? 0);
  const line = await testEnv.pool.query(
    `select payable_usd::text as payable, detail_no from payout_line where recipient_player_id = ${RECIPIENT}`,
  );
  expect(line.rows).toEqual([{ payable: '0.00', detail_no: null }]);
  expect(await showDetails(game, fiona, PAYEE_KEY, { recipientId: RECIPIENT, detailNo: 1 })).toEqual({ ok: false, reason: 'gone' });
  const proposal = { recipientId: RECIPIENT, detailNo: 2 };
  expect(await decideDetails(game, gus, PAYEE_KEY, await confirmationOf(game, proposal))).toEqual({ ok: false, reason: 'unreadable' });
  expect(await decideDetails(game, fiona, PAYEE_KEY, { proposal, decision: 'withdrawn' })).toMatchObject({ ok: true });
  const payee = await findPayee(testEnv.db, game.gameId, RECIPIENT, { personId: fiona.id, canSeeEmails: true });
  expect(payee?.versions.map(({ detailNo, state, mask }) => `${detailNo} ${state} ${mask}`)).toEqual([
    '2 withdrawn Erased',
    '1 in_force Erased',
  ]);
  expect((await verifyGame(testEnv.db, game.gameId, undefined, [], PAYEE_KEY)).violations).toEqual([]);
});
