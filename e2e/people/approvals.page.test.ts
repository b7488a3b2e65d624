import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type OpenDb, openDb } from '#db/kit/open.ts';
import { join } from '#e2e/observability/second-web.ts';
import { seedPerson } from '#e2e/support/people/seed-people.ts';
import { DEMO } from '../pages/demo-people.ts';
import { visit } from '../pages/visit.ts';

// Otto was here before accounts were confirmed: the upgrade alone confirmed him.
const EMAIL = 'otto@starfall.example';
const CONFIRM = 'Confirm this person: otto';
let open: OpenDb;
let leave: () => Promise<void>;
let otto: string;

beforeAll(async () => {
  const { data, settings } = inject('sharebook');
  const joined = await join(data, settings);
  leave = joined.stop;
  open = openDb(joined.env['DATABASE_MIGRATE_URL'] ?? '', { poolSize: 1 });
  otto = await seedPerson(open.db, EMAIL, 'viewer');
  await open.db.insertInto('person_confirmation').values({ person_id: otto, confirmation_no: 1, basis: 'upgrade' }).execute();
});
afterAll(async () => {
  await open.db.updateTable('person').set({ disabled_at: new Date().toISOString() }).where('id', '=', otto).execute();
  await open.close();
  await leave();
});

test('Settings names who was confirmed by the upgrade alone, on a narrow screen too, and finance can confirm them', async () => {
  const narrow = (await visit('/settings', 'admin')).region('People who can sign in').rows.filter(({ text }) => text.includes(EMAIL));
  expect(narrow.map(({ text }) => text.includes('Never confirmed by two people'))).toEqual([true]);
  for (const role of ['admin', 'finance'] as const) {
    const page = await visit('/settings', role);
    expect(page.region('Waiting for approval').text, role).toContain('was here before accounts were confirmed, so the account counts');
    expect(page.buttons, role).toContain(CONFIRM);
  }
});

test('a person whom two people stand behind is not offered for confirmation', async () => {
  const page = await visit('/settings', 'finance');
  expect(page.buttons.filter((name) => name.startsWith('Confirm this person'))).toEqual([CONFIRM]);
});

test('a policy is not offered for confirmation while the account of who proposed it doesn’t count', async () => {
  const { db } = open;
  const { game_id } = await db.selectFrom('game').select('game_id').where('slug', '=', 'demo').executeTakeFirstOrThrow();
  await db.updateTable('person').set({ account_confirmed_at: null }).where('id', '=', otto).execute();
  const proposed = { game_id, policy_no: 1, minimum_usd: '20.00', proposed_by: otto };
  await db.insertInto('payout_policy').values(proposed).execute();
  try {
    const refused = await visit('/settings', 'finance');
    expect(refused.region('Proposed policy').text).toContain('The account of the person who prepared this isn’t confirmed.');
    expect(refused.buttons).not.toContain('Confirm policy');
    await db.updateTable('person').set({ account_confirmed_at: new Date().toISOString() }).where('id', '=', otto).execute();
    expect((await visit('/settings', 'finance')).buttons).toContain('Confirm policy');
  } finally {
    await db.updateTable('payout_policy').set({ withdrawn_at: new Date().toISOString() }).where('proposed_by', '=', otto).execute();
  }
});

test('pages of payouts say that an account doesn’t count, and offer nothing that needs one which does', async () => {
  const { db } = open;
  const buttons = { '/demo/months/2026-10/close': 'Start payout run', '/demo/payouts/adjustments': 'Propose adjustment' };
  const read = await db
    .selectFrom('person')
    .select('account_confirmed_at')
    .where('email', '=', DEMO.finance.email)
    .executeTakeFirstOrThrow();
  for (const [path, button] of Object.entries(buttons)) expect((await visit(path)).main.buttons.join()).toContain(button);
  await db.updateTable('person').set({ account_confirmed_at: null }).where('email', '=', DEMO.finance.email).execute();
  try {
    for (const [path, button] of Object.entries(buttons)) {
      const { main } = await visit(path);
      expect(main.text).toContain('Your account isn’t confirmed, so it doesn’t count where two people are needed.');
      expect(main.buttons.join()).not.toContain(button);
    }
  } finally {
    await db.updateTable('person').set(read).where('email', '=', DEMO.finance.email).execute();
  }
});
