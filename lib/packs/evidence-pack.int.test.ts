// @module-tag no-retry
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ran, runCli } from '#e2e/support/cli/run-cli.ts';
import { drawBy, seededRandom } from '#e2e/support/evidence/draw-tampers.ts';
import { drawPackTamper, PACK_TAMPERS, type PackParts, partsOf, reseal, zipParts } from '#e2e/support/packs/change-pack.ts';
import { closeMonth, seedFinance } from '#e2e/support/payouts/close-month.ts';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { openPulledEnvironment, type TestEnvironment, type TestGame } from '#e2e/support/test-environment.ts';
import { MAPPING_FIELDS } from '#lib/accounting/rules/account-map.ts';
import { ACCOUNTS } from '#lib/accounting/rules/journal.ts';
import { setAccounts } from '#lib/accounting/set-accounts.ts';
import { chainAudit } from '#lib/audit/chain-audit.ts';
import type { SessionActor } from '#lib/core/roles.ts';
import type { Violation } from '#lib/evidence/rules/findings.ts';
import { eraseRecipient } from '#lib/evidence/writes/erasures.ts';
import { decideProposal, proposeAdjustment, type TypedAdjustment } from '#lib/payouts/adjust-balance.ts';
import { placeHold } from '#lib/payouts/hold-payment.ts';
import { exportPack } from './export-pack.ts';
import { PackError } from './open-pack.ts';
import { INDEX_PATH } from './rules/pack-index.ts';
import { verifyPack, verifyPacks } from './verify-pack.ts';

const COUNT = proofSize(PACK_TAMPERS.length, 500);
let testEnv: TestEnvironment;
let game: TestGame;
let folder: string;
/** The packs of both runs, by run number. */
const packs = new Map<number, Buffer>();

/** August and September, closed one after the other: with a hold, a correction, a transfer, changed periods and names of the accounts. */
beforeAll(async () => {
  testEnv = await openPulledEnvironment('2026-08', '2026-09', '2026-10');
  folder = await mkdtemp(path.join(tmpdir(), 'packs-'));
  game = await testEnv.game();
  const people = { preparer: await seedFinance(testEnv, 'fiona'), approver: await seedFinance(testEnv, 'ada') };
  const typed = Object.fromEntries(
    ACCOUNTS.flatMap((account, index) => MAPPING_FIELDS.map((field) => [`${account}.${field}`, `A${index}`])),
  );
  expect(await setAccounts(game, people.preparer, { seenMapNo: 0, typed })).toMatchObject({ ok: true });
  await closeMonth(testEnv, people, '2026-08');
  await adjust(people);
  await closeMonth(testEnv, people, '2026-09');
  await chainAudit(testEnv.db);
  for (const runNo of [1, 2]) packs.set(runNo, await pack(runNo));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await testEnv.close();
});

async function adjust({ preparer, approver }: { preparer: SessionActor; approver: SessionActor }): Promise<void> {
  const { rows: paid } = await testEnv.pool.query<{ id: number }>(
    'select recipient_player_id as id from payout_line order by payable_usd desc limit 3',
  );
  const [held = 0, adjusted = 0, other = 0] = paid.map(({ id }) => id);
  await placeHold(game, preparer, {
    recipientIds: [held],
    periodId: null,
    amount: '5',
    reason: 'dispute',
    note: 'Chargeback',
    expiresAt: '',
  });
  // One that September reports again.
  const { rows: periods } = await testEnv.pool.query<{ id: number; recipient: number }>(
    `select period_id as id, recipient_player_id as recipient from payout_reversal reversal where taken_usd > 0.01 and exists (
       select from reversal_line line join slice using (game_id, slice_id)
       where line.period_id = reversal.period_id and slice.window_start >= '2026-09-01' and slice.window_start < '2026-10-01') limit 1`,
  );
  const [period] = periods;
  const plain = { runNo: 1, periodId: null, toRecipientId: null, reason: 'July, "late"' };
  const adjustments: TypedAdjustment[] = [
    { ...plain, recipientId: adjusted, amount: '2.50', kind: 'correction' },
    { ...plain, recipientId: adjusted, amount: '-1.00', kind: 'transfer', toRecipientId: other },
    { ...plain, recipientId: period?.recipient ?? 0, amount: '0.01', kind: 'drift', periodId: period?.id ?? 0 },
  ];
  for (const each of adjustments) {
    const proposed = await proposeAdjustment(game, preparer, each);
    if (!proposed.ok) throw new Error(JSON.stringify(proposed));
    expect(await decideProposal(game, approver, { adjustmentId: proposed.adjustmentId, decision: 'confirmed' })).toMatchObject({
      ok: true,
    });
  }
}

