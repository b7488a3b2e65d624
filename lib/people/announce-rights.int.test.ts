import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SmtpServer, startSmtpServer } from '#e2e/support/notices/smtp-server.ts';
import { confirmAsShown, readAudit, seedPerson } from '#e2e/support/people/seed-people.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { seedFactor } from '#e2e/support/two-factor/seed-factor.ts';
import { setReaches } from '#lib/notices/announce.ts';
import { listNotices } from '#lib/notices/reads.ts';
import { requireFactor, resetFactor } from '#lib/two-factor/manage-factors.ts';
import type { OpenGame } from '../games/open-game.ts';
import { openMailer } from '../notices/open-mailer.ts';
import { sendMails } from '../notices/send-mails.ts';
import { formatNotice } from '../notices/text.ts';
import { mailLink } from './mail-link.ts';
import { addPerson, changeRoles, disablePerson, enablePerson, resetPasswordLink } from './manage-people.ts';
import { approveRoles, confirmAsOperator } from './second-person.ts';

const DAY = { accountWait_hours: 24 };
let testEnv: TestEnvironment;
let game: OpenGame;
let server: SmtpServer;
let [ada, fin, gus, vera] = ['', '', '', ''];
beforeAll(async () => {
  testEnv = await openTestEnvironment();
  game = await testEnv.game();
  server = await startSmtpServer();
  const { db } = testEnv;
  ada = await seedPerson(db, 'ada@studio.example', ['admin']);
  fin = await seedPerson(db, 'fin@studio.example', ['finance']);
  gus = await seedPerson(db, 'gus@studio.example', ['admin']);
  vera = await seedPerson(db, 'vera@studio.example', ['viewer']);
});
afterAll(async () => {
  await server.close();
  await testEnv.close();
});

test('each change of rights is a notice of its own kind to everyone with the role finance or admin but who did it, on the page and by email', async () => {
  const { db } = testEnv;
  const sol = await seedPerson(db, 'sol@studio.example', 'support');
  await seedFactor(db, sol);
  const ids = { actorId: ada, personId: sol };
  await addPerson(db, { actorId: ada, email: 'nora@studio.example', name: 'Nora', roles: ['viewer'] });
  await resetPasswordLink(db, ids, { isMailed: true });
  await resetFactor(db, ids, DAY);
  await confirmAsShown(db, { actorId: fin, personId: sol });
  await changeRoles(db, { ...ids, roles: ['finance'] }, DAY);
  await approveRoles(db, { actorId: fin, personId: sol, roles: ['finance'] }, DAY);
  await changeRoles(db, { ...ids, roles: ['viewer'] }, DAY);
  await disablePerson(db, ids);
  await enablePerson(db, ids, DAY);
  await confirmAsOperator(db, 'sol@studio.example', DAY);
  await requireFactor(db, { actorId: ada, roles: ['support'] });
  await requireFactor(db, { actorId: ada, roles: [] });

  const listOf = async (personId: string): Promise<string[]> =>
    (await listNotices(db, personId, 100)).notices
      .map((notice) => `${formatNotice(notice).title} | ${notice.actorName ?? 'operator'}`)
      .toReversed();
  const all = [
    'Nora was invited | ada',
    'A password link was created for sol | ada',
    'Two-factor authentication of sol was reset | ada',
    'sol’s account was confirmed | fin',
    'Roles of sol wait for approval | ada',
    'Roles of sol were changed | fin',
    'Roles of sol were changed | ada',
    'sol was disabled | ada',
    'sol was enabled again | ada',
    'sol’s account was confirmed | operator',
    'Two-factor authentication: the requirement was changed | ada',
    'Two-factor authentication: the requirement was changed | ada',
  ];
  expect(await listOf(gus)).toEqual(all);
  expect(await listOf(fin)).toEqual(all.filter((title) => !title.endsWith('| fin')));
  expect(await listOf(ada)).toEqual(all.filter((title) => !title.endsWith('| ada')));
  expect(await listOf(vera)).toEqual([]);
  expect(await listOf(sol), 'a person learns what was done about their own account').toEqual(all.slice(1, -2));
  const turnedOff = (await listNotices(db, gus, 1)).notices.map((notice) => formatNotice(notice).sentence);
  expect(turnedOff).toEqual(['ada changed it: no role needs it now.']);

  const mailer = openMailer({ url: server.url, from: 'books@studio.example' });
  await sendMails(game, mailer, { origin: 'https://books.studio.example', signal: new AbortController().signal });
  const mails = server.received.filter(({ to }) => to.includes('gus@studio.example'));
  expect(mails).toHaveLength(all.length);
  expect(mails.find(({ text }) => text.includes('Subject: Sharebook: A password link was created for sol'))?.text).toContain(
    'Ask sol whether they wanted it.',
  );
});

