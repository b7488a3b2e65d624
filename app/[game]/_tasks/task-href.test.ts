import { expect, test } from 'vitest';
import { ACTIONS } from '#lib/actions/reads/list-actions.ts';
import { REFUNDS } from '#lib/refunds/reads/list-refunds.ts';
import { TASK_KINDS, type Task } from '#lib/tasks/rules/task.ts';
import { DELIVERIES } from '#lib/webhooks/reads/list-deliveries.ts';
import { taskHref } from './task-table.tsx';

const CHIPS: Record<string, { key: string }[]> = { refunds: REFUNDS.chips, webhooks: DELIVERIES.chips, actions: ACTIONS.chips };
const task = (kind: Task['kind']): Task => ({
  kind,
  count: 2,
  ownCount: 0,
  amount_usd: null,
  since: '2026-11-01T00:00:00Z',
  runNo: null,
  windowStart: null,
  itemId: 7,
});

test('several tasks of a kind lead to their list, with a filter that it has', () => {
  const led = TASK_KINDS.map((kind) => new URL(taskHref({ slug: 'demo', timeZone: 'UTC' }, task(kind)), 'http://localhost'));
  const filtered = led.filter(({ pathname, search }) => search !== '' && Object.hasOwn(CHIPS, pathname.split('/')[2] ?? ''));
  expect(filtered.length).toBeGreaterThan(6);
  for (const { pathname, searchParams, search } of filtered)
    expect([pathname, search, CHIPS[pathname.split('/')[2] ?? '']?.some(({ key }) => key === searchParams.get('show'))]).toEqual([
      pathname,
      search,
      true,
    ]);
});
