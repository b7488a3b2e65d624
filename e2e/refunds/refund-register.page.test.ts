import { beforeAll, expect, test, vi } from 'vitest';
import { request, requestRefund, visit } from '../pages/visit.ts';

const PERIOD = '/demo/periods/2024128016/refund';
let refund = '';

beforeAll(async () => {
  refund = await requestRefund(2024128016);
  const isRefunded = async (): Promise<void> => expect((await visit(refund, 'support')).statuses).toContain('Refunded');
  await vi.waitFor(isRefunded, { timeout: 30_000, interval: 200 });
});

test('finance exports the register as a file, and support can’t', async () => {
  expect((await visit('/demo/refunds?show=landed', 'finance')).link('Export these rows')).toBe('/demo/lists/refunds/file?chip=landed');
  const file = await request('/demo/lists/refunds/file?chip=landed', 'finance');
  expect(file.headers.get('content-disposition')).toMatch(/demo-refunds-2026-.*Z\.filtered\.csv/);
  const lines = (await file.text()).split('\r\n');
  expect(lines[0]).toMatch(/^game,environment,refund_id,client_request_id,state,/);
  expect(lines[1]).toMatch(/^demo,production,\d+,[^,]+,landed,SUB_/);
  const register = await visit('/demo/refunds', 'support');
  expect(register.table('refunds').links).toContain(`Refund ${refund.split('/').at(-1)}`);
  expect(register.links).not.toContain('Export these rows');
  expect((await request('/demo/lists/refunds/file', 'support')).status).toBe(403);
});

test('a viewer reads the register and the refunds, without emails, and has no actions', async () => {
  const register = await visit('/demo/refunds', 'viewer');
  expect(register.table('refunds').link(`Refund ${refund.split('/').at(-1)}`)).toBe(refund);
  expect(register.buttons.filter((name) => /Pause|resume/i.test(name))).toEqual([]);
  const page = await visit(refund, 'viewer');
  expect(page.statuses).toContain('Refunded');
  expect(page.regions('Actions').length === 0 || page.region('Actions').buttons.length === 0).toBe(true);
  expect(page.main.text).not.toContain('@');
  expect((await visit(PERIOD, 'viewer')).regions('Estimated effects')).toEqual([]);
});
