import { afterEach, expect, test } from 'vitest';
import { control } from '../pages/simulated-invo.ts';
import { visit } from '../pages/visit.ts';

afterEach(async () => {
  await control('faults', {}, 'DELETE');
});

const visitSubscription = async (id: string) => await visit(`/demo/subscriptions/${id}`, 'auditor');

test('I see until when the player has access, apart from the billing period', async () => {
  const page = await visitSubscription('SUB_1734508800_DESKOWEN');
  expect(page.phrases).toContain('Payment failed, retrying');
  expect(page.text).toContain('Access ended 18 Oct 2026 08:00 UTC');
  expect(page.fact('Next payment retry')).toMatch(/^22 Nov 2026 06:00 UTC/);
  expect(page.region('Periods').row(/^Period 2/).text).toContain('Pending payment');
});

test('the next charge has the right label in each status', async () => {
  const waiting = await visitSubscription('SUB_1795105200_DESKLENA');
  expect(waiting.text).toContain('No access: nothing is paid for');
  expect(waiting.fact('Authentication deadline')).toMatch(/^22 Nov 2026 06:00 UTC/);
  expect(waiting.text).toContain('Nothing has been billed.');
  expect((await visitSubscription('SUB_1767225600_WITN01AL')).fact('Next charge')).toMatch(/^1 Dec 2026 00:00 UTC/);
  expect((await visitSubscription('SUB_1733479200_DESKPAVE')).fact('Next action by Invo')).toMatch(/^none, canceled/);
});

test('a subscription that is set to end shows when it ends and that it isn’t charged again', async () => {
  const page = await visitSubscription('SUB_1733486400_DESKSENA');
  expect(page.phrases).toContain('Set to end');
  expect(page.fact('Cancellation')).toMatch(/^ends on 6 Dec 2027 12:00 UTC/);
  expect(page.text).toContain('Ends without another charge');
});

test.each([
  ['SUB_1733565600_DESKTHEO', '25.00', 'applies at the next successful renewal'],
  ['SUB_1733569200_DESKUMA1', '45.00', 'may not take effect: it is more than twice the last agreed price'],
  ['SUB_1733572800_DESKUMA2', '520.00', 'may not take effect: it is more than twice the last agreed price'],
])('the pending price of %s shows whether it can ever apply', async (subscription, price, note) => {
  const pending = (await visitSubscription(subscription)).fact('Pending price, USD');
  expect(pending).toContain(price);
  expect(pending).toContain(note);
});

test('periods are listed newest first; partially refunded is still billed, and not paid isn’t without attribution', async () => {
  const [, newest, next] = (await visitSubscription('SUB_1767225600_WITN04AL')).region('Periods').rows;
  expect(newest?.text).toContain('Period 11');
  expect(newest?.cells.slice(0, 6)).toEqual(['1 Nov 2026 to 1 Dec 2026', 'Partially refunded', 'card', '50.00', '15.00', '9.00']);
  expect(next?.text).toContain('Refunded in full');
  const unpaid = (await visitSubscription('SUB_1767225600_WITN19AL')).region('Periods').rows[1];
  expect(unpaid?.text).toContain('Payment failed');
  expect(unpaid?.text).not.toMatch(/attribution/i);
  const unattributed = (await visitSubscription('SUB_1767225600_WITN10AL')).region('Periods');
  expect(unattributed.rows[1]?.text).toContain('Attribution not recorded');
  expect(unattributed.link('Period 11')).toBe('/demo/periods/2026110010');
});

test('the revenue share is for future renewals only, and lifetime totals are Invo’s', async () => {
  const page = await visitSubscription('SUB_1767225600_WITN14AL');
  expect(page.region('Revenue share for future renewals').text).toContain('15.00%');
  // Eleven renewals of 20.00: six attributed 1.80 each, five 2.70.
  expect(page.fact('Gross settled')).toMatch(/^220\.00/);
  expect(page.fact('Gross attributed')).toMatch(/^24\.30/);
  await control('faults', [{ kind: 'missing_field', path: 'lifetime_totals', match: { route: 'subscription-attribution' } }]);
  expect((await visitSubscription('SUB_1767225600_WITN14AL')).region('Lifetime totals').text).toContain('Not available');
});

test('when Invo fails I see the stored data, or that nothing is stored, with the lines in pulled months', async () => {
  expect((await visitSubscription('SUB_1767225600_WITN17AL')).text).toContain('Access until');
  await control('faults', [{ kind: 'reset', times: 50 }]);
  const stored = await visitSubscription('SUB_1767225600_WITN17AL');
  expect(stored.text).toContain('Couldn’t refresh this subscription and its periods. Showing data from');
  expect(stored.text).toContain('Access until');
  const missing = await visitSubscription('SUB_1767225600_WITN18AL');
  expect(missing.text).toContain('Nothing is stored yet.');
  expect(missing.region('Lines in pulled months').row(/^October 2026 Renewal/).text).toContain('0.54');
});

test('periods that Invo doesn’t find for a subscription it knows are reported', async () => {
  await control('faults', [{ kind: '404', code: 'SUBSCRIPTION_NOT_FOUND', match: { route: 'subscription-attribution' } }]);
  const page = await visitSubscription('SUB_1767225600_WITN16AL');
  expect(page.regions('Invo knows this subscription but doesn’t find its periods')).toHaveLength(1);
});

test('a subscription of another game is not found', async () => {
  const page = await visitSubscription('SUB_1_NOTTHERE');
  expect(page.headings()).toContain('This subscription isn’t in this game and environment');
});

test('the tools lead to their pages, and those Invo would refuse are disabled with the reason', async () => {
  const base = '/demo/subscriptions/SUB_1767225600_WITN01AL';
  const page = await visit(base, 'support');
  expect(page.link('Refund period 11…')).toBe('/demo/periods/2026110001/refund');
  for (const [word, path] of Object.entries({ 'Cancel subscription…': 'cancel', 'Change price…': 'price', 'Change card…': 'card' }))
    expect(page.link(word)).toBe(`${base}/${path}`);
  const ended = await visit('/demo/subscriptions/SUB_1733479200_DESKPAVE', 'support');
  expect(ended.button('Change price…').isDisabled).toBe(true);
  expect(ended.text).toContain('Price and card: the subscription has ended, so they can’t be changed.');
  const byStore = await visit('/demo/subscriptions/SUB_1767225600_WITN17AL', 'support');
  expect(byStore.button('Refund…').isDisabled).toBe(true);
  expect(byStore.text).toContain('Card: the game store charges this subscription.');
  await control('faults', [{ kind: '500', times: 50, match: { route: 'subscription-attribution' } }]);
  const unread = await visit('/demo/subscriptions/SUB_1767225600_WITN16AL', 'support');
  expect(unread.text).toContain('Refund: the periods couldn’t be read.');
});
