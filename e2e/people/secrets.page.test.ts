import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type DemoRole, ROLES } from '../pages/demo-people.ts';
import { readSecrets } from '../pages/simulated-invo.ts';
import { request, visit } from '../pages/visit.ts';

const MONTH = '/demo/months/2026-10';
const PAGES = [
  '/demo/months',
  MONTH,
  `${MONTH}/reversals`,
  `${MONTH}/lines`,
  `${MONTH}/open-items`,
  `${MONTH}/reconciliation`,
  '/demo/recipients',
  '/demo/recipients/9009',
  '/settings',
];
const REST = [
  '/demo/lists/recipients/rows?month=2026-10',
  `${MONTH}/export/recipients`,
  `${MONTH}/export/recipients.manifest.json`,
  '/demo/lists/all-recipients/rows',
  '/demo/jobs/pull/1',
  '/metrics',
  '/readyz',
];
const MAY_READ_EMAILS: Record<DemoRole, boolean> = { finance: true, support: true, auditor: true, admin: true, viewer: false };

test.each(ROLES)('no response to %s contains a secret, nor an email that the role may not read', async (role) => {
  const secrets = Object.entries(readSecrets());
  expect(secrets.length).toBeGreaterThanOrEqual(4);
  for (const address of [...PAGES, ...REST]) {
    const answer = await request(address, role);
    const text = await answer.text();
    if (PAGES.includes(address)) expect(answer.status, address).toBe(200);
    for (const [name, secret] of secrets) expect(text.includes(secret), `${name} in ${address}`).toBe(false);
    if (!MAY_READ_EMAILS[role]) expect(text, address).not.toMatch(/[\w.]{2,}@creators\.example/);
  }
});

test('a viewer gets no email and no secret in the bytes that the tables of a month load beside their pages', async () => {
  const snapshot = (await visit(MONTH, 'viewer')).links.find((link) => /^snapshot \d+$/.test(link))?.replace('snapshot ', '');
  const sheets = ['recipients', 'reversals', 'renewals'];
  for (const part of [...sheets, ...sheets.map((sheet) => `${sheet}-orders`), 'comparison', 'addresses']) {
    const answer = await request(`${MONTH}/table/${part}?snapshot=${snapshot}`, 'viewer');
    expect(answer.status, part).toBe(200);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const text = (answer.headers.get('content-type') === 'application/gzip' ? gunzipSync(bytes) : bytes).toString();
    expect(text, part).not.toContain('@creators.example');
    for (const [name, secret] of Object.entries(readSecrets())) expect(text.includes(secret), `${name} in ${part}`).toBe(false);
    if (part === 'recipients') expect(text).toContain('Aurora Vale');
    if (part === 'addresses') expect(text).toContain('•••@');
  }
});

test.each([
  '/demo/lists/recipients/rows?month=2026-10',
  '/demo/months/2026-10/export/recipients',
  '/demo/jobs/pull/1',
  '/demo/lists/all-recipients/rows',
])('%s is refused without a session', async (address) => {
  const answer = await request(address, null);
  expect([307, 401]).toContain(answer.status);
  expect(await answer.text()).not.toContain('Aurora');
});

test.each(['/demo/months', '/demo/months/2026-10', '/demo/months/2026-10/reconciliation', '/settings', '/demo/recipients/9009'])(
  '%s has a strict content policy and no secret',
  async (address) => {
    const answer = await request(address, 'admin');
    expect(answer.headers.get('content-security-policy')).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic'/);
    expect(answer.headers.get('cache-control')).toContain('no-store');
    expect(await answer.text()).not.toMatch(/X-Game-Secret-Key|INVO_GAME_SECRET|gameSecret/);
  },
);
