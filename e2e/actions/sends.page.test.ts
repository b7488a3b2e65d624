import { beforeAll, expect, test } from 'vitest';
import { approveAction, listFileRows, requestAction, submitAction } from '../pages/request-action.ts';
import { answerOnPhone } from '../pages/simulated-invo.ts';
import { PASSWORD, DESK_SETTINGS as SETTINGS, turnOnGroup } from '../pages/turn-on-group.ts';
import { search, send, visit } from '../pages/visit.ts';

const PATH = '/demo/players/910023/send';
const HOUSE = { playerId: '910031', label: 'Starfall House', phone: '+4915100910031', phoneAgain: '+4915100910031' };
const ASA_PHONE = '+4915112345678';

beforeAll(async () => {
  await search('asa.venn@players.example');
  await search('house.account@players.example');
  await turnOnGroup('sends');
});

test('coins of a house account are sent: two people, a phone, and one press that moves them', async () => {
  expect((await send('addHouseAccountAction', SETTINGS, { game: 'demo', ...HOUSE }, 'admin')).result).toMatchObject({ kind: 'done' });
  const card = (await visit(SETTINGS, 'finance')).region('Starfall House');
  const account = { game: 'demo', houseAccountId: card.hidden('houseAccountId'), requestedBy: card.hidden('requestedBy'), ...PASSWORD };
  expect((await send('confirmHouseAccountAction', SETTINGS, account, 'finance')).result).toMatchObject({ kind: 'done' });

  const form = await visit(PATH, 'support');
  expect(form.text).toContain('Starfall House (player 910031)');
  const sending = { playerId: '910023', house: '910031', gameId: '41207', amount: '25', entered: ASA_PHONE };
  const wrong = await submitAction(PATH, 'send_start', { ...sending, entered: '+4915112345679' });
  expect(wrong.result).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('A wrong number looks the same.') as unknown });
  const { target, about } = await requestAction(PATH, 'send_start', sending);
  expect((await approveAction(target)).text).toContain('Ends in 78');

  const currentSteps = async (): Promise<string[]> =>
    (await visit(target, 'support')).element.querySelectorAll('[aria-current="step"]').map(({ text }) => text.trim());
  expect(await currentSteps()).toEqual(['Reserve the coins']);
  await send('pressActionAction', target, { ...about, entered: ASA_PHONE });
  expect(await currentSteps()).toEqual(['Approve on the phone']);
  expect((await visit(target, 'support')).text).toContain('Nothing moves until the house account’s phone approves.');
  const [row] = await listFileRows('Starfall House');
  expect(row).toMatchObject({
    kind: 'send_start',
    house_account: 'Starfall House',
    transaction_id: expect.stringMatching(/^SND_/) as unknown,
  });
  const { result } = await send('askPhoneAction', target, about);
  expect(result).toMatchObject({ kind: 'asked', userCode: expect.any(String) as unknown, minutes: 10 });
  expect(result?.['page'], 'as a person types it, with its path').toMatch(/^[^/]+\/phone$/);
  const after = await visit(target, 'support');
  expect(after.text).toContain('Waiting for the phone. Nothing has moved yet.');
  const code = String(result?.['userCode']);
  expect(after.text).not.toContain(code);
  expect((await visit('/demo/actions?show=under_way', 'support')).row(/Send/).text).toContain('Waiting for the phone');

  // A new phone wants to be set up. The answer is an action of its own, and the start says how far it is.
  await answerOnPhone(code, 'enrol');
  const watched = async () => (await send('watchPhoneAction', target, ['demo', Number(about.actionId)])).result;
  await expect.poll(watched, { timeout: 60_000, interval: 500 }).toMatchObject({ grant: { state: 'enrolling' } });
  expect((await visit(target, 'support')).text).toContain('Deny the new phone');
  const answer = { ...about, draftId: crypto.randomUUID(), decision: 'approve' };
  expect((await send('answerPhoneAction', target, answer)).result).toMatchObject({ kind: 'done' });
  const waiting = await visit(target, 'support');
  expect(waiting.text).toContain('A second person must approve the new phone while its code is valid.');
  expect(waiting.text).not.toContain('Deny the new phone');
  // Another request would make the code invalid, under which a second person approves.
  expect(waiting.buttons).not.toContain('Ask the phone again');
  // The phone is the house account's, on every screen; the player is that of the start.
  expect((await visit('/demo/players/910023', 'support')).text).toContain('Answer to a new phone of Starfall House: awaiting approval');
  const listed = (await visit('/demo/actions', 'finance')).row(/Answer to a new phone/);
  expect(listed.text).toContain(`of action ${about.actionId}, Starfall House`);
  expect(listed.text).toContain('Asa Venn');
  const set_up = waiting.link(/^Answer to a new phone, action/);
  expect((await approveAction(set_up)).text).toContain('Approve: set-up of a new phone for Starfall House');
  expect((await visit(target, 'support')).text).toContain('Open that action and send the answer.');
  expect((await send('pressActionAction', set_up, { game: 'demo', actionId: set_up.split('/').at(-1) ?? '' })).result).not.toMatchObject({
    kind: 'refused',
  });
  expect((await visit(target, 'support')).text).toContain('The colleague who holds it now approves on it.');
});
