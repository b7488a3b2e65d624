import { beforeAll, expect, test } from 'vitest';
import { approveAction, requestAction, submitAction } from '../pages/request-action.ts';
import { answerOnPhone, control } from '../pages/simulated-invo.ts';
import { turnOnGroup } from '../pages/turn-on-group.ts';
import { search, send, visit } from '../pages/visit.ts';

const TRANSFER = '/demo/transfers/TRF_IN';
const CODE = 'canary-claim-code-TRF_IN';

beforeAll(async () => {
  await search('asa.venn@players.example');
  await turnOnGroup('transfers');
});

test('a transfer is collected with the receiver’s phone from its page: stored first, and sent only once the phone approved', async () => {
  expect((await visit(TRANSFER, 'support')).text).toContain('Ask the receiver’s phone…');
  expect((await visit(`${TRANSFER}/receive`, 'support')).text).toContain('Nothing is sent yet.');
  const {
    target,
    about: { actionId },
  } = await requestAction(`${TRANSFER}/receive`, 'receipt', { transactionId: 'TRF_IN' });
  const stored = await visit(target, 'support');
  expect(stored.text).toContain('Waiting for the phone');
  expect(stored.text).toContain('Ask the phone');
  const early = await send('pressActionAction', target, { game: 'demo', actionId, entered: '' });
  expect(early.result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('The phone hasn’t approved this') as unknown });
  expect((await send('askPhoneAction', target, { game: 'demo', actionId })).result).toMatchObject({ kind: 'asked' });
  expect((await visit(TRANSFER, 'support')).text).toContain('Collection by phone: waiting for the phone');
  // While it is open the transfer can't be collected with a code.
  expect((await visit(TRANSFER, 'support')).links).not.toContain('Collect with a code…');
  const other = await visit(`${TRANSFER}/claim`, 'support');
  expect(other.text).toContain('A transfer is collected in one way at a time');
  expect(other.text).not.toContain('Claim code');
  expect((await send('declineActionAction', target, { game: 'demo', actionId, why: '' })).result).toMatchObject({
    kind: 'done',
  });
});

test('a transfer is collected with a code from its page, and a code that Invo doesn’t take leaves its status to decide', async () => {
  expect((await visit(TRANSFER, 'support')).text).toContain('Collect with a code…');
  expect((await visit(TRANSFER, 'auditor')).text).not.toContain('Collect with a code…');
  const form = await visit(`${TRANSFER}/claim`, 'support');
  expect(form.text).toContain('It is sent once. Whatever Invo answers, the transfer’s status shows what happened.');
  const refused = await submitAction(`${TRANSFER}/claim`, 'claim', { transactionId: 'TRF_IN', entered: '4242424242424242' });
  expect(refused.result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('Enter the claim code') as unknown });
  expect(form.text).not.toContain('Player’s phone');
  await control('shape', { 'claim-transfer': 'wants_player_email+wants_player_phone' });
  const { target } = await requestAction(`${TRANSFER}/claim`, 'claim', { transactionId: 'TRF_IN', entered: CODE });
  await control('shape', { 'claim-transfer': 'two_fields' });
  const shown = await visit(target, 'support');
  expect(shown.text).toContain(
    'Invo asks for player_email and player_phone. A new collection of this transfer, half an hour after this call, sends both too.',
  );
  expect(shown.text).toContain('No clear answer');
  expect(shown.text).toContain('Invo may have collected the transfer. Its status decides, and it is never sent again.');
  expect(shown.text).toContain('Transfer TRF_IN: Waiting to be collected');
  expect(shown.text).not.toContain(CODE);
  expect((await visit(TRANSFER, 'support')).text).toContain('Collection by code: checking');
});

test('a game in production has no sandbox tools', async () => {
  const player = '/demo/players/910023';
  expect((await visit(player, 'support')).text).not.toContain('Sandbox tools');
  for (const path of ['sandbox', 'sandbox/purchase']) expect((await visit(`${player}/${path}`, 'support')).status).toBe(404);
});

