import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerChecks, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { confirmationOf, confirmDetails, PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { readAudit } from '#e2e/support/people/seed-people.ts';
import { listTablesHolding, openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { Findings } from '#lib/evidence/rules/findings.ts';
import { findAccountStatus } from '#lib/people/reads.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { approveRun } from '../payouts/decide-run.ts';
import { draftRun, recomposeRun } from '../payouts/draft-run.ts';
import { findClose } from '../payouts/find-close.ts';
import { findRun, type Run } from '../payouts/reads/find-run.ts';
import { submitRun } from '../payouts/submit-run.ts';
import { verifyRuns } from '../payouts/verify-runs.ts';
import { decideDetails } from './decide-details.ts';
import { proposeDetails } from './propose-details.ts';
import { listPayees } from './reads/list-payees.ts';
import { findPayee } from './reads/payee-details.ts';
import { showDetails } from './show-details.ts';

// Two months of the simulated game; September is closed first. Every recipient has PayPal details by then.
const RECIPIENT = 9019;
const REASON = 'By telephone';
let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let gus: SessionActor;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-09', '2026-10');
  game = await testEnv.game();
  [fiona, gus] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'gus')];
});
afterAll(() => testEnv.close());

const propose = (email: string, recipientId = RECIPIENT) =>
  proposeDetails(game, fiona, PAYEE_KEY, { recipientId, method: 'paypal', typed: { email }, reason: REASON });
const stop = () => proposeDetails(game, fiona, PAYEE_KEY, { recipientId: RECIPIENT, method: 'none', typed: {}, reason: REASON });

async function confirm(recipientId = RECIPIENT, by = gus) {
  const payee = await findPayee(testEnv.db, game.gameId, recipientId, { personId: by.id, canSeeEmails: true });
  const detailNo = payee?.versions.find(({ state }) => state === 'proposed')?.detailNo ?? 0;
  return await decideDetails(game, by, PAYEE_KEY, await confirmationOf(game, { recipientId, detailNo }));
}

async function lineOf(runNo: number, recipientId = RECIPIENT): Promise<string> {
  const { rows } = await testEnv.pool.query<{ text: string }>(
    `select concat_ws(' ', line.outcome, line.payable_usd, coalesce(line.detail_no::text, '-'), run.state) as text
     from payout_line line join payout_run run using (game_id, run_id) where run.run_no = $1 and line.recipient_player_id = $2`,
    [runNo, recipientId],
  );
  return rows[0]?.text ?? 'none';
}