test('an emailed password link reaches its person alone, and a refusal of the mail server is known', async () => {
  const link = 'https://books.studio.example/set-up?token=abc';
  const mail = { to: 'fin@studio.example', link, origin: 'https://books.studio.example', messageId: '<link-1@books.studio.example>' };
  const before = server.received.length;
  expect(await mailLink({ url: server.url, from: 'books@studio.example' }, mail)).toEqual({ state: 'sent' });
  const [received, ...others] = server.received.slice(before);
  expect(others).toEqual([]);
  expect(received?.to).toContain('fin@studio.example');
  expect(received?.text.replaceAll('=3D', '=')).toContain(link);
  const refusing = await startSmtpServer({ rcpt: () => '550 no such user' });
  expect(await mailLink({ url: refusing.url, from: 'books@studio.example' }, mail)).toMatchObject({ state: 'refused' });
  await refusing.close();
});

test('a person who loses the role finance or is disabled gets the notice of it and of what follows, and nobody can switch these off', async () => {
  const { db } = testEnv;
  const ben = await seedPerson(db, 'ben@studio.example', 'finance');
  const titlesOf = async (personId: string) => (await listNotices(db, personId, 100)).notices.map((notice) => formatNotice(notice).title);
  // Stored when a kind about rights could be switched off.
  await testEnv.pool.query(`insert into notice_setting (person_id, kind, reach) values ($1, 'roles_changed', 'off')`, [ben]);
  await resetPasswordLink(db, { actorId: ada, personId: vera }, { isMailed: false });
  await changeRoles(db, { actorId: ada, personId: ben, roles: ['viewer'] }, DAY);
  await resetPasswordLink(db, { actorId: ada, personId: ben }, { isMailed: false });
  await disablePerson(db, { actorId: ada, personId: ben });
  expect(await titlesOf(ben)).toEqual([
    'ben was disabled',
    'A password link was created for ben',
    'Roles of ben were changed',
    'A password link was created for vera',
  ]);
  expect((await listNotices(db, ben, 1)).reaches).toMatchObject({ roles_changed: 'product', password_link: 'email' });
});

test('a change of notice settings is in the audit, with what changed', async () => {
  const { db } = testEnv;
  const actor = { id: gus, email: 'gus@studio.example' };
  await setReaches(db, actor, { password_link: 'product', month_ready: 'email' });
  await setReaches(db, actor, { password_link: 'product' });
  expect((await readAudit(db)).filter(({ act }) => act === 'changed notice settings')).toEqual([
    {
      actor: actor.email,
      act: 'changed notice settings',
      subject: actor.email,
      detail: { password_link: { before: 'email', after: 'product' } },
    },
  ]);
});

test('older notices follow page by page, so that many harmless ones hide none', async () => {
  const { db } = testEnv;
  await resetPasswordLink(db, { actorId: ada, personId: fin }, { isMailed: false });
  for (let count = 0; count < 5; count++) await resetPasswordLink(db, { actorId: ada, personId: ada }, { isMailed: false });
  const all = (await listNotices(db, gus, 1_000)).notices.map(({ noticeId }) => noticeId);
  const paged: number[] = [];
  for (let page = await listNotices(db, gus, 3); paged.length < all.length; page = await listNotices(db, gus, 3, page.notices.at(-1))) {
    paged.push(...page.notices.map(({ noticeId }) => noticeId));
    if (!page.hasMore) break;
  }
  expect(paged).toEqual(all);
});