async function pack(runNo: number, changed: Partial<TestGame> = {}): Promise<Buffer> {
  const made = await exportPack({ ...game, ...changed }, { runNo }, { takenBy: 'command line' });
  if (!made.ok) throw new Error(made.reason);
  return Buffer.concat(await Array.fromAsync(made.pieces));
}

async function save(bytes: Buffer, name = 'pack.zip'): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, bytes);
  return file;
}

/** What is found in a pack; a file that is none: why. */
async function find(bytes: Buffer): Promise<Violation[] | string> {
  try {
    return (await verifyPack(await save(bytes))).violations;
  } catch (error) {
    if (error instanceof PackError) return error.message;
    throw error;
  }
}

const partsOfRun = (runNo: number): PackParts => partsOf(packs.get(runNo) ?? Buffer.alloc(0));

describe('an evidence pack', () => {
  test.each([1, 2])('of run %i is proven without a database, with everything it has', async (runNo) => {
    const verified = await verifyPack(await save(packs.get(runNo) ?? Buffer.alloc(0)));
    expect(verified.violations).toEqual([]);
    const { rows } = await testEnv.pool.query<{ lines: number }>('select line_count as lines from payout_run where run_no = $1', [runNo]);
    const lines = rows[0]?.lines;
    expect(verified.counts).toMatchObject({ lines, statements: lines, journals: 1 });
    expect(verified.index.left_out.map(({ what }) => what)).toEqual([
      'payment_details',
      'payment_files',
      'identity_salts',
      'earlier_months',
    ]);
  });

  test('is the same bytes in every time zone, and again', async () => {
    const before = process.env['TZ'];
    process.env['TZ'] = 'Pacific/Auckland';
    const elsewhere = await pack(2);
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
    expect(elsewhere.equals(packs.get(2) ?? Buffer.alloc(0))).toBe(true);
  });

  test('names the first violation where someone changed an amount everywhere but in what was approved', async () => {
    const parts = partsOfRun(2);
    const [id, ...cells] = (parts.get('run/lines.csv')?.toString().split('\r\n')[1] ?? '').split(',');
    const changed = [id, ...cells.map((cell, index) => (index === 3 ? '999.99' : cell))].join(',');
    parts.set('run/lines.csv', Buffer.from((parts.get('run/lines.csv')?.toString() ?? '').replace([id, ...cells].join(','), changed)));
    expect(await find(await zipParts(reseal(parts)))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'line_earned', subject: `run 2, recipient ${id}`, actual: '999.99' }),
        expect.objectContaining({ name: 'run_lines_digest' }),
      ]),
    );
  });

  test('with one changed byte is reported for its entry and what depends on it, and for no other entry', async () => {
    const parts = partsOfRun(1);
    const path = 'evidence/responses/000001.json.gz';
    const bytes = Buffer.from(parts.get(path) ?? '');
    parts.set(path, bytes.fill(0xff, 20, 21));
    const found = await find(await zipParts(parts));
    expect(typeof found === 'string' ? found : found.map(({ subject, name }) => `${subject}: ${name}`)).toEqual([
      `${path}: entry_sha256`,
      'response 1: response_reads',
      'slice 1: slice_can_be_rebuilt',
      'evidence: can_be_verified',
    ]);
  });

  test('with a response that inflates beyond any answer of Invo is named by that response', { tags: 'proof' }, async () => {
    const parts = partsOfRun(1).set('evidence/responses/000001.json.gz', gzipSync(Buffer.alloc(65 * 1024 * 1024)));
    expect(await find(await zipParts(reseal(parts)))).toContainEqual(
      expect.objectContaining({ name: 'response_reads', subject: 'response 1', actual: 'the bytes are no gzip' }),
    );
  });

  test('is proven when it was unpacked and compressed', { tags: 'proof' }, async () => {
    expect(await find(await zipParts(partsOfRun(1), { compress: true }))).toEqual([]);
  });

  test('says that no real money moved where none did', { tags: 'proof' }, async () => {
    const bannerOf = (bytes: Buffer): unknown => JSON.parse(partsOf(bytes).get(INDEX_PATH)?.toString() ?? '{}').banner;
    expect(
      [packs.get(1) ?? Buffer.alloc(0), await pack(1, { isSimulated: true }), await pack(1, { environment: 'sandbox' })].map(bannerOf),
    ).toEqual([null, 'SIMULATED DATA. No real money moved.', 'SANDBOX. No real money moved.']);
  });
});

