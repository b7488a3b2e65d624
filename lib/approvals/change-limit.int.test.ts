import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openRefundEnvironment, type RefundEnvironment, type RefundGame } from '#e2e/support/refunds/refund-environment.ts';
import { approveRaise, changeLimit, declineRaise } from './change-limit.ts';
import { findLimits, findRequestedRaise } from './reads.ts';
import { ceilingOf, LIMIT_NAMES, limitNamed } from './rules/approval.ts';

let testEnv: RefundEnvironment;
let game: RefundGame;

beforeAll(async () => {
  testEnv = await openRefundEnvironment();
});
beforeEach(async () => {
  game = await testEnv.newGame();
});
afterAll(() => testEnv.close());

async function change(typed: string): Promise<Awaited<ReturnType<typeof changeLimit>>> {
  return await changeLimit(game, testEnv.people.admin, { what: 'refunds', name: 'support', typed });
}

async function limitNow(): Promise<string | undefined> {
  return (await findLimits(game.db, 'refunds', game.gameId)).support;
}

async function listActs(): Promise<string[]> {
  const rows = await game.db.selectFrom('audit').select(['actor', 'act']).where('game_id', '=', game.gameId).orderBy('audit_id').execute();
  return rows.map(({ actor, act }) => `${actor} ${act}`);
}

test('a lower limit applies at once, and a higher one only when a second person approves it, however long that takes', async () => {
  expect(await change('20')).toEqual({ ok: true, isWaiting: false });
  expect(await limitNow()).toBe('20.00');
  expect(await change('40')).toEqual({ ok: true, isWaiting: true });
  await game.pool.query(`update refund_limit set raise_at = raise_at - interval '1 year' where game_id = $1`, [game.gameId]);
  expect(await limitNow()).toBe('20.00');
  expect(await approveRaise(game, testEnv.people.finance, { what: 'refunds', name: 'support', amount: '40.00' })).toEqual({ ok: true });
  expect(await limitNow()).toBe('40.00');
  expect(await findRequestedRaise(game.db, 'refunds', game.gameId, 'support')).toBeNull();
  expect(await listActs()).toEqual([
    'ada@studio.example changed an auto-approval limit',
    'ada@studio.example asked to raise an auto-approval limit',
    'fin@studio.example approved a higher auto-approval limit',
  ]);
  const { rows } = await game.pool.query(
    `select notice.kind, notice.about, notice.amount_usd::text, string_agg(person.email, ' ' order by person.email) as readers
     from notice join notice_delivery using (game_id, notice_id) join person on person.id = person_id
     where game_id = $1 group by notice_id, notice.kind, notice.about, notice.amount_usd order by notice_id`,
    [game.gameId],
  );
  expect(rows).toMatchObject([
    { kind: 'limit_changed', about: 'Support limit', amount_usd: '20.00' },
    { kind: 'limit_requested', about: 'Support limit', amount_usd: '40.00' },
    { kind: 'limit_changed', about: 'Support limit', amount_usd: '40.00' },
  ]);
  expect(rows[0].readers).toContain('fin@studio.example');
  expect(rows[0].readers).not.toContain('ada@studio.example');
});

test('a raise counts from the limit that applies, the default included, and replaces an earlier one', async () => {
  expect(await change('60')).toEqual({ ok: true, isWaiting: true });
  expect(await limitNow()).toBe('50.00');
  expect(await change('70')).toEqual({ ok: true, isWaiting: true });
  expect(await findRequestedRaise(game.db, 'refunds', game.gameId, 'support')).toMatchObject({
    amount: '70.00',
    by: testEnv.people.admin.id,
  });
  expect(await change('45')).toEqual({ ok: true, isWaiting: false });
  expect(await findRequestedRaise(game.db, 'refunds', game.gameId, 'support')).toBeNull();
  expect(await limitNow()).toBe('45.00');
});

test('a second person approves a raise, exactly as shown, and it applies at once', async () => {
  await change('60');
  const { admin, finance, support } = testEnv.people;
  const raise = { what: 'refunds', name: 'support', amount: '60.00' } as const;
  expect(await approveRaise(game, admin, raise)).toEqual({ ok: false, reason: 'same_person' });
  expect(await approveRaise(game, support, raise)).toEqual({ ok: false, reason: 'not_allowed' });
  expect(await approveRaise(game, finance, { ...raise, amount: '61.00' })).toEqual({ ok: false, reason: 'moved_on' });
  await testEnv.pool.query(`update person set account_confirmed_at = null where id = $1`, [finance.id]);
  expect(await approveRaise(game, finance, raise)).toEqual({ ok: false, reason: 'unconfirmed' });
  await testEnv.pool.query(`update person set account_confirmed_at = clock_now() where id = $1`, [finance.id]);
  expect(await approveRaise(game, finance, raise)).toEqual({ ok: true });
  expect(await limitNow()).toBe('60.00');
  expect((await listActs()).at(-1)).toBe('fin@studio.example approved a higher auto-approval limit');
});

