// @module-tag proof
// @module-tag no-retry
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findServersOfGames, readCluster } from '#db/kit/cluster.ts';
import { ACCOUNTS } from '#lib/accounting/rules/journal.ts';
import { setAccounts } from '#lib/accounting/set-accounts.ts';
import { SHEET_FORMATS, SHEETS } from '#lib/evidence/rules/sheets.ts';
import { requestVoid } from '#lib/payouts/decide-run.ts';
import { STATEMENT_FORMATS } from '#lib/payouts/rules/statement.ts';
import { runCli } from '../support/cli/run-cli.ts';
import { closeMonth, confirmVoidAsShown, seedFinance } from '../support/payouts/close-month.ts';
import { confirmDetails } from '../support/payouts/confirm-details.ts';
import { openRefundEnvironment, type RefundEnvironment } from '../support/refunds/refund-environment.ts';
import { eventBody, openIntakeEnvironment } from '../support/webhooks/intake-environment.ts';

// What two games of a studio go through, in this order. `check.ts` runs it on a cluster and on one server, each with a folder for its files, and compares them.
const MONTH = '2026-10';
const GAMES = ['demo', 'trial'] as const;
type Game = (typeof GAMES)[number];

const OUT = process.env['CHECK_FOLDER'];
const BETWEEN = process.env['CHECK_GAMES_BETWEEN'];
const folder = OUT ?? fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-whole-path-'));

let testEnv: RefundEnvironment;
beforeAll(async () => {
  fs.mkdirSync(folder, { recursive: true });
  testEnv = await openRefundEnvironment();
  await testEnv.control('POST', 'game', { environment: 'sandbox', rateLimit: false });
});
afterAll(async () => {
  await testEnv.close();
  if (OUT === undefined) fs.rmSync(folder, { recursive: true });
});

/** The trial is the sandbox title of the simulated Invo. */
const trial = () => ({
  slug: 'trial',
  environment: 'sandbox' as const,
  baseUrl: `${testEnv.upstream.url}/sandbox`,
  gameSecret: 'upstream-sandbox-secret',
});

/** Runs a command about a game, which must succeed; returns what it prints. */
async function command(game: Game, argv: string[]): Promise<string> {
  const { slug, environment, baseUrl, gameSecret } = trial();
  const settings = { INVO_GAME: slug, INVO_ENVIRONMENT: environment, INVO_BASE_URL: baseUrl, INVO_GAME_SECRET: gameSecret };
  const { code, out, err } = await runCli(testEnv, argv, game === 'demo' ? {} : settings);
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
  return out;
}

const ofMonth = (game: Game): string[] => ['--game', game, '--month', MONTH];

async function writeFile(game: Game, name: string, argv: string[]): Promise<void> {
  await command(game, [...argv, ...ofMonth(game), '--out', path.join(folder, `${game}-${name}`)]);
}

/** The recipients of a game in a query of it, in order. */
async function listRecipients(gameId: number, table: 'payout_line' | 'snapshot_recipient'): Promise<string[]> {
  const { rows } = await testEnv.pool.query(
    `select distinct recipient_player_id::text as id from ${table} where game_id = $1 and resolved order by 1`,
    [gameId],
  );
  return rows.map(({ id }) => id);
}

test('two games are stored, on different servers where there are several', async () => {
  const first = await testEnv.game();
  const isOnCluster = (await readCluster(testEnv.db)) !== null;
  const serverOf = async (gameId: number): Promise<string | undefined> => (await findServersOfGames(testEnv.db, [gameId])).get(gameId);
  const isApart = async (gameId: number): Promise<boolean> => (await serverOf(gameId)) !== (await serverOf(first.gameId));
  let between = Number(BETWEEN ?? 0);
  while (isOnCluster && !(await isApart(first.gameId + between + 1))) between++;
  // One server stores as many, so that the IDs in files are the same.
  for (let index = 0; index < between; index++) await testEnv.game({ slug: `between-${index}` });
  const second = await testEnv.game(trial());
  expect(second.gameId).toBe(first.gameId + between + 1);
  fs.writeFileSync(path.join(folder, 'games-between'), String(between));
});