describe('payment details', () => {
  test('are proposed by one person and confirmed once by another, one proposal at a time', async () => {
    expect(await propose('mira@example')).toMatchObject({ ok: false, reason: 'invalid', field: 'email', problem: 'not_an_email' });
    expect(await propose('mira@example.com', 4_040_404)).toEqual({ ok: false, reason: 'unknown_recipient' });
    expect(await propose(`payee-${RECIPIENT}@creators.example`)).toEqual({ ok: false, reason: 'unchanged' });
    const typed = { recipientId: RECIPIENT, method: 'paypal', typed: { email: 'a@b.example' }, reason: '  ' };
    expect(await proposeDetails(game, fiona, PAYEE_KEY, typed)).toMatchObject({ field: 'reason', problem: 'missing' });
    expect(await proposeDetails(game, fiona, PAYEE_KEY, { ...typed, reason: 'To A@B.example' })).toMatchObject({
      field: 'reason',
      problem: 'account',
    });
    expect(await proposeDetails(game, fiona, null, { ...typed, reason: REASON })).toEqual({ ok: false, reason: 'no_key' });
    const both = await Promise.all([propose('one@creators.example'), propose('two@creators.example')]);
    expect(both.map((each) => (each.ok ? 'ok' : each.reason)).toSorted()).toEqual(['another_waits', 'ok']);
    expect(await confirm(RECIPIENT, fiona)).toEqual({ ok: false, reason: 'same_person' });
    const third = await seedFinance(testEnv, 'hana');
    const decided = await Promise.all([confirm(), confirm(RECIPIENT, third), confirm()]);
    expect(decided.filter(({ ok }) => ok)).toHaveLength(1);
    const payee = await findPayee(testEnv.db, game.gameId, RECIPIENT, { personId: fiona.id, canSeeEmails: true });
    expect(payee?.versions.map(({ detailNo, state }) => `${detailNo} ${state}`)).toEqual(['2 in_force', '1 replaced']);
  });

  test('that are withdrawn are never in force, and the database changes none', async () => {
    expect(await propose('three@creators.example')).toMatchObject({ ok: true, detailNo: 3 });
    const proposal = { recipientId: RECIPIENT, detailNo: 3 };
    expect(await decideDetails(game, fiona, null, { proposal, decision: 'withdrawn' })).toMatchObject({ ok: true });
    expect(await decideDetails(game, gus, PAYEE_KEY, await confirmationOf(game, proposal))).toEqual({ ok: false, reason: 'moved_on' });
    for (const change of [`mask = 'x'`, `confirmed_by = proposed_by, confirmed_at = now()`, `sealed = ''`, 'withdrawn_at = null'])
      await expect(testEnv.pool.query(`update payee_detail set ${change} where detail_no = 3`)).rejects.toThrow();
    await expect(testEnv.pool.query('delete from payee_detail')).rejects.toThrow();
    await expect(testEnv.pool.query('truncate payee_detail cascade')).rejects.toThrow();
  });

  test('are shown to a person with a row of the audit, and can’t be opened under another key', async () => {
    const before = (await readAudit(testEnv.db)).length;
    const shown = await showDetails(game, fiona, PAYEE_KEY, { recipientId: RECIPIENT, detailNo: 1 });
    expect(shown).toEqual({ ok: true, entries: { email: `payee-${RECIPIENT}@creators.example` } });
    expect(await showDetails(game, fiona, Buffer.alloc(32, 8), { recipientId: RECIPIENT, detailNo: 1 })).toMatchObject({
      reason: 'unreadable',
    });
    const looks = (await readAudit(testEnv.db)).slice(before);
    const look = { actor: fiona.email, act: 'viewed payment details', subject: `recipient ${RECIPIENT}` };
    expect(looks).toMatchObject([look, look]);
    expect(looks.map(({ detail }) => detail)).toEqual([{ detail_no: 1 }, { detail_no: 1, unreadable: true }]);
    const newcomer = await seedFinance(testEnv, 'nina');
    await testEnv.pool.query(`update person set counts_from = clock_now() + interval '1 hour' where id = $1`, [newcomer.id]);
    const own = await findAccountStatus(testEnv.db, newcomer.id);
    expect(own).toBe('too_new');
    expect(await showDetails(game, newcomer, PAYEE_KEY, { recipientId: RECIPIENT, detailNo: 1 })).toEqual({ ok: false, reason: own });
    expect((await readAudit(testEnv.db)).at(-1)).toMatchObject({ actor: newcomer.email, act: 'was refused to view payment details' });
    expect(await showDetails(game, fiona, null, { recipientId: RECIPIENT, detailNo: 1 })).toMatchObject({ reason: 'no_key' });
    expect(await showDetails(game, fiona, PAYEE_KEY, { recipientId: RECIPIENT, detailNo: 99 })).toMatchObject({ reason: 'gone' });
  });
});

