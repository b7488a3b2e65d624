import { afterEach, expect, test } from 'vitest';
import { control } from '../pages/simulated-invo.ts';
import { visit } from '../pages/visit.ts';

afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

const visitPeriod = async (period: number | string) => await visit(`/demo/periods/${period}`, 'auditor');

test('I see where the money of a period went, with every fee and a negative result unclamped', async () => {
  const page = await visitPeriod(2026100002);
  expect(page.heading).toBe('Period 2026100002');
  // 30.00 less 3.00 is 27.00; less 0.75, 15.00 and 20.00 is −8.75.
  expect(page.row(/^Charged to the player/).cells[0]).toMatch(/^30\.00/);
  expect(page.row(/^Invo fee/).cells[0]).toMatch(/^−3\.00/);
  expect(page.row(/^Partner revenue, settled/).cells[0]).toMatch(/^27\.00/);
  expect(page.row(/^International card fee/).cells[0]).toMatch(/^−0\.75/);
  expect(page.row(/^Chargeback fees/).cells[0]).toMatch(/^−15\.00/);
  expect(page.row(/^Held for disputes/).cells[0]).toMatch(/^−20\.00/);
  expect(page.row(/^Your revenue after fees/).cells[0]).toMatch(/^−8\.75/);
  expect(page.row(/^Attributed to the recipient/).cells[0]).toMatch(/^2\.70/);
});
