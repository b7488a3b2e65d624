// @module-tag no-retry

import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SmtpBehaviour, type SmtpServer, startSmtpServer } from '#e2e/support/notices/smtp-server.ts';
import { seedFinance } from '#e2e/support/payouts/close-month.ts';
import { proofCases } from '#e2e/support/proof.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import type { OpenGame } from '../games/open-game.ts';
import { setReaches } from './announce.ts';
import { type Mailer, openMailer } from './open-mailer.ts';
import { sendMails, sweepMails } from './send-mails.ts';
import { insertNotice } from './writes.ts';

let testEnv: TestEnvironment;
let game: OpenGame;
let ada: { id: string; email: string };
const servers: SmtpServer[] = [];

beforeEach(async () => {
  testEnv = await openTestEnvironment();
  game = await testEnv.game();
  ada = await seedFinance(testEnv, 'ada');
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await testEnv.close();
});

async function startServer(behaviour: SmtpBehaviour = {}): Promise<{ server: SmtpServer; mailer: Mailer }> {
  const server = await startSmtpServer(behaviour);
  servers.push(server);
  return { server, mailer: openMailer({ url: server.url, from: 'Sharebook <books@studio.example>' }) };
}

/** Announces that a month is ready, to every finance person. */
async function announce(subject = '2026-10'): Promise<void> {
  await insertNotice(game.db, { gameId: game.gameId, kind: 'month_ready', subject, windowStart: '2026-10-01T00:00:00Z', actorId: null });
}

const send = (mailer: Mailer | 'outbox'): Promise<void> =>
  sendMails(game, mailer, { origin: 'https://books.studio.example', signal: new AbortController().signal });

async function listDeliveries(): Promise<
  { mail_state: string; mail_attempt_count: number; mail_error: string | null; wait_s: number | null }[]
> {
  const { rows } = await testEnv.pool.query(
    `select mail_state, mail_attempt_count, mail_error, round(extract(epoch from mail_next_at - mail_tried_at))::int as wait_s
     from notice_delivery order by notice_id, person_id`,
  );
  return rows;
}

const dueNow = (): Promise<unknown> =>
  testEnv.pool.query(`update notice_delivery set mail_next_at = clock_now() where mail_state = 'waiting'`);

test('a notice is emailed once, in plain text, with the month and a link, and with no email address but the reader’s own', async () => {
  const { server, mailer } = await startServer();
  await announce();
  await send(mailer);
  await send(mailer);
  expect(await listDeliveries()).toEqual([{ mail_state: 'sent', mail_attempt_count: 1, mail_error: null, wait_s: null }]);
  expect(server.received).toHaveLength(1);
  const [mail] = server.received;
  expect(mail?.to).toBe(ada.email);
  expect(mail?.text).toContain('Subject: Demo: October 2026 is ready to close');
  expect(mail?.text).toContain('From: Sharebook <books@studio.example>');
  expect(mail?.text).toContain('Content-Type: text/plain');
  expect(mail?.text).toContain('https://books.studio.example/demo/months/2026-10/close');
  expect([...new Set(mail?.text.match(/[\w.-]+@studio\.example/g))].toSorted()).toEqual([ada.email, 'books@studio.example'].toSorted());
});

test('without a mail server nothing is sent and the notice waits in Sharebook', async () => {
  await announce();
  await sweepMails(game);
  expect(await listDeliveries()).toMatchObject([{ mail_state: 'waiting', mail_attempt_count: 0 }]);
});

test('a refused address is recorded and not tried again', async () => {
  const { server, mailer } = await startServer({ rcpt: () => '550 5.1.1 no such mailbox' });
  await announce();
  await send(mailer);
  await send(mailer);
  expect(await listDeliveries()).toEqual([{ mail_state: 'refused', mail_attempt_count: 1, mail_error: '550', wait_s: null }]);
  expect(server.received).toEqual([]);
});

test('a temporary refusal is tried again, later each time, until the server accepts', async () => {
  let refusals = 2;
  const { server, mailer } = await startServer({ rcpt: () => (refusals-- > 0 ? '451 try later' : null) });
  await announce();
  await send(mailer);
  expect(await listDeliveries()).toEqual([{ mail_state: 'waiting', mail_attempt_count: 1, mail_error: '451', wait_s: 60 }]);
  await send(mailer);
  expect((await listDeliveries())[0], 'not before its time').toMatchObject({ mail_attempt_count: 1 });
  await dueNow();
  await send(mailer);
  expect(await listDeliveries()).toMatchObject([{ mail_state: 'waiting', mail_attempt_count: 2, wait_s: 120 }]);
  await dueNow();
  await send(mailer);
  expect(await listDeliveries()).toMatchObject([{ mail_state: 'sent', mail_attempt_count: 3, mail_error: null }]);
  expect(server.received).toHaveLength(1);
});