describe('a run', () => {
  test('pays a line only while details are in force: confirming composes a draft again', async () => {
    const drafted = await draftRun(game, fiona, '2026-09');
    expect(drafted).toMatchObject({ ok: true });
    expect(await lineOf(1)).toBe('payable 13.50 2 draft');
    expect(await stop()).toMatchObject({ ok: true });
    expect(await lineOf(1)).toBe('payable 13.50 2 draft');
    expect(await confirm()).toEqual({ ok: true, voidedSubmission: false });
    expect(await lineOf(1)).toBe('no_details 0.00 - draft');
    expect(await propose('four@creators.example')).toMatchObject({ ok: true });
    await confirm();
    expect(await lineOf(1)).toBe('payable 13.50 5 draft');
  });

  test('in review returns to draft when details that it pays to change, and stays when those of nobody it pays do', {
    tags: 'proof',
  }, async () => {
    await submit();
    expect(await propose('nobody@creators.example', 9009)).toMatchObject({ ok: true });
    expect(await confirm(9009)).toEqual({ ok: true, voidedSubmission: false });
    expect(await propose('five@creators.example')).toMatchObject({ ok: true });
    expect(await confirm()).toEqual({ ok: true, voidedSubmission: true });
    expect(await lineOf(1)).toBe('payable 13.50 6 draft');
  });

  test('of an earlier month isn’t paid to the identity before, once a later month reports another', { tags: 'proof' }, async () => {
    const report = async (identityId: string): Promise<void> => {
      await testEnv.pool.query('alter table snapshot_recipient disable trigger user');
      await testEnv.pool.query(
        `update snapshot_recipient set identity_id = $2 where recipient_player_id = $1 and snapshot_id = (
           select max(s.snapshot_id) from snapshot s where s.window_start = '2026-10-01T00:00:00Z')`,
        [500_002, identityId],
      );
      await testEnv.pool.query('alter table snapshot_recipient enable trigger user');
      await recomposeRun(game, fiona, (await runOf(1)).runId);
    };
    const { rows } = await testEnv.pool.query<{ identityId: string }>(
      `select identity_id as "identityId" from payee_detail where recipient_player_id = $1 order by detail_no desc limit 1`,
      [500_002],
    );
    expect(await lineOf(1, 500_002)).toMatch(/^payable /);
    await report('idn_moved');
    expect(await lineOf(1, 500_002)).toBe('no_details 0.00 - draft');
    await report(rows[0]?.identityId ?? '');
    expect(await lineOf(1, 500_002)).toMatch(/^payable /);
  });

  test('lists payments to an account of several identities, and to details that changed since the last payment, masked and with both people', {
    tags: 'proof',
  }, async () => {
    const other = 9021;
    expect(await propose('five@creators.example', other)).toMatchObject({ ok: true });
    await confirm(other);
    const shared = await findClose(game, '2026-09');
    const item = shared.kind === 'run' ? shared.close.items.find(({ key }) => key === 'shared_account') : undefined;
    expect(item).toMatchObject({ group: 'note', count: 1, isAnswered: false });
    expect(item?.rows[0]).toMatchObject({
      recipientId: RECIPIENT,
      details: { detailNo: 6, account: 'PayPal f•••@c•••.example' },
      people: 'proposed by fiona, confirmed by gus',
    });
    expect(shared.kind === 'run' && shared.close.items.some(({ key }) => key === 'changed_details')).toBe(false);
    await propose('six@creators.example', other);
    await confirm(other);
    const approved = await approveDraft();
    expect(approved).toMatchObject({ state: 'approved', content: { rules: 4 } });
    const paid = await testEnv.pool.query<{ id: number }>(
      `select line.recipient_player_id as id from payout_line line join payout_line before using (game_id, recipient_player_id)
       where before.payable_usd > 0 and line.run_id = before.run_id order by 1`,
    );
    for (const { id } of paid.rows.slice(0, 2)) {
      await propose(`moved-${id}@creators.example`, id);
      await confirm(id);
    }
    const october = await draftRun(game, fiona, '2026-10');
    if (!october.ok) throw new Error(october.reason);
    const close = await findClose(game, '2026-10');
    const changed = close.kind === 'run' ? close.close.items.find(({ key }) => key === 'changed_details') : undefined;
    const { rows } = await testEnv.pool.query<{ id: number }>(
      `select recipient_player_id as id from payout_line where run_id = $1 and payable_usd > 0 and recipient_player_id = any($2) order by 1`,
      [october.run.runId, paid.rows.slice(0, 2).map(({ id }) => id)],
    );
    expect(changed?.rows.map(({ recipientId }) => recipientId) ?? []).toEqual(rows.map(({ id }) => id));
  });

  test('whose identity is no longer the one its details were made for isn’t paid', { tags: 'proof' }, async () => {
    await testEnv.pool.query(
      `insert into payee_detail (game_id, recipient_player_id, detail_no, identity_id, holder_kind, method, sealed, key_name, mask, fingerprint, reason,
         proposed_by, confirmed_by, confirmed_at)
       select game_id, recipient_player_id, detail_no + 1, 'idn_other', holder_kind, method, sealed, key_name, mask, fingerprint, reason, $2, $3, now()
       from payee_detail d where recipient_player_id = $1 and detail_no = (select max(detail_no) from payee_detail where recipient_player_id = $1)`,
      [500_001, fiona.id, gus.id],
    );
    await recomposeRun(game, fiona, (await runOf(2)).runId);
    expect(await lineOf(2, 500_001)).toBe('no_details 0.00 - draft');
    const reader = { personId: fiona.id, canSeeEmails: true };
    expect((await findPayee(testEnv.db, game.gameId, 500_001, reader))?.versions[0]).toMatchObject({ state: 'in_force', isForOther: true });
    const page = { sort: 'recipient_player_id', dir: 'asc', limit: 10, after: null } as const;
    const listed = await listPayees(testEnv.db, { gameId: game.gameId, canSeeEmails: true }, { find: '', chip: 'changed', page });
    expect(listed.rows).toMatchObject([{ recipient_player_id: 500_001, state: 'changed' }]);
    await confirmDetails(testEnv);
    expect(await lineOf(2, 500_001)).toMatch(/^payable \S+ \d+ draft$/);
  });

  test('verifies, and a line that names other details or none is named', { tags: 'proof' }, async () => {
    const violations = async (): Promise<string[]> => {
      const findings = new Findings();
      await verifyRuns(testEnv.db, game.gameId, findings);
      return findings.violations.map(({ name, subject }) => `${name} ${subject}`);
    };
    expect(await violations()).toEqual([]);
    await testEnv.pool.query('alter table payout_line disable trigger all');
    await testEnv.pool.query(`update payout_line set detail_no = 2 where recipient_player_id = $1 and detail_no is not null`, [RECIPIENT]);
    expect(await violations()).toContain(`line_details run 1, recipient ${RECIPIENT}`);
    await testEnv.pool.query(`update payout_line set detail_no = 6 where recipient_player_id = $1 and detail_no is not null`, [RECIPIENT]);
    await testEnv.pool.query('alter table payout_line enable trigger all');
  });
});

async function runOf(runNo: number): Promise<Run> {
  const run = await findRun(testEnv.db, game.gameId, { runNo });
  if (run === null) throw new Error(`no run ${runNo}`);
  return run;
}

async function submit(): Promise<Run> {
  await answerChecks(testEnv, fiona, await runOf(1));
  const { runId, draftDigest } = await runOf(1);
  const submitted = await submitRun(game, fiona, runId, draftDigest ?? '');
  if (!submitted.ok) throw new Error(submitted.reason);
  return submitted.run;
}

async function approveDraft(): Promise<{ state: string; content: unknown }> {
  const { runId, contentDigest } = await submit();
  const approved = await approveRun(game, gus, runId, contentDigest ?? '');
  if (!approved.ok) throw new Error(approved.reason);
  const { rows } = await testEnv.pool.query('select state, content from payout_run where run_no = 1');
  return rows[0];
}

test('a copy of the database holds no account that was entered', async () => {
  expect(await listTablesHolding(testEnv.pool, /(one|two|four|five|six)@creators\.example/)).toEqual([]);
});
