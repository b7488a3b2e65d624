import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inMonth } from '../instant.ts';
import { openInvo } from '../testing/test-client.ts';
import { REFERENCE_NAMES } from './reference-cases.ts';
import { referenceTable } from './reference-table.ts';
import { volumePlan } from './volume-plans.ts';
import { createVolumeWorld } from './volume-world.ts';
import { createDemoWorld } from './worlds.ts';

const OCTOBER = 2026 * 12 + 9;
const MONTHS = Array.from({ length: 36 }, (_, index) => 2024 * 12 + index);

test.each(MONTHS)('month %i has its size, and day 1 holds reference cases only', (month) => {
  const world = createDemoWorld();
  const lines = world.paidBetween(inMonth(month), inMonth(month + 1));
  const people = new Set(lines.map((period) => period.attribution?.recipientId)).size;
  const ofYear = month % 12;
  expect(lines.length).toBeGreaterThan(250);
  expect(lines.length).toBeLessThan(ofYear === 9 ? 1500 : 800);
  expect(people).toBeGreaterThan(ofYear === 2 || ofYear === 8 ? 110 : 45);
  expect(people).toBeLessThan(ofYear === 2 || ofYear === 8 ? 160 : 90);
  const [start, end] = [inMonth(month), inMonth(month, 2)];
  expect(world.paidBetween(start, end).every((period) => period.id % 10_000 < 100)).toBe(true);
  const refunded = world.refundedBetween(start, end).filter((period) => period.refunds.some(({ atMs }) => atMs >= start && atMs < end));
  expect(refunded.every((period) => period.id % 10_000 < 100)).toBe(true);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
});

test('the tables of the documentation match the world', () => {
  expect(readFileSync(new URL('../../../.github/docs/simulated-invo.md', import.meta.url), 'utf8')).toContain(referenceTable(OCTOBER));
});

test('every month from 2000 to 2099 has lines, and no other month has', () => {
  const world = createDemoWorld();
  expect(world.paidBetween(inMonth(2000 * 12), inMonth(2000 * 12 + 1)).length).toBeGreaterThan(100);
  expect(world.paidBetween(inMonth(2099 * 12 + 11), inMonth(2100 * 12)).length).toBeGreaterThan(100);
  expect(world.paidBetween(inMonth(1999 * 12), inMonth(2000 * 12))).toEqual([]);
});

test('recipients have the documented hostile names', async () => {
  const invo = await openInvo();
  const { recipients } = await invo.report('2026-10-01', '2026-10-02');
  const shown = new Map(
    recipients.map((each: { recipient: { player_id: number; player_name: string | null } }) => [
      each.recipient.player_id,
      each.recipient.player_name,
    ]),
  );
  for (const id of [9001, 9002, 9003, 9004, 9005, 9006, 9007, 9008]) expect(shown.get(id)).toBe(REFERENCE_NAMES[id]);
  expect([...String(shown.get(9005))]).toHaveLength(300);
  expect(recipients.find((each: { recipient: { player_id: number } }) => each.recipient.player_id === 9008).recipient).toEqual({
    player_id: 9008,
    resolved: false,
    player_email: null,
    player_name: null,
    identity_id: null,
  });
});

test.each([
  ['distribution:small', 900, 60, 0],
  ['max-month', 20_000, 2000, 5],
  ['distribution:one-large', 19_900, 61, 1],
  ['distribution:renewals-39', 19_968, 39, 39],
  ['distribution:singles', 20_000, 20_000, 0],
  ['instant:20001', 20_001, 200, 0],
])('%s holds %i renewals of %i recipients in October, %i of them past 500', (name, renewals, recipients, large) => {
  const counts = new Map<number, number>();
  for (const period of createVolumeWorld(volumePlan(name)).paidBetween(inMonth(OCTOBER), inMonth(OCTOBER + 1))) {
    const id = period.attribution?.recipientId ?? 0;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  expect([...counts.values()].reduce((sum, count) => sum + count)).toBe(renewals);
  expect([counts.size, [...counts.values()].filter((count) => count > 500).length]).toEqual([recipients, large]);
});

test('the maximal month holds exactly as many reversals as allowed', async () => {
  const world = createVolumeWorld(volumePlan('max-month'));
  expect(world.refundedBetween(inMonth(OCTOBER), inMonth(OCTOBER + 1))).toHaveLength(20_000);
  expect(world.refundedBetween(inMonth(OCTOBER - 1), inMonth(OCTOBER))).toHaveLength(0);
  const period = world.paidBetween(inMonth(OCTOBER), inMonth(OCTOBER + 1))[77];
  expect(world.period(period?.id ?? 0)).toEqual(period);
  expect(world.subscription(period?.subscription.id ?? '')).toEqual(period?.subscription);
  expect(() => volumePlan('distribution:none')).toThrow(/no such world/);
});
