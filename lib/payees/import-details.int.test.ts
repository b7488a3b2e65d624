import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '#e2e/support/cli/run-cli.ts';
import { seedFinance } from '#e2e/support/payouts/close-month.ts';
import { confirmationOf, PAYEE_KEY } from '#e2e/support/payouts/confirm-details.ts';
import { proofSize } from '#e2e/support/proof.ts';
import { withTampering } from '#e2e/support/tampered-view.ts';
import { listTablesHolding, openPulledEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { SessionActor } from '../core/roles.ts';
import type { OpenGame } from '../games/open-game.ts';
import { listWaitingPayouts } from '../payouts/reads/waiting-payouts.ts';
import { decideDetails } from './decide-details.ts';
import { findImportPlan, importDetails, previewOf } from './import-details.ts';
import { listOpenImports, type OpenImport } from './reads/payee-details.ts';
import { formatFileError, formatImportEffect, formatRowError } from './text.ts';

const REASON = 'By telephone';
const ROWS = proofSize(100_001, 2_000_000);
let testEnv: TestEnvironment;
let game: OpenGame;
let fiona: SessionActor;
let gus: SessionActor;

beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-10');
  game = await testEnv.game();
  [fiona, gus] = [await seedFinance(testEnv, 'fiona'), await seedFinance(testEnv, 'gus')];
});
afterAll(() => testEnv.close());