test('coins of a player are moved to another game: two people approve, and nothing moves before the player’s phone did', async () => {
  const path = '/demo/players/910023/transfer';
  expect((await visit('/demo/players/910023', 'support')).text).toContain('Move coins…');
  const form = await visit(path, 'support');
  expect(form.text).toContain('Nothing moves until the player’s own phone approves and you move the coins.');
  const moving = { playerId: '910023', gameId: '41300', amount: '10', entered: '+4915112345678' };
  const home = await submitAction(path, 'transfer_start', { ...moving, gameId: '41207' });
  expect(home.result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('Invo lists no such game') as unknown });
  const { target, about } = await requestAction(path, 'transfer_start', moving);
  expect((await approveAction(target)).text).toContain('Ends in 78');

  await send('pressActionAction', target, { ...about, entered: '+4915112345678' });
  const started = await visit(target, 'support');
  expect(started.text).toContain('Nothing moves until the player’s own phone approves.');
  expect(started.text).toContain('Ask the phone');
  expect((await visit(target, 'finance')).text).not.toContain('Ask the phone');
  const { result } = await send('askPhoneAction', target, about);
  expect(result).toMatchObject({ kind: 'asked', userCode: expect.any(String) as unknown });
  expect((await send('moveCoinsAction', target, { ...about, draftId: crypto.randomUUID() })).result).toMatchObject({ kind: 'refused' });
  // Invo's order of a start is none of the game's orders; its transfer has a page.
  const shown = await visit(target, 'support');
  expect(shown.links.filter((name) => /^(ORD_|TRF_)/.test(name))).toEqual([expect.stringMatching(/^TRF_/)]);
  expect(shown.text).toMatch(/Available once reserved.{0,40} Lumens/s);
  await answerOnPhone(String(result?.['userCode']), 'deny');
  const watched = async () => (await send('watchPhoneAction', target, ['demo', Number(about.actionId)])).result;
  await expect.poll(watched, { timeout: 60_000, interval: 500 }).toMatchObject({ grant: { state: 'declined' } });
  // Every screen names the same state, and the register says that it needs action.
  expect((await visit(target, 'support')).text).toContain('Ask again only if this is still wanted.');
  expect((await visit('/demo/players/910023', 'support')).text).toContain('Transfer: declined on the phone');
  expect((await visit('/demo/actions?show=for_people', 'support')).row(/Transfer/).text).toContain('Declined on the phone');
  const second = await visit(path, 'support');
  expect(second.text).toContain('Only one transfer is open at a time');
  expect(second.links).toContain(`action ${about.actionId}`);
  expect(second.buttons.filter((name) => name.startsWith('Move'))).toEqual([]);
});

test('a transfer that a guardian declined says so on its own page and on that of its action', async () => {
  await search('cato.lind@players.example');
  const { target, about } = await startTransfer('910028');
  const transfer = /TRF_\d+_\d{6}/.exec((await visit(target, 'support')).text)?.[0] ?? '';
  expect((await visit(target, 'support')).text).toContain('A guardian must agree before the phone can be asked.');
  await control('guardian', { transaction_id: transfer, outcome: 'reject' });
  const shown = async (): Promise<string> => {
    await send('watchPhoneAction', target, ['demo', Number(about.actionId)]);
    return (await visit(target, 'support')).text;
  };
  await expect.poll(shown, { timeout: 60_000, interval: 1_000 }).toContain('The guardian declined.');
  expect((await visit(`/demo/transfers/${transfer}`, 'support')).text).toContain('The guardian declined it.');
});

test('a start that waits for the owner of its phone offers one button at a time', async () => {
  await search('dara.finch@players.example');
  await control('shape', { 'phone-share-initiate': 'not_texted' });
  const { target, about } = await startTransfer('910029');
  await control('shape', { 'phone-share-initiate': 'plain' });
  const offered = async (): Promise<string[]> =>
    (await visit(target, 'support')).buttons.filter((name) => /^(Text|Continue|Reserve|Ask|Send)/.test(name));
  expect(await offered()).toEqual(['Text the owner']);
  expect((await send('textOwnerAction', target, { ...about, draftId: crypto.randomUUID() })).result).toMatchObject({ kind: 'done' });
  expect(await offered()).toEqual([]);
  await control('owner', { phone: '+4915100910029', player_email: 'dara.finch@players.example', outcome: 'yes' });
  const watched = async (): Promise<string[]> => {
    await send('watchOwnerAction', target, ['demo', Number(about.actionId)]);
    return await offered();
  };
  await expect.poll(watched, { timeout: 60_000, interval: 1_000 }).toEqual(['Continue']);
});

/** A transfer to Emberfall that a second person approved and its requester sent. */
async function startTransfer(playerId: string): Promise<Awaited<ReturnType<typeof requestAction>>> {
  const entered = `+4915100${playerId}`;
  const stored = await requestAction(`/demo/players/${playerId}/transfer`, 'transfer_start', {
    playerId,
    gameId: '41300',
    amount: '10',
    entered,
  });
  await approveAction(stored.target);
  await send('pressActionAction', stored.target, { ...stored.about, entered });
  return stored;
}
