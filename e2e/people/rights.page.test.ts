import { expect, inject, test } from 'vitest';
import { makeToken, sessionCookieName, signToken } from '#lib/people/session-token.ts';
import { DEMO, ROLES } from '../pages/demo-people.ts';
import { ShownPage } from '../pages/shown-page.ts';
import { control, readSecrets } from '../pages/simulated-invo.ts';
import { request, send, visit } from '../pages/visit.ts';

// What a role has no page, link or button for. Each action and route checks by itself, too: lib/people, app/_server.

test('a made-up link shows that it isn’t valid', async () => {
  expect((await visit('/set-up?token=made-up', null)).heading).toBe('This link is not valid');
});

test('a session that doesn’t exist leads to the sign-in page', async () => {
  const value = signToken(makeToken(), readSecrets()['auth'] ?? '');
  const answer = await request('/demo/months', null, { cookie: `${sessionCookieName(inject('sharebook').origin)}=${value}` });
  expect(answer.headers.get('location')).toMatch(/^\/sign-in\b|\/sign-in\?/);
});

test('a browser without JavaScript posts the sign-in form: a wrong password is refused in a sentence, and the right one leads on', async () => {
  const { origin } = inject('sharebook');
  const path = '/sign-in?next=%2Fdemo%2Frecipients';
  const form = (await visit(path, null)).forms.find(({ password }) => password !== undefined) ?? {};
  const post = async (password: string): Promise<Response> => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...form, email: DEMO.auditor.email, password })) body.append(name, value);
    return await fetch(new URL(path, origin), { method: 'POST', body, redirect: 'manual', headers: { origin } });
  };
  const refused = await post('not the password');
  const page = new ShownPage({ status: refused.status, path, html: await refused.text() });
  expect(page.statuses).toContain('Incorrect email or password. An admin can send you a new password link.');
  const signedIn = await post('simulated data only');
  expect([signedIn.status, new URL(signedIn.headers.get('location') ?? '', origin).pathname]).toEqual([303, '/demo/recipients']);
  expect(signedIn.headers.getSetCookie().join()).toContain(sessionCookieName(origin));
});

test.each(ROLES)('one click signs anyone in as the demo person of %s', async (role) => {
  const page = await visit('/demo/months', role);
  const sidebar = page.element.querySelector('aside[aria-label="Sidebar"], [role="complementary"][aria-label="Sidebar"]')?.text ?? '';
  expect(sidebar).toContain(DEMO[role].name);
  expect(sidebar).toContain(DEMO[role].label);
});

test('finance sees its own role in the settings and no other person', async () => {
  const page = await visit('/settings', 'finance');
  expect(page.text).toContain('Signed in as Fiona Hale (finance@starfall.example).');
  expect(page.headings()).not.toContain('People');
  expect(page.text).not.toContain('viewer@starfall.example');
});

test.each([
  ['viewer', { Close: ['Months', 'Payouts', 'Recipients'], Desk: ['Refunds'], System: ['Settings'] }],
  [
    'support',
    { Close: ['Months', 'Payouts', 'Recipients'], Desk: ['Players', 'Refunds', 'Actions', 'Transfers'], System: ['Webhooks', 'Settings'] },
  ],
  [
    'finance',
    {
      Close: ['Overview', 'Months', 'Payouts', 'Recipients'],
      Desk: ['Players', 'Refunds', 'Actions', 'Transfers', 'Balances'],
      System: ['Webhooks', 'Exceptions', 'Audit', 'Settings'],
    },
  ],
] as const)('the navigation of %s lists the pages they may open in three groups', async (role, groups) => {
  const navigation = (await visit('/demo/months', role)).region('Main');
  for (const [name, pages] of Object.entries(groups)) {
    const links = navigation.region(name).element.querySelectorAll('a');
    // A badge follows the name.
    expect(
      links.map(({ childNodes }) => childNodes[0]?.text),
      name,
    ).toEqual(pages);
  }
});

test('single keys are on until a person switches them off, and can switch them on again', async () => {
  const isOff = async (): Promise<boolean> =>
    (await visit('/settings/account', 'viewer')).element.querySelector('[data-single-keys="off"]') !== null;
  expect(await isOff()).toBe(false);
  await send('setShortcutsAction', '/settings/account', { hasShortcuts: 'no' }, 'viewer');
  expect(await isOff()).toBe(true);
  expect((await visit('/settings/account', 'viewer')).buttons).toContain('Switch single keys on');
  await send('setShortcutsAction', '/settings/account', { hasShortcuts: 'yes' }, 'viewer');
  expect(await isOff()).toBe(false);
});

test('support can open its own notices', async () => {
  expect((await visit('/demo/months', 'support')).links).toContain('Notices');
  expect((await request('/notices', 'support')).status).toBe(200);
});

test('a viewer has no webhooks', async () => {
  expect((await visit('/demo/months', 'viewer')).links).not.toContain('Webhooks');
  for (const path of ['/demo/webhooks', '/demo/lists/deliveries/rows?sort=received_at&dir=desc', '/demo/lists/deliveries/file'])
    expect((await request(path, 'viewer')).status, path).toBe(403);
});

test('support has no balance files', async () => {
  expect((await visit('/demo/months', 'support')).links).not.toContain('Balances');
  for (const path of ['/demo/balances', '/demo/balances/withdrawals', '/demo/balances/1/csv'])
    expect((await request(path, 'support')).status, path).toBe(403);
  const { origin } = inject('sharebook');
  const posted = await request('/demo/balances/list', 'support', { origin }, 'ana@players.example');
  expect(posted.status).toBe(403);
});

test('an auditor can’t change a subscription', async () => {
  const address = '/demo/subscriptions/SUB_1733392800_DESKMIRA/cancel';
  expect((await request(address, 'auditor')).status).toBe(403);
  const page = await visit(address, 'auditor');
  expect(page.buttons).not.toContain('Cancel subscription…');
  expect(page.headings(1)).not.toContain('Cancel subscription');
});

test.each([
  [2021128013, 'This period was charged through the game store. Invo can’t refund store charges; the player must ask the store.'],
  [2026118012, 'No payment was collected for this period, so there is nothing to refund.'],
])('a period that can’t be refunded shows the reason instead of a form (%d)', async (period, reason) => {
  const page = await visit(`/demo/periods/${period}/refund`, 'support');
  expect(page.text).toContain(reason);
  expect(page.buttons.filter((name) => name.startsWith('Refund'))).toEqual([]);
});

test('when the period can’t be read from Invo there is no form, and support can try again', async () => {
  const path = '/demo/periods/2024128007/refund';
  await control('faults', { kind: '500', match: { route: 'period' }, times: 2 });
  const page = await visit(path, 'support');
  expect(page.text).toContain('Can’t start a refund: the period couldn’t be read from Invo');
  expect(page.regions('Estimated effects')).toEqual([]);
  expect(page.buttons).toContain('Try again');
  await control('faults', {}, 'DELETE');
  expect((await visit(path, 'support')).regions('Estimated effects')).toHaveLength(1);
});

test('a period that was paid from the wallet is refunded in coins only', async () => {
  expect((await visit('/demo/periods/2024128013/refund', 'support')).text).toContain('Refundable in coins only.');
});