test.each(GAMES)('the month of %s is pulled and re-checked, and reconciles', async (game) => {
  for (const _ of ['pulled', 're-checked'])
    expect(JSON.parse(await command(game, ['pull', ...ofMonth(game), '--json']))).toMatchObject({
      complete: true,
      warnings: [],
      drift: null,
    });
});

test.each(GAMES)('every sheet of %s is exported', async (game) => {
  for (const sheet of SHEETS)
    for (const format of SHEET_FORMATS) await writeFile(game, `${sheet}.${format}`, ['export', '--sheet', sheet, '--format', format]);
});

test('a run is composed, approved, posted and voided by two people', async () => {
  const [preparer, approver] = [await seedFinance(testEnv, 'nora'), await seedFinance(testEnv, 'otto')];
  await confirmDetails(testEnv);
  const { runId } = await closeMonth(testEnv, { preparer, approver }, MONTH);
  const game = await testEnv.game();
  const [recipient = ''] = await listRecipients(game.gameId, 'payout_line');
  for (const format of STATEMENT_FORMATS)
    await writeFile('demo', `statement.${format}`, ['statement', '--recipient', recipient, '--format', format]);
  const typed = Object.fromEntries(ACCOUNTS.flatMap((account) => ['code', 'name'].map((field) => [`${account}.${field}`, account])));
  expect(await setAccounts(game, preparer, { seenMapNo: 0, typed })).toMatchObject({ ok: true });
  await writeFile('demo', 'journal.csv', ['journal', '--layout', 'generic']);
  fs.writeFileSync(path.join(folder, 'demo-payout.json'), await command('demo', ['payout', ...ofMonth('demo'), '--json']));
  expect(await requestVoid(game, preparer, { runId, why: 'Checked', isNotUploaded: true })).toMatchObject({ ok: true });
  expect(await confirmVoidAsShown(game, approver, runId)).toMatchObject({ ok: true, run: { state: 'void' } });
});

test('a refund is requested, approved, sent once and found in the report', async () => {
  const game = await testEnv.newGame('demo');
  const refundId = await game.ask(testEnv.people.support);
  if ((await game.row()).state === 'awaiting_approval')
    expect(await game.approve(testEnv.people.finance, refundId)).toMatchObject({ ok: true });
  await game.settleToRest();
  expect(await game.row()).toMatchObject({ state: 'landed', attempt_count: 1 });
});

test('a delivery is stored once, and a repeated one is counted', async () => {
  const intake = await openIntakeEnvironment(testEnv);
  const body = eventBody('purchase.completed', { order_id: 'ORD_1' });
  expect((await intake.deliver({ body })).status).toBe(200);
  expect((await intake.deliver({ body })).status).toBe(200);
  expect(await command('demo', ['deliveries', '--game', 'demo'])).toContain('2 attempts');
});

test('a recipient of one game is erased, and their figures stay', async () => {
  const { gameId } = await testEnv.game(trial());
  const [recipient = ''] = await listRecipients(gameId, 'snapshot_recipient');
  await command('trial', ['erase', '--game', 'trial', '--recipient', recipient, '--reason', 'request 7']);
  const after = path.join(folder, 'trial-recipients-after.csv');
  await writeFile('trial', 'recipients-after.csv', ['export', '--sheet', 'recipients']);
  expect(fs.readFileSync(after, 'utf8').split('\n').length).toBe(
    fs.readFileSync(path.join(folder, 'trial-recipients.csv'), 'utf8').split('\n').length,
  );
});

test('everything that is stored is verified', async () => {
  expect(await command('demo', ['verify'])).not.toBe('');
});