test('a raise is withdrawn by its requester, or rejected by someone who may approve', async () => {
  const { admin, finance, support } = testEnv.people;
  const raise = { what: 'refunds', name: 'support', amount: '60.00' } as const;
  await change('60');
  expect(await declineRaise(game, support, raise)).toEqual({ ok: false, reason: 'not_allowed' });
  expect(await declineRaise(game, admin, raise)).toEqual({ ok: true });
  await change('60');
  expect(await declineRaise(game, finance, raise)).toEqual({ ok: true });
  expect(await declineRaise(game, finance, raise)).toEqual({ ok: false, reason: 'moved_on' });
  expect(await limitNow()).toBe('50.00');
});

test('a limit for 24 hours that follows a lowered limit is raised from what applies now, by two people', async () => {
  const { admin } = testEnv.people;
  expect(await change('5.00')).toEqual({ ok: true, isWaiting: false });
  // Ten times the limit of a refund applies: 50.00, so 500.00 is ten times higher.
  expect(await changeLimit(game, admin, { what: 'refunds', name: 'support_day', typed: '500.00' })).toEqual({ ok: true, isWaiting: true });
  expect((await findLimits(game.db, 'refunds', game.gameId)).support_day).toBe('50.00');
});

test('no limit exceeds its ceiling, and the database holds the same one', async () => {
  for (const name of LIMIT_NAMES) {
    const ceiling = ceilingOf('refunds', name);
    const set = async (typed: string): Promise<unknown> => await changeLimit(game, testEnv.people.admin, { what: 'refunds', name, typed });
    expect(await set(`${ceiling.replace('.00', '')}.01`)).toEqual({ ok: false, reason: 'above_ceiling' });
    expect(await set(ceiling)).toEqual({ ok: true, isWaiting: true });
    await expect(
      game.pool.query(`update refund_limit set raise_usd = raise_usd + 0.01 where game_id = $1 and name = $2`, [game.gameId, name]),
    ).rejects.toThrow('refund_limit_ceiling_check');
  }
});

test('only an admin changes limits, by the roles stored at that moment', async () => {
  const { finance, admin } = testEnv.people;
  expect(await changeLimit(game, finance, { what: 'refunds', name: 'support', typed: '1' })).toEqual({
    ok: false,
    reason: 'not_allowed',
  });
  await testEnv.pool.query(`update person set roles = '{finance}' where id = $1`, [admin.id]);
  expect(await change('1')).toEqual({ ok: false, reason: 'not_allowed' });
  expect(await limitNow()).toBeUndefined();
  await testEnv.pool.query(`update person set roles = '{finance,admin}' where id = $1`, [admin.id]);
});

test('a refused change of a limit stores no default that would stay when the other limit is lowered', async () => {
  const { admin } = testEnv.people;
  await game.pool.query(`update person set counts_from = clock_now() + interval '23 hours' where id = $1`, [admin.id]);
  try {
    expect(await changeLimit(game, admin, { what: 'refunds', name: 'finance_day', typed: '1' })).toEqual({ ok: false, reason: 'too_new' });
  } finally {
    await game.pool.query(`update person set counts_from = clock_now() - interval '1 day' where id = $1`, [admin.id]);
  }
  expect(await findLimits(game.db, 'refunds', game.gameId)).toEqual({});
  await changeLimit(game, admin, { what: 'refunds', name: 'finance', typed: '10' });
  expect(limitNamed('refunds', 'finance_day', await findLimits(game.db, 'refunds', game.gameId))).toBe('100.00');
});

test('approving a higher limit for one refund leaves the limit for 24 hours as it is, and the audit says so', async () => {
  await changeLimit(game, testEnv.people.admin, { what: 'refunds', name: 'finance', typed: '5000' });
  const raise = { what: 'refunds', name: 'finance', amount: '5000.00' } as const;
  expect(await approveRaise(game, testEnv.people.finance, raise)).toEqual({ ok: true });
  expect(await findLimits(game.db, 'refunds', game.gameId)).toEqual({ finance: '5000.00', finance_day: '5000.00' });
  const { detail } = await game.db
    .selectFrom('audit')
    .select('detail')
    .where('game_id', '=', game.gameId)
    .orderBy('audit_id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(detail).toEqual({ name: 'finance', limit_usd: '5000.00', unchanged_limit: { name: 'finance_day', limit_usd: '5000.00' } });
  await changeLimit(game, testEnv.people.admin, { what: 'refunds', name: 'finance_day', typed: '6000' });
  expect(await approveRaise(game, testEnv.people.finance, { what: 'refunds', name: 'finance_day', amount: '6000.00' })).toEqual({
    ok: true,
  });
  expect(await findLimits(game.db, 'refunds', game.gameId)).toEqual({ finance: '5000.00', finance_day: '6000.00' });
});