test.each(
  proofCases(2, [
    ['the sender is refused', { mail: () => '550 unknown sender' }, '550'],
    ['the message is deferred', { message: () => '451 busy' }, '451'],
  ]),
)('when %s the email is tried again', async (_, behaviour, error) => {
  const { mailer } = await startServer(behaviour);
  await announce();
  await send(mailer);
  expect(await listDeliveries()).toMatchObject([{ mail_state: 'waiting', mail_attempt_count: 1, mail_error: error }]);
});

test('a server that can’t be reached is tried again', async () => {
  const { server, mailer } = await startServer();
  await server.close();
  await announce();
  await send(mailer);
  expect(await listDeliveries()).toMatchObject([{ mail_state: 'waiting', mail_attempt_count: 1, wait_s: 60 }]);
});

test('when the answer to the message is lost, the email is not sent a second time', async () => {
  const { server, mailer } = await startServer({ message: () => 'drop' });
  await announce();
  await send(mailer);
  await sweepMails(game);
  await send(mailer);
  expect(await listDeliveries()).toMatchObject([{ mail_state: 'unknown', mail_attempt_count: 1, wait_s: null }]);
  expect(server.received).toHaveLength(1);
});

test('an email that a process was sending when it died is not sent a second time', async () => {
  const { server, mailer } = await startServer();
  await announce();
  await testEnv.pool.query(
    `update notice_delivery set mail_state = 'sending', mail_next_at = null, mail_attempt_count = 1, mail_tried_at = clock_now() - interval '1 minute'`,
  );
  await sweepMails(game);
  expect(await listDeliveries(), 'its process may still be at it').toMatchObject([{ mail_state: 'sending' }]);
  await testEnv.pool.query(`update notice_delivery set mail_tried_at = clock_now() - interval '1 hour'`);
  await sweepMails(game);
  await send(mailer);
  expect(await listDeliveries()).toMatchObject([{ mail_state: 'unknown', mail_attempt_count: 1 }]);
  expect(server.received).toEqual([]);
});

test('four workers at once send each email once, each with its own message id', async () => {
  const { server, mailer } = await startServer();
  for (let month = 1; month <= 9; month++) await announce(`2026-0${month}`);
  await Promise.all([mailer, mailer, mailer, mailer].map(send));
  expect(server.received).toHaveLength(9);
  expect(new Set(server.received.map(({ text }) => /^Message-ID: (.*)$/m.exec(text)?.[1])).size).toBe(9);
  expect(new Set((await listDeliveries()).map(({ mail_state }) => mail_state))).toEqual(new Set(['sent']));
});

test('the message id of a repeated email is the same', async () => {
  let isBusy = true;
  const { server, mailer } = await startServer({ message: () => (isBusy ? '451 busy' : null) });
  await announce();
  await send(mailer);
  isBusy = false;
  await dueNow();
  await send(mailer);
  const ids = server.received.map(({ text }) => /^Message-ID: (.*)$/m.exec(text)?.[1]);
  expect(ids).toHaveLength(2);
  expect(ids[0]).toMatch(/^<.+@books\.studio\.example>$/);
  expect(ids[1]).toBe(ids[0]);
});

test.each(
  proofCases(2, [
    ['is disabled', `update person set disabled_at = clock_now()`, 'off'],
    ['no longer has the role finance', `update person set roles = '{viewer}'`, 'off'],
    ['switched the kind off', `insert into notice_setting select id, 'month_ready', 'product' from person`, 'off'],
    ['got it a day ago', '', 'expired'],
  ]),
)('nobody is emailed who %s meanwhile', async (_, change, state) => {
  const { server, mailer } = await startServer();
  await announce();
  if (change === '') await testEnv.pool.query('alter table notice disable trigger notice_kept');
  await testEnv.pool.query(change || `update notice set occurred_at = clock_now() - interval '25 hours'`);
  await send(mailer);
  expect(await listDeliveries()).toMatchObject([{ mail_state: state, mail_attempt_count: 0 }]);
  expect(server.received).toEqual([]);
});

test('a person who switched emails of a kind off still sees it, and one who switched the kind off doesn’t', async () => {
  const bea = await seedFinance(testEnv, 'bea');
  await setReaches(testEnv.db, ada, { month_ready: 'product' });
  await setReaches(testEnv.db, bea, { month_ready: 'off' });
  await announce();
  const { rows } = await testEnv.pool.query('select person_id, mail_state from notice_delivery');
  expect(rows).toEqual([{ person_id: ada.id, mail_state: 'off' }]);
});

test('in simulated mode emails go to an outbox and to no server', async () => {
  await announce();
  await send('outbox');
  expect(await listDeliveries()).toMatchObject([{ mail_state: 'sent', mail_attempt_count: 1 }]);
});