describe('a file of payment details', () => {
  const HEAD = 'recipient_player_id,method,email,iban,holder_name';
  const plan = async (text: string | Uint8Array) => await findImportPlan(testEnv.db, game.gameId, PAYEE_KEY, Buffer.from(text));
  const sentencesOf = async (text: string | Uint8Array): Promise<string[]> => {
    const planned = await plan(text);
    if (planned.ok) return [];
    if (planned.reason === 'file') return [formatFileError(planned.error)];
    return planned.reason === 'rows' ? planned.errors.map(formatRowError) : [planned.reason];
  };

  test('others have their turns while many rows are read', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const text = `recipient_player_id,method\n${Array.from({ length: 20_000 }, (_, row) => `${row + 1},none`).join('\n')}`;
    // The first statement fails, so that no turn is one that waits for the database.
    const away = new Proxy(testEnv.db, {
      get: () => {
        throw new Error('the file was read');
      },
    });
    await expect(findImportPlan(away, game.gameId, PAYEE_KEY, Buffer.from(text))).rejects.toThrow('the file was read');
    clearImmediate(next);
    expect(turns).toBeGreaterThan(20);
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ['without a needed column', 'recipient_player_id,email\n9001,a@b.example', /^The column method is missing\.$/],
    [
      'with an unknown column',
      'recipient_player_id,method,ibann\n9001,none,',
      /^The column “ibann” isn’t used for payment details\. Remove or rename it\.$/,
    ],
    [
      'with a column twice',
      'recipient_player_id,method,email,email\n9001,none,,',
      /^The header names the column email twice\. Remove one\.$/,
    ],
    ['without rows', HEAD, /^The file has no rows below its header\.$/],
    [
      'with a recipient twice',
      `${HEAD}\n9001,none,,,\n9002,none,,,\n9001,none,,,`,
      /^Line 4, recipient_player_id: Line 2 names this recipient already\.$/,
    ],
    ['with an unknown recipient', `${HEAD}\n4040404,none,,,`, /^Line 2, recipient_player_id: Invo has reported no recipient/],
    ['with a player that is no number', `${HEAD}\n9001a,none,,,`, /^Line 2, recipient_player_id: This isn’t a player ID\.$/],
    ['with an unknown method', `${HEAD}\n9001,cash,,,`, /^Line 2, method: Use paypal, wise,/],
    ['with wrong check digits', `${HEAD}\n9001,sepa,,DE88370400440532013000,Mira`, /^Line 2, iban: The check digits/],
    [
      'with an IBAN of a country without IBANs',
      `${HEAD}\n9001,sepa,,US64SVBKUS6S3300958879,Mira`,
      /^Line 2, iban: No IBAN starts with these two letters\. For an account in the US, choose ACH or USD wire\.$/,
    ],
    [
      'with a Swiss IBAN and no BIC',
      `${HEAD}\n9001,sepa,,CH9300762011623852957,Mira`,
      /^Line 2, bic: An account outside the European Economic Area needs a BIC\. Enter that of the recipient’s bank\.$/,
    ],
    ['with a row that is longer than its header', `${HEAD}\n9001,none,,,,x`, /^Line 2, recipient_player_id: The row has more cells/],
    ['with a row that is shorter than its header', `${HEAD}\n9001,none`, /^Line 2, recipient_player_id: The row has fewer cells/],
    ['that is Windows-1252', Buffer.from(`${HEAD}\n9001,wise,a@b.example,,M\xfcller`, 'latin1'), /^The file isn’t UTF-8\./],
    [
      'that is a workbook',
      Buffer.from('PK\x03\x04\x14\x00[Content_Types].xml'),
      /^This is a workbook or a ZIP archive\. Save the list as “CSV UTF-8” and choose that file\.$/,
    ],
    ['that is compressed', gzipSync(HEAD), /^This is a compressed file\. Save the list as “CSV UTF-8”/],
    ['that is cut off within quotes', `${HEAD}\n9001,paypal,"a@b.exa`, /^Line 2 has a quoted cell that doesn’t end\./],
    [
      `with ${ROWS.toLocaleString('en-US')} rows`,
      `recipient_player_id,method\n${'1,none\n'.repeat(ROWS)}`,
      /^The file has more than 100,000 rows: line 100,002 is one too many\./,
    ],
  ])('%s is refused in a sentence that names the row and the column', async (_, text, sentence) => {
    const found = await sentencesOf(text);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(sentence);
  });

  test('changes nothing until a second person confirms the whole, and is stored wholly or not at all', async () => {
    const count = async (): Promise<number> => (await testEnv.pool.query('select 1 from payee_detail')).rowCount ?? 0;
    const before = await count();
    const text = `${HEAD}\n9001,sepa,,DE89370400440532013000,Mira Vale\n9002,paypal,payee-9002@creators.example,,\n9003,paypal,kes@creators.example,,\n`;
    const planned = await plan(text);
    if (!planned.ok) throw new Error('not planned');
    const preview = previewOf(planned);
    expect(preview.counts).toEqual({ new: 0, changed: 2, identity: 0, unchanged: 1 });
    expect(preview.rows[0]).toEqual({
      line: 2,
      recipientId: 9001,
      change: 'changed',
      before: 'PayPal p•••@c•••.example',
      after: 'SEPA transfer DE •••• 3000',
    });
    const bytes = Buffer.from(text);
    expect(await importDetails(game, fiona, PAYEE_KEY, { bytes, reason: REASON, shown: '0'.repeat(64) })).toEqual({
      ok: false,
      reason: 'not_as_shown',
    });
    expect(
      await importDetails(game, fiona, PAYEE_KEY, { bytes: Buffer.from(`${text}9004,cash,,,`), reason: REASON, shown: planned.shown }),
    ).toMatchObject({ reason: 'rows' });
    const named = { bytes, reason: 'Now kes@CREATORS.example', shown: planned.shown };
    expect(await importDetails(game, fiona, PAYEE_KEY, named)).toEqual({ ok: false, reason: 'account_in_reason' });
    expect(await count()).toBe(before);
    const proposed = await importDetails(game, fiona, PAYEE_KEY, { bytes, reason: REASON, shown: planned.shown });
    if (!proposed.ok) throw new Error(proposed.reason);
    expect(await count()).toBe(before + 2);
    expect(await sentencesOf(text)).toEqual([
      'Line 2, recipient_player_id: Details of this recipient are proposed and not yet confirmed. Confirm or withdraw them first.',
      'Line 4, recipient_player_id: Details of this recipient are proposed and not yet confirmed. Confirm or withdraw them first.',
    ]);
    const open = await listOpenImports(testEnv.db, game.gameId, { personId: gus.id, canSeeEmails: true, limit: 10 });
    expect(open).toMatchObject([
      { changeSet: proposed.changeSet, count: 2, isMine: false, rows: [{ recipientId: 9001 }, { recipientId: 9003 }] },
    ]);
    const waiting = await listWaitingPayouts(testEnv.db, game.gameId, gus.id, 10);
    expect(waiting).toMatchObject([{ kind: 'details', recipientId: null, payableCount: 2, by: 'fiona', reason: REASON }]);
    expect(await listWaitingPayouts(testEnv.db, game.gameId, fiona.id, 10)).toEqual([]);
    const proposal = { changeSet: proposed.changeSet };
    expect(await decideDetails(game, fiona, PAYEE_KEY, await confirmationOf(game, proposal))).toEqual({ ok: false, reason: 'same_person' });
    expect(await decideDetails(game, gus, PAYEE_KEY, await confirmationOf(game, proposal))).toMatchObject({ ok: true });
    expect(await importDetails(game, fiona, PAYEE_KEY, { bytes, reason: REASON, shown: '' })).toEqual({ ok: false, reason: 'no_changes' });
  });

  test('for a recipient without details in force is new, even when others confirmed some later', async () => {
    const shown = await withTampering(
      testEnv.pool,
      async (client) => {
        await client.query('delete from payee_detail where recipient_player_id = 9001');
        await client.query(`update payee_detail set change_set = gen_random_uuid(), recipient_player_id = 9001, confirmed_at = null,
          confirmed_by = null where recipient_player_id = 9002 and detail_no = 1`);
      },
      async (view) => await listOpenImports(view, game.gameId, { personId: gus.id, canSeeEmails: true, limit: 10 }),
    );
    expect(shown).toMatchObject([{ count: 1, changedCount: 0, rows: [{ recipientId: 9001, change: 'new', before: null }] }]);
  });

  test('an import counts recipients who are no longer paid apart from those who are paid to another account', async () => {
    const propose = async (rows: string): Promise<{ proposal: { changeSet: string }; open: OpenImport | undefined }> => {
      const planned = await plan(`${HEAD}\n${rows}`);
      if (!planned.ok) throw new Error(planned.reason);
      const given = { bytes: Buffer.from(`${HEAD}\n${rows}`), reason: REASON, shown: planned.shown };
      const proposed = await importDetails(game, fiona, PAYEE_KEY, given);
      if (!proposed.ok) throw new Error(proposed.reason);
      const [open] = await listOpenImports(testEnv.db, game.gameId, { personId: gus.id, canSeeEmails: true, limit: 10 });
      return { proposal: { changeSet: proposed.changeSet }, open };
    };
    const ended = await propose('9001,none,,,\n9002,none,,,\n9003,paypal,other@creators.example,,');
    expect(ended.open).toMatchObject({ count: 3, changedCount: 1, unpaidCount: 2 });
    expect(ended.open?.rows.map(({ recipientId, change }) => [recipientId, change])).toEqual([
      [9003, 'account'],
      [9001, 'unpaid'],
      [9002, 'unpaid'],
    ]);
    expect(ended.open && formatImportEffect(ended.open)).toEqual(
      'Sharebook would pay 1 recipient to another account than now. Sharebook would no longer pay 2 recipients.',
    );
    expect(await decideDetails(game, gus, PAYEE_KEY, await confirmationOf(game, ended.proposal))).toMatchObject({ ok: true });
    const resumed = await propose('9001,paypal,mira@creators.example,,');
    expect(resumed.open).toMatchObject({ changedCount: 0, unpaidCount: 0, rows: [{ recipientId: 9001, change: 'new' }] });
    expect(resumed.open && formatImportEffect(resumed.open)).toBe('');
    const withdrawn = await decideDetails(game, fiona, PAYEE_KEY, { proposal: resumed.proposal, decision: 'withdrawn' });
    expect(withdrawn).toMatchObject({ ok: true });
  });

  test('is previewed by a command that stores nothing and shows no account', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'payees-')), 'details.csv');
    const key = { SHAREBOOK_PAYEE_KEY: PAYEE_KEY.toString('base64') };
    const run = async (text: string, more: string[] = [], changed: Record<string, string> = key) => {
      writeFileSync(file, text);
      return await runCli(testEnv, ['payees', '--game', 'demo', '--in', file, '--preview', ...more], changed);
    };
    const done = await run(`${HEAD}\n9004,paypal,nova@creators.example,,`, ['--json']);
    expect([done.code, JSON.parse(done.out)]).toEqual([
      0,
      {
        refused: null,
        counts: { new: 0, changed: 1, identity: 0, unchanged: 0 },
        changes: [
          { line: 2, recipient_player_id: 9004, change: 'changed', before: 'PayPal p•••@c•••.example', after: 'PayPal n•••@c•••.example' },
        ],
      },
    ]);
    expect(await run(`${HEAD}\n9004,sepa,,DE88,Nova`)).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^Line 2, iban: /) });
    expect(await run(HEAD, [], {})).toMatchObject({ code: 1 });
    expect(await run(`${HEAD}\n9004,none,,,`, [], {})).toMatchObject({ code: 1, err: expect.stringContaining('SHAREBOOK_PAYEE_KEY') });
    expect((await testEnv.pool.query('select 1 from payee_detail where recipient_player_id = 9004')).rowCount).toBe(1);
  });
});

test('a copy of the database holds no account that was entered', async () => {
  expect(await listTablesHolding(testEnv.pool, /DE89370400440532013000|DE89 ?3704|kes@creators|payee-9001@/)).toEqual([]);
});

test('doctor says which key seals payment details and where a copy of it belongs, and that none is set', async () => {
  const finding = async (changed: Record<string, string>) => {
    const { out, code } = await runCli(testEnv, ['doctor', '--json'], changed);
    return { code, ...JSON.parse(out).findings.find(({ subject }: { subject: string }) => subject === 'payment details') };
  };
  const set = await finding({ SHAREBOOK_PAYEE_KEY: PAYEE_KEY.toString('hex') });
  const message = expect.stringMatching(/^sealed under key [0-9a-f]{8}: store a copy of the key apart from the database and its backups/);
  expect(set).toMatchObject({ code: 0, ok: true, message });
  expect(await finding({})).toMatchObject({ code: 1, ok: false, message: expect.stringContaining('set SHAREBOOK_PAYEE_KEY') });
  expect(await finding({ SHAREBOOK_PAYEE_KEY: Buffer.alloc(32, 3).toString('base64') })).toMatchObject({ code: 1, ok: false });
});