describe('two packs in sequence', () => {
  test('prove the roll-forward between them', { tags: 'proof' }, async () => {
    const files = [await save(packs.get(2) ?? Buffer.alloc(0), 'two.zip'), await save(packs.get(1) ?? Buffer.alloc(0), 'one.zip')];
    const games = [{ game: 'demo', sequences: [[1, 2]], missing: [], repeated: [], unread: [], violations: [] }];
    expect(await verifyPacks(files)).toMatchObject({ refused: [], games });
  });

  test.each([
    ['what a run carried forward', 'history/closings.csv', /(?<=\r\n\d+,)-?[\d.]+/, '7.77', 'closing of recipient'],
    ['what a run deducted', 'history/taken.csv', /(?<=\r\n\d+,1,)[\d.]+(?=,)/, '7.77', 'taken of period'],
    ['the digest of the run before', 'history/runs.json', /(?<="contentDigest": ")\w{8}/, '00000000', 'history_names_the_run'],
  ])('name %s that is another in the earlier one', { tags: 'proof' }, async (_, entry, pattern, text, name) => {
    const parts = partsOfRun(2);
    const before = parts.get(entry)?.toString() ?? '';
    expect(before).toMatch(pattern);
    parts.set(entry, Buffer.from(before.replace(pattern, text)));
    const later = await save(await zipParts(reseal(parts)), 'later.zip');
    const { games } = await verifyPacks([await save(packs.get(1) ?? Buffer.alloc(0), 'one.zip'), later]);
    expect(games[0]?.violations).toContainEqual(
      expect.objectContaining({ name: expect.stringContaining(name), subject: 'demo (production), run 2 after run 1' }),
    );
  });
});

test(`each of ${COUNT} changes of a pack is named, drawn at random`, { tags: 'proof', timeout: 600_000 }, async () => {
  const pick = drawBy(seededRandom(20_261_125));
  const unnoticed: string[] = [];
  for (let draw = 0; draw < COUNT; draw++) {
    const kind = PACK_TAMPERS[draw % PACK_TAMPERS.length];
    if (kind === undefined) continue;
    const { what, parts } = drawPackTamper(partsOfRun(pick([1, 2])), kind, pick);
    const found = await find(await zipParts(parts));
    if (found.length === 0) unnoticed.push(what);
  }
  expect(unnoticed).toEqual([]);
  recordFigure('Tampers with evidence packs', `${COUNT} of ${COUNT} named`);
});

describe('the commands', () => {
  const run = (argv: string[]): Promise<Ran> => runCli(testEnv, argv);

  test('write a pack of the same bytes and verify it with exit code 0, or 3 for a changed one, or 1 for none', {
    tags: 'proof',
  }, async () => {
    const file = path.join(folder, 'written.zip');
    const made = await run(['pack', '--game', 'demo', '--month', '2026-08', '--out', file, '--json']);
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(made.out)).toMatchObject({ file, run_no: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect((await readFile(file)).equals(packs.get(1) ?? Buffer.alloc(0))).toBe(true);
    const second = await save(packs.get(2) ?? Buffer.alloc(0), 'second.zip');
    const verified = await run(['verify', '--pack', file, second]);
    expect(verified).toMatchObject({
      code: 0,
      out: expect.stringMatching(/: no violations\n[\s\S]*: 2 packs in sequence, runs 1 and 2: no violations\n$/),
    });
    expect(await run(['verify', '--pack', file, file])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/: 2 packs of run 1 count as one: .+\n$/),
    });
    const changed = await save(await zipParts(partsOfRun(1).set('audit.json', Buffer.from('[]'))), 'changed.zip');
    const unread = await save(await zipParts(partsOfRun(1).set('run/lines.csv', Buffer.from('none'))), 'unread.zip');
    const compared = await run(['verify', '--pack', second, unread]);
    expect(compared.out).not.toContain('packs in sequence');
    expect(compared.out).toMatch(/unread\.zip: too little of it can be read to compare it with other packs\n$/);
    const named = await run(['verify', '--pack', '--json', changed, path.join(folder, 'none.zip')]);
    expect(named.code).toBe(3);
    expect(JSON.parse(named.out)).toMatchObject({
      packs: [
        { file: changed, violations: expect.arrayContaining([expect.objectContaining({ subject: 'audit.json', name: 'entry_sha256' })]) },
      ],
      refused: [{ reason: 'There is no such file.' }],
    });
    const foreign = await save(Buffer.from('PK no zip'), 'foreign.zip');
    expect(await run(['verify', '--pack', foreign])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/foreign\.zip: It can’t be read as a ZIP/),
    });
    const bomb = await save(await zipParts([['pack.json', Buffer.alloc(4 * 1024 * 1024)]], { compress: true }), 'bomb.zip');
    expect(await run(['verify', '--pack', bomb])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/bomb\.zip: Its entries are larger than its file can hold\./),
    });
  });

  test.each([
    ['2026-07', 'There is no payout run of 2026-07.'],
    ['2026-10', 'There is no payout run of 2026-10.'],
  ])('refuse a pack of %s', async (month, sentence) => {
    expect(await run(['pack', '--game', 'demo', '--month', month])).toMatchObject({ code: 1, out: '', err: `${sentence}\n` });
  });
});

