// @module-tag no-retry
// @module-tag proof
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { beforeAll, expect, inject, test } from 'vitest';
import { join } from '#e2e/observability/second-web.ts';
import { LOG_FILE } from '#e2e/runner/run-sharebook.ts';
import { type FoundText, findTexts, readStoredTexts } from '#e2e/support/db/stored-texts.ts';
import { recordFigure } from '#e2e/support/proof.ts';
import { anyOf } from '#e2e/support/test-environment.ts';
import { listWrongCounts, readGivenSecrets } from '../pages/invo-counts.ts';
import { approveAction, requestAction, submitAction } from '../pages/request-action.ts';
import { answerOnPhone, control } from '../pages/simulated-invo.ts';
import { DESK_SETTINGS, PASSWORD, turnOnGroup } from '../pages/turn-on-group.ts';
import { request, search, send, visit } from '../pages/visit.ts';

// A figure of prove: it has a Sharebook of its own.
const GUS = { playerId: '910027', phone: '+4915100910027' };
const DARA = { playerId: '910029', phone: '+4915100910029' };
const BREE = { playerId: '910024', phone: '+4915100910024' };
const HOUSE = { playerId: '910031', label: 'Starfall House', phone: '+4915100910031', phoneAgain: '+4915100910031' };
const REWARD = '00000000-0000-4000-8000-000000000001';
const ASA_PHONE = '+4915112345678';
const TYPED = ['canary-wrong-code', ASA_PHONE.slice(1), ...[GUS, DARA, BREE, HOUSE].map(({ phone }) => phone.slice(1))];

beforeAll(async () => {
  for (const name of ['asa.venn', 'gus.hale', 'dara.finch', 'bree.okoro', 'house.account']) await search(`${name}@players.example`);
  for (const group of ['sends', 'transfers', 'rewards'] as const) await turnOnGroup(group);
  await send('addHouseAccountAction', DESK_SETTINGS, { game: 'demo', ...HOUSE }, 'admin');
  const card = (await visit(DESK_SETTINGS, 'finance')).region(HOUSE.label);
  const account = { game: 'demo', houseAccountId: card.hidden('houseAccountId'), requestedBy: card.hidden('requestedBy'), ...PASSWORD };
  await send('confirmHouseAccountAction', DESK_SETTINGS, account, 'finance');
}, 120_000);

type About = { game: string; actionId: string };

/** A start that a second person approved and its requester sent. */
async function started(
  kind: string,
  page: string,
  phone: string,
  typed: Record<string, string>,
): Promise<{ target: string; about: About }> {
  const stored = await requestAction(page, kind, { ...typed, entered: phone });
  await approveAction(stored.target);
  await send('pressActionAction', stored.target, { ...stored.about, entered: phone });
  return stored;
}

/** Requests an answer of the phone, gives it, and waits until Sharebook has polled it. */
async function onPhone(
  { target, about }: { target: string; about: About },
  act: Parameters<typeof answerOnPhone>[1],
  state: string,
): Promise<void> {
  const { result } = await send('askPhoneAction', target, about);
  expect(result).toMatchObject({ kind: 'asked' });
  await answerOnPhone(String(result?.['userCode']), act);
  const watched = async () => (await send('watchPhoneAction', target, ['demo', Number(about.actionId)])).result;
  await expect.poll(watched, { timeout: 60_000, interval: 500 }).toMatchObject({ grant: { state } });
}

const drafted = (about: About) => ({ ...about, draftId: crypto.randomUUID() });

test('after actions of every kind no code, token, link or phone is in a table, a log, a file, or a page that is loaded again', {
  timeout: 300_000,
}, async () => {
  const transfer = { gameId: '41300', amount: '10' };
  const link = await submitAction(`/demo/players/${GUS.playerId}/link`, 'payment_link', { playerId: GUS.playerId, amount: '1' });
  expect(link.result).toMatchObject({ kind: 'passed' });
  await submitAction('/demo/players/910023/cards/confirm', 'card_confirm', { playerId: '910023', setUp: 'seti_asa_checked' });

  await control('vault', { vault_entry_id: REWARD, outcome: 'unlocked' });
  const redeemed = await requestAction(`/demo/players/910023/loyalty/redeem/${REWARD}`, 'redeem', {
    playerId: '910023',
    vaultEntryId: REWARD,
  });
  await approveAction(redeemed.target);
  expect((await send('pressActionAction', redeemed.target, redeemed.about)).result).toMatchObject({ kind: 'passed' });

  const claim = await claimWithPhone();

  const bySend = { playerId: BREE.playerId, house: HOUSE.playerId, gameId: '41207', amount: '12' };
  const sent = await started('send_start', `/demo/players/${BREE.playerId}/send`, BREE.phone, bySend);
  await onPhone(sent, 'approve', 'approved');
  await send('moveCoinsAction', sent.target, drafted(sent.about));

  const moved = await started('transfer_start', `/demo/players/${GUS.playerId}/transfer`, GUS.phone, {
    playerId: GUS.playerId,
    ...transfer,
  });
  await onPhone(moved, 'enrol', 'enrolling');
  expect((await send('answerPhoneAction', moved.target, { ...drafted(moved.about), decision: 'deny' })).result).toMatchObject({
    kind: 'done',
  });
  await onPhone(moved, 'approve', 'approved');
  const passed = (await send('moveCoinsAction', moved.target, drafted(moved.about))).result;
  expect(passed).toMatchObject({ kind: 'passed', passed: { what: 'claim_code' } });

  await control('shape', { 'phone-share-initiate': 'not_texted' });
  const held = await started('transfer_start', `/demo/players/${DARA.playerId}/transfer`, DARA.phone, {
    playerId: DARA.playerId,
    ...transfer,
  });
  await control('shape', { 'phone-share-initiate': 'plain' });
  expect((await send('textOwnerAction', held.target, drafted(held.about))).result).toMatchObject({ kind: 'done' });

  const secrets = await readGivenSecrets();
  const kinds = new Set(secrets.map(({ kind }) => kind));
  expect([...kinds]).toEqual(expect.arrayContaining(['device_code', 'user_code', 'claim_code', 'code', 'match_code', 'device_label']));
  const texts = await readEverything([redeemed, claim, sent, moved, held].map(({ target }) => target));
  expect(findTexts(texts, /TRF_IN/).length, 'the search sees what is there').toBeGreaterThan(3);
  expect(findTexts(texts, /"level"|\d/).at(-1), 'and what was logged').toContain('log: ');
  expect(findTexts(texts, anyOf([...secrets.map(({ value }) => value), ...TYPED]))).toEqual([]);
  expect(await listWrongCounts()).toEqual([]);
  recordFigure(
    'canaries of pages and logs',
    `${secrets.length} secrets in ${texts.length} texts of tables, pages, files and logs, none found`,
  );
});

