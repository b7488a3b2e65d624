// @module-tag no-retry
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { readAudit } from '#e2e/support/people/seed-people.ts';
import {
  AUTH_SECRET,
  clearFactors,
  codeAt,
  decodeBase32,
  seedActor,
  seedFactor,
  seedSessionOf,
  setUpFactor,
} from '#e2e/support/two-factor/seed-factor.ts';
import type { Actor } from '#lib/core/roles.ts';
import { spendCode } from './check-code.ts';
import { confirmSetUp, renewBackupCodes, startSetUp } from './manage-factors.ts';
import { findFactorStatus } from './reads.ts';

const NOW = '2026-11-23T01:00:10Z';

let testDb: TestDb;
let ada: Actor;
let fiona: Actor;

beforeAll(async () => {
  testDb = await createTestDb();
  ada = await seedActor(testDb.db, 'ada@studio.example', ['admin']);
  fiona = await seedActor(testDb.db, 'fiona@studio.example', ['finance']);
});
afterAll(async () => await testDb.close());
beforeEach(async () => await clearFactors(testDb.db));

async function spend(code: string, { now = NOW, authSecret = AUTH_SECRET, person = fiona } = {}): Promise<unknown> {
  return await spendCode(testDb.db, { person, code, now, authSecret });
}

async function auditOf(actor: Actor): Promise<string[]> {
  return (await readAudit(testDb.db)).filter((row) => row.actor === actor.email).map(({ act }) => act);
}

async function setUp(person: Actor): ReturnType<typeof setUpFactor> {
  return await setUpFactor(testDb.db, person, NOW);
}

describe('set-up', () => {
  test('nothing is on before the first code was right, and a wrong one turns nothing on', async () => {
    await startSetUp(testDb.db, fiona, AUTH_SECRET);
    const status = await findFactorStatus(testDb.db, fiona.id);
    expect(status).toEqual({ since: null, backupCodesLeft: 0, requiredRoles: [] });
    const given = { actor: fiona, tokenDigest: 'this session', now: NOW, authSecret: AUTH_SECRET };
    expect(await confirmSetUp(testDb.db, { ...given, code: '12345' })).toEqual({ ok: false, reason: 'malformed_code' });
    expect(await confirmSetUp(testDb.db, { ...given, code: '0123-4567-89ab-cdef' })).toEqual({ ok: false, reason: 'malformed_code' });
    expect(await spend('123456')).toEqual({ ok: false, reason: 'no_factor' });
  });

  test('the first code turns it on, gives ten backup codes, ends other sessions and is used up', async () => {
    await seedSessionOf(testDb.db, fiona, 'this session');
    await seedSessionOf(testDb.db, fiona, 'another session');
    const { code, backupCodes } = await setUp(fiona);
    expect(backupCodes).toHaveLength(10);
    expect(new Set(backupCodes).size).toBe(10);
    expect(backupCodes.filter((each) => !/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/.test(each))).toEqual([]);
    expect(await findFactorStatus(testDb.db, fiona.id)).toMatchObject({ since: expect.any(String), backupCodesLeft: 10 });
    expect(await testDb.db.selectFrom('person_session').select('token_digest').execute()).toEqual([{ token_digest: 'this session' }]);
    expect(await spend(code(-1))).toEqual({ ok: false, reason: 'used_code' });
    expect(await spend(code(0))).toEqual({ ok: true, by: 'app' });
    expect((await auditOf(fiona)).at(-1)).toBe('turned on two-factor authentication');
  });

  test('starting again replaces a secret that waits for its code, and never one that is on', async () => {
    await startSetUp(testDb.db, fiona, AUTH_SECRET);
    await setUp(fiona);
    expect(await startSetUp(testDb.db, fiona, AUTH_SECRET)).toEqual({ ok: false, reason: 'already_on' });
  });

  test('neither the secret nor a backup code is stored in the clear or in the audit', async () => {
    const started = await startSetUp(testDb.db, fiona, AUTH_SECRET);
    const typed = started.ok ? started.secret.replaceAll(' ', '') : '';
    const raw = decodeBase32(typed);
    const { backupCodes } = await setUp(fiona);
    const { rows } = await testDb.pool.query<{ text: string }>(
      `select concat((select json_agg(f) from second_factor f), (select json_agg(b) from backup_code b), (select json_agg(a) from audit a)) as text`,
    );
    const secrets = [
      typed,
      raw.toString('latin1'),
      raw.toString('hex'),
      ...backupCodes,
      ...backupCodes.map((each) => each.replaceAll('-', '')),
    ];
    for (const each of secrets) expect(rows[0]?.text.includes(each)).toBe(false);
  });
});