test('a pack without the names of an erased person is proven and says what it leaves out', { tags: 'proof' }, async () => {
  const { rows } = await testEnv.pool.query<{ id: number; name: string }>(
    `select recipient_player_id as id, player_name as name from snapshot_recipient where player_name is not null and length(player_name) > 5
     and snapshot_id = (select snapshot_id from payout_run where run_no = 1) order by 1 limit 1`,
  );
  const [person] = rows;
  if (person === undefined) throw new Error('nobody has a name');
  await eraseRecipient(testEnv.db, { gameId: game.gameId, playerId: person.id, by: 'ada', reason: 'GDPR' });
  const before = [...partsOfRun(1)].filter(([, bytes]) => contentOf(bytes).includes(person.name)).map(([name]) => name);
  expect(before).toEqual(['evidence/responses/000001.json.gz']);
  const bytes = await pack(1);
  expect([...partsOf(bytes)].filter(([, content]) => contentOf(content).includes(person.name))).toEqual([]);
  const { violations, index } = await verifyPack(await save(bytes));
  expect(violations).toEqual([]);
  expect(index.left_out).toContainEqual(expect.objectContaining({ what: 'names_of_erased_people' }));
});

/** The text of an entry, inflated where it is gzip. */
function contentOf(bytes: Buffer): string {
  return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8');
}
