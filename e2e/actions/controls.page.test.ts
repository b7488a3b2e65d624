import { beforeAll, expect, test } from 'vitest';
import { DESK_SETTINGS as PAGE, PASSWORD } from '../pages/turn-on-group.ts';
import { search, send, visit } from '../pages/visit.ts';

test('an admin requests to turn on a group, someone with the role finance turns it on, and an admin turns it off', async () => {
  // Another file may have turned it on.
  await send('turnOffGroupAction', PAGE, { game: 'demo', group: 'sends' }, 'admin');
  const off = await visit(PAGE, 'admin');
  expect(off.buttons).toEqual(expect.arrayContaining(['Turn off Payments', 'Ask to turn on Sends', 'Add milestone', 'Add house account']));
  expect(off.buttons).not.toContain('Turn on Sends');
  const requested = await send('turnOnGroupAction', PAGE, { game: 'demo', group: 'sends', ...PASSWORD }, 'admin');
  expect(requested.result).toEqual({ kind: 'done', sentence: 'Requested. It applies once a second person confirms it.' });
  const waiting = await visit(PAGE, 'finance');
  expect(waiting.row(/^Sends/).text).toMatch(/ to turn it on.*Off/s);
  expect(waiting.buttons).toEqual(expect.arrayContaining(['Turn on Sends', 'Reject the request to turn on Sends']));
  expect(waiting.buttons).not.toContain('Turn off Payments');
  expect((await visit(PAGE, 'support')).buttons).not.toContain('Turn on Sends');
  const requestedBy = waiting.row(/^Sends/).hidden('requestedBy');
  const confirmed = await send('confirmSwitchAction', PAGE, { game: 'demo', group: 'sends', requestedBy, ...PASSWORD }, 'finance');
  expect(confirmed.result).toMatchObject({ kind: 'done' });
  expect((await visit(PAGE, 'admin')).buttons).toContain('Turn off Sends');
  await send('turnOffGroupAction', PAGE, { game: 'demo', group: 'sends' }, 'admin');
  expect((await visit(PAGE, 'viewer')).row(/^Sends/).text).toMatch(/Set by.*Off/s);
});

test('a limit above its maximum is refused below its entry, in coins for items', async () => {
  const limits = { game: 'demo', what: 'items', support: '100000.01', finance: '1', support_day: '1', finance_day: '1', ...PASSWORD };
  expect((await send('changeLimitsAction', PAGE, limits, 'admin')).result).toEqual({
    kind: 'invalid',
    fields: { support: 'No limit can exceed 100,000.00 coins.' },
  });
});

beforeAll(async () => void (await search('asa.venn@players.example')));

test('support pauses desk actions with a reason, and the page says who, why and how they resume', async () => {
  expect((await send('pauseDeskActionsAction', PAGE, { game: 'demo', why: ' ' }, 'support')).result).toEqual({
    kind: 'refused',
    sentence: 'Enter a reason, so that others know what to check before they resume desk actions.',
  });
  expect((await send('pauseDeskActionsAction', PAGE, { game: 'demo', why: 'Strange answers.' }, 'support')).result).toMatchObject({
    kind: 'done',
  });
  const paused = await visit(PAGE, 'finance');
  expect(paused.text).toContain('Desk actions of Starfall are paused');
  expect(paused.text).toMatch(/“Strange answers”\..*reserved coins go back when their window ends. Resuming needs two approvers/s);
  expect(paused.buttons).toContain('Ask to resume desk actions');
  expect((await visit(PAGE, 'support')).buttons).not.toContain('Ask to resume desk actions');
  // Neither what starts an action nor its form is offered meanwhile.
  const player = await visit('/demo/players/910023', 'support');
  expect(player.text).toContain('None can be requested or sent until two people resume them.');
  expect(player.links).not.toContain('Payment link…');
  expect((await visit('/demo/orders/ORD_BREE_02', 'support')).text).toContain('Desk actions are paused');
  const form = await visit('/demo/players/910023/link', 'support');
  expect(form.text).toContain('The form “Payment link” opens again once desk actions resume.');
  expect((await visit('/demo/orders/ORD_BREE_02/confirm', 'support')).text).toContain('“Strange answers”.');
  expect(form.buttons.filter((name) => name.startsWith('Make'))).toEqual([]);
  for (const person of ['finance', 'admin'] as const)
    await send(
      'resumeDeskActionsAction',
      PAGE,
      { game: 'demo', version: (await visit(PAGE, person)).hidden('version'), ...PASSWORD },
      person,
    );
  // The other files look at this game too.
  expect((await visit(PAGE, 'finance')).text).not.toContain('Desk actions of Starfall are paused');
});

test('an admin names a milestone as it is registered with Invo, and removes it', async () => {
  const milestone = { game: 'demo', eventType: 'game.milestone.reached', name: 'boss_1', label: 'First boss' };
  expect((await send('addMilestoneAction', PAGE, { ...milestone, name: 'bóss' }, 'admin')).result).toMatchObject({
    kind: 'invalid',
    fields: { name: expect.stringContaining('as it is registered with Invo') as unknown },
  });
  expect((await send('addMilestoneAction', PAGE, milestone, 'admin')).result).toMatchObject({ kind: 'done' });
  expect((await visit(PAGE, 'viewer')).region('Milestone names').text).toMatch(/First boss.*boss_1/s);
  await send('removeMilestoneAction', PAGE, milestone, 'admin');
  expect((await visit(PAGE, 'viewer')).region('Milestone names').text).not.toContain('boss_1');
});