describe('a code', () => {
  test('is accepted once, however many requests give it at once', async () => {
    const secret = await seedFactor(testDb.db, fiona.id);
    const code = codeAt(secret, NOW);
    const ends = await Promise.all(Array.from({ length: 8 }, () => spend(code)));
    expect(ends.filter((end) => JSON.stringify(end) === '{"ok":true,"by":"app"}')).toHaveLength(1);
    expect(ends.filter((end) => JSON.stringify(end) === '{"ok":false,"reason":"used_code"}')).toHaveLength(7);
  });

  test('no longer counts once a newer one was used', async () => {
    const secret = await seedFactor(testDb.db, fiona.id);
    expect(await spend(codeAt(secret, NOW, 1))).toEqual({ ok: true, by: 'app' });
    expect(await spend(codeAt(secret, NOW, 0))).toEqual({ ok: false, reason: 'used_code' });
    expect(await spend(codeAt(secret, NOW, -1))).toEqual({ ok: false, reason: 'used_code' });
  });

  test('of two steps ago or of two steps later is wrong', async () => {
    const secret = await seedFactor(testDb.db, fiona.id);
    expect(await spend(codeAt(secret, NOW, -2))).toEqual({ ok: false, reason: 'wrong_code' });
    expect(await spend(codeAt(secret, NOW, 2))).toEqual({ ok: false, reason: 'wrong_code' });
  });

  test('of another person opens nothing', async () => {
    const secret = await seedFactor(testDb.db, ada.id);
    await seedFactor(testDb.db, fiona.id);
    expect(await spend(codeAt(secret, NOW))).toEqual({ ok: false, reason: 'wrong_code' });
  });

  test('can’t be checked under another SHAREBOOK_AUTH_SECRET, where backup codes still work', async () => {
    const { code, backupCodes } = await setUp(fiona);
    const authSecret = 'another secret of at least thirty-two characters';
    expect(await spend(code(0), { authSecret })).toEqual({ ok: false, reason: 'unreadable_secret' });
    expect(await spend(backupCodes[0] ?? '', { authSecret })).toEqual({ ok: true, by: 'backup code' });
  });
});

describe('a backup code', () => {
  test('works once, however many requests give it at once, is recorded, and belongs to its person', async () => {
    const { backupCodes } = await setUp(fiona);
    await setUp(ada);
    const [first = '', second = ''] = backupCodes;
    const before = (await auditOf(fiona)).length;
    expect(await spend(first, { person: ada })).toEqual({ ok: false, reason: 'wrong_code' });
    const ends = await Promise.all(Array.from({ length: 8 }, () => spend(first.toUpperCase().replaceAll('-', ' '))));
    expect(ends.filter((end) => (end as { ok: boolean }).ok)).toEqual([{ ok: true, by: 'backup code' }]);
    expect(await spend(first)).toEqual({ ok: false, reason: 'used_backup_code' });
    expect((await findFactorStatus(testDb.db, fiona.id)).backupCodesLeft).toBe(9);
    expect((await auditOf(fiona)).slice(before)).toEqual(['used a backup code']);
    expect(await spend(second)).toEqual({ ok: true, by: 'backup code' });
  });

  test('no longer works once new ones were made', async () => {
    const { backupCodes } = await setUp(fiona);
    const renewed = await renewBackupCodes(testDb.db, fiona);
    expect(await spend(backupCodes[0] ?? '')).toEqual({ ok: false, reason: 'wrong_code' });
    expect(await spend(renewed.ok ? (renewed.backupCodes[0] ?? '') : '')).toEqual({ ok: true, by: 'backup code' });
    expect((await auditOf(fiona)).slice(-2)).toEqual(['made new backup codes', 'used a backup code']);
  });
});