/** Claims a transfer as Invo wants it: its first answer names fields, and the form of the next claim has the phone. */
async function claimWithPhone(): Promise<{ target: string }> {
  const form = '/demo/transfers/TRF_IN/claim';
  const code = { transactionId: 'TRF_IN', entered: 'canary-claim-code-TRF_IN' };
  await control('shape', { 'claim-transfer': 'wants_player_email+wants_player_phone' });
  expect((await visit(form, 'support')).text).not.toContain('Player’s phone');
  const { target } = await requestAction(form, 'claim', code);
  await withDatabase('DATABASE_MIGRATE_URL', async (database) => {
    await database.query(`alter table desk_action disable trigger desk_action_kept;
      update desk_action set last_sent_at = last_sent_at - interval '31 minutes', next_look_at = clock_now() where kind = 'claim';
      alter table desk_action enable trigger desk_action_kept;
      select wake_overdue(game_id) from game`);
  });
  await expect.poll(async () => (await visit(target, 'support')).text, { timeout: 90_000, interval: 500 }).toContain('Not done');
  const shown = await visit(form, 'support');
  for (const words of ['Player’s phone again', 'Sharebook sends the email of the player’s wallet.']) expect(shown.text).toContain(words);
  const unlike = await submitAction(form, 'claim', { ...code, phone: ASA_PHONE, phoneAgain: `${ASA_PHONE}9` });
  expect(unlike.result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('enter it twice') as unknown });
  const claim = await requestAction(form, 'claim', {
    ...code,
    phone: ASA_PHONE,
    phoneAgain: `${ASA_PHONE.slice(0, 6)} ${ASA_PHONE.slice(6)}`,
  });
  const done = await visit(claim.target, 'support');
  for (const words of ['Invo reports the transfer as collected.', 'Ends in 78']) expect(done.text).toContain(words);
  // Its answer proves nothing: beside an unknown outcome HTTP 200 would read as a success.
  expect([done.text.includes('No clear answer'), done.text.includes('HTTP 200')]).toEqual([true, false]);
  return claim;
}

/** Every column of every table, what was logged, and pages and files as they are read now. */
async function readEverything(actionPages: string[]): Promise<FoundText[]> {
  const { data } = inject('sharebook');
  const players = ['910023', GUS.playerId, DARA.playerId, BREE.playerId].map((id) => `/demo/players/${id}`);
  const addresses = [
    ...actionPages,
    ...players,
    ...players.map((player) => `${player}/transfers`),
    '/demo/players/910023/loyalty',
    '/demo/actions',
    '/demo/transfers',
    '/demo/transfers/TRF_IN',
    '/audit',
    DESK_SETTINGS,
    '/demo/lists/actions/file',
    '/audit/export',
    '/metrics',
  ];
  const read: FoundText[] = [];
  for (const address of addresses)
    for (const role of ['support', 'admin'] as const) {
      const answer = await request(address, role);
      if (answer.status === 200) read.push([`${role} ${address}`, await answer.text()]);
    }
  expect(read.length).toBeGreaterThan(addresses.length);
  const stored = await withDatabase('DATABASE_URL', readStoredTexts);
  return [...read, ...stored, ['log', fs.readFileSync(path.join(data, LOG_FILE), 'utf8')]];
}

async function withDatabase<T>(login: 'DATABASE_URL' | 'DATABASE_MIGRATE_URL', work: (database: pg.Client) => Promise<T>): Promise<T> {
  const { data, settings } = inject('sharebook');
  const { env, stop } = await join(data, settings);
  const database = new pg.Client({ connectionString: env[login] });
  await database.connect();
  try {
    return await work(database);
  } finally {
    await database.end();
    await stop();
  }
}
