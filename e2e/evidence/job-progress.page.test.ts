import { expect, test } from 'vitest';
import type { DemoRole } from '../pages/demo-people.ts';
import { request } from '../pages/visit.ts';

test('the progress of a pull names its state and not the person who requested it', async () => {
  const answer = await request('/demo/jobs/pull/1', 'viewer');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await answer.json()).toMatchObject({ pullId: 1, state: 'done', requestedBy: '', endedAt: expect.any(String) });
});

test.each<[string, DemoRole | null, number, string]>([
  ['pull/1', null, 401, 'Sign in first.'],
  ['pull/0', 'viewer', 404, 'Pull “0” not found.'],
  ['pull/999999', 'viewer', 404, 'Pull “999999” not found.'],
  ['details/999999', 'viewer', 404, 'Job “999999” not found.'],
  ['details/1e3', 'viewer', 404, 'Job “1e3” not found.'],
  ['balances/1', 'support', 403, 'Your role can’t read this.'],
  ['balances/999999', 'auditor', 404, 'Balance file “999999” not found.'],
  ['constructor/1', 'viewer', 404, 'No jobs of the kind “constructor”.'],
])('the progress of %s is refused to %s with %d', async (job, role, status, error) => {
  const answer = await request(`/demo/jobs/${job}`, role);
  expect([answer.status, await answer.json()]).toEqual([status, { error }]);
});

test.each(['/demo/jobs/statements/999', '/demo/jobs/statements/x', '/nowhere/jobs/pull/1'])('%s isn’t found', async (path) => {
  expect((await request(path)).status).toBe(404);
});
