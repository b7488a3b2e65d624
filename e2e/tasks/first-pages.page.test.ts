import { expect, test } from 'vitest';
import { DEMO, ROLES } from '../pages/demo-people.ts';
import { request, visit } from '../pages/visit.ts';

test('everyone lands on the first page of their role, and its entry leads the way back', async () => {
  const landed = await Promise.all(ROLES.map(async (role) => [role, (await visit('/demo', role)).heading]));
  expect(Object.fromEntries(landed)).toEqual({
    finance: 'Overview',
    support: 'Players',
    auditor: 'Exceptions',
    viewer: 'Months',
    admin: 'Overview',
  });
  expect((await visit('/', 'auditor')).path).toBe('/demo/exceptions');
  const entries = async (role: 'support' | 'viewer' | 'admin') =>
    (await visit('/demo/months', role)).links.filter((link) => /^(Overview|Players|Exceptions)/.test(link));
  expect(await entries('support')).toEqual(['Players']);
  expect(await entries('viewer')).toEqual([]);
  expect(await entries('admin')).toEqual(['Overview', 'Players', 'Exceptions']);
});

test('pages of other roles stay closed', async () => {
  expect((await request('/demo/players', 'viewer')).status).toBe(403);
  expect((await request('/demo/exceptions', 'support')).status).toBe(403);
  expect((await request('/demo/lists/exceptions/rows?sort=at&dir=desc&limit=50', 'support')).status).toBe(403);
});

test('Overview has the tasks with one button each, the open month, the last one and the coverage', async () => {
  const page = await visit('/demo', 'finance');
  const tasks = page.main.region('Tasks');
  expect(tasks.columns).toEqual(['Task', 'Count', 'USD', 'Oldest', 'Action']);
  expect(tasks.rows.length).toBeGreaterThan(0);
  expect(page.main.region(/so far$/).text).toContain('Gross');
  expect(page.main.region(/from attributed to paid$/).links).toEqual(['Gross', 'Reversed', 'Net attributed', 'Payable', 'Paid']);
  expect(page.main.region('Coverage').items).toHaveLength(14);
  expect(page.main.region('Coverage').text).toMatch(/months complete · chains (not verified yet|verified (just now|\d+ .* ago))/);
});

test('Exceptions list unusual acts by period with their proof, and export the same rows', async () => {
  const page = await visit('/demo/exceptions', 'auditor');
  // Notes are part of most closes: the list begins without them.
  expect(page.main.button('Without notes').element.getAttribute('aria-pressed')).toBe('true');
  expect(page.main.buttons.slice(page.main.buttons.indexOf('Without notes')).slice(0, 2)).toEqual(['Without notes', 'All']);
  expect(page.main.text).toMatch(/No exceptions under “Without notes”|matching exceptions?/);
  expect(page.main.region('Proof').text).toMatch(/Chain of snapshots.*link \d+.*Chain of the audit.*link/);
  const file = async (query: string): Promise<string[]> =>
    (await (await request(`/demo/lists/exceptions/file${query}`, 'auditor')).text()).trimEnd().split('\r\n');
  const [head, ...rows] = await file('');
  expect(head).toBe('game,environment,audit_id,at,kind,act,actor,subject,detail');
  const counted = await request('/demo/lists/exceptions/rows?sort=at&dir=desc&limit=50', 'auditor');
  // Taking the file is no exception itself.
  expect(((await counted.json()) as { total: { count: number } }).total.count).toBe(rows.length);
  expect(await file('?period=2001')).toHaveLength(1);
});

test('an export that is incomplete is an exception, and one that is whole isn’t', async () => {
  const exported = async (month: string): Promise<string> => {
    const { headers } = await request(`/demo/months/${month}/export/reversals?incomplete=1`, 'auditor');
    return /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? '';
  };
  const [open, whole] = [await exported('2026-11'), await exported('2026-10')];
  expect([open, whole]).toEqual([expect.stringContaining('.incomplete.csv'), expect.not.stringContaining('incomplete')]);
  const listed = await (await request('/demo/lists/exceptions/file?chip=evidence', 'auditor')).text();
  expect(listed).toContain(`evidence,took a file,${DEMO.auditor.email},${open}`);
  expect(listed).not.toContain(whole);
});

test('a player that I opened is on my first page, and on nobody else’s', async () => {
  await visit('/demo/players/500041', 'support');
  await expect.poll(async () => (await visit('/demo/players', 'support')).main.text).toContain('500041');
  expect((await visit('/demo/players', 'auditor')).main.text).not.toContain('500041');
});
