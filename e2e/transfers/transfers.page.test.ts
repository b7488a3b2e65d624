import { afterEach, expect, test } from 'vitest';
import { control } from '../pages/simulated-invo.ts';
import { search, visit } from '../pages/visit.ts';

afterEach(async () => {
  await control('faults', {}, 'DELETE');
  await control('shape', { 'transfer-status': null, 'approval-status': null, 'inbound-pending': null });
});

const open = async (path: string) => await visit(`/demo/${path}`, 'support');
const known = async (address = 'transfers') => (await open(address)).region('Transfers known to Sharebook');

test('what waits to be collected is listed with its amounts under Invo’s names, and says that no webhook announced it', async () => {
  const page = await open('transfers');
  const row = page.region('Waiting to be collected').rows[1];
  expect(row?.text).toContain('80.00 Lumens');
  expect(row?.text).toContain('net_amount');
  expect(page.region('No webhook for these transfers').text).toContain('TRF_IN');
  expect(page.html).not.toContain('15112345678');
  expect(row?.link('TRF_IN')).toBe('/demo/transfers/TRF_IN');
  expect((await open('transfers/TRF_IN')).region('Into this game').text).toContain('•••• 78');
});

test('a list whose fields nobody knows is shown as it came, and an empty or unreadable one says so', async () => {
  await control('shape', { 'inbound-pending': 'renamed' });
  const renamed = await open('transfers');
  expect(renamed.text).toContain('no ID found');
  expect(renamed.text).toContain('no amount found');
  await control('shape', { 'inbound-pending': 'pages+more' });
  expect((await open('transfers')).text).toContain('Invo has more rows than this answer.');
  await control('shape', { 'inbound-pending': 'empty' });
  expect((await open('transfers')).phrases).toContain('None.');
  await control('shape', { 'inbound-pending': 'none' });
  expect((await open('transfers')).text).toContain('Sharebook doesn’t recognize this response format.');
  await control('faults', [{ kind: '503', times: 50 }]);
  const failed = await open('transfers');
  expect(failed.phrases).toContain('Couldn’t load pending transfers from Invo.');
  expect(failed.text).not.toMatch(/tored data is unchanged|stored yet/);
});

test('a transfer shows both status fields, and is then among the known ones', async () => {
  expect((await search('TRF_CLAIM')).matches[0]?.href).toBe('/demo/transfers/TRF_CLAIM');
  const card = (await open('transfers/TRF_CLAIM')).region('Out of this game').text;
  for (const words of ['Waiting to be collected', 'Approved', '95.00']) expect(card).toContain(words);
  expect((await known()).row(/TRF_CLAIM/).text).toContain('100.00');
});

test('an amount that is a JSON number is not readable on the transfer, and none is stored for the list', async () => {
  await control('shape', { 'transfer-status': 'number_money' });
  expect((await open('transfers/TRF_CLAIM')).region('Out of this game').text).toContain('not readable');
  expect((await known()).row(/TRF_CLAIM/).text).toContain('not stored');
});

test('a guardian’s answer is shown where one is needed, and undocumented words as received', async () => {
  const waiting = await open('transfers/TRF_MINOR');
  expect(waiting.text).toContain('A guardian has been asked and hasn’t answered.');
  expect(waiting.text).toContain('A guardian has to agree before the sender can approve.');
  expect(waiting.text).not.toContain('The coins are reserved, and nothing has moved');
  const done = await open('transfers/TRF_DONE');
  expect(done.phrases).toContain('Collected');
  expect(done.text).not.toMatch(/guardian/i);
  await control('shape', { 'transfer-status': 'new_status+fees_object', 'approval-status': 'new_state' });
  const odd = await open('transfers/TRF_MINOR');
  for (const words of ['under_review', 'paused_by_operator', 'escalated', 'Total fee']) expect(odd.text).toContain(words);
});

test('the known transfers are narrowed by what is to be done about them', async () => {
  for (const id of ['TRF_MINOR', 'TRF_DONE']) await open(`transfers/${id}`);
  const page = await open('transfers');
  expect((await known()).row(/TRF_DONE/).cells).not.toEqual([]);
  expect(page.link('Reserved, not approved')).toBe('/demo/transfers?show=reserved');
  const reserved = await open('transfers?show=reserved');
  expect(reserved.linkElement('Reserved, not approved').getAttribute('aria-current')).toBe('page');
  const narrowed = reserved.region('Transfers known to Sharebook');
  expect(narrowed.row(/TRF_MINOR/).cells).not.toEqual([]);
  expect(narrowed.text).not.toContain('TRF_DONE');
  const attention = await visit(page.link('Needs attention'), 'support');
  expect(attention.text).toContain('Sharebook never read');
  expect(attention.text).not.toContain('TRF_MINOR');
});

test('an expired transfer is shown as returning, and as returned once it was refunded', async () => {
  expect((await open('transfers/TRF_EXPIRED')).text).toContain('Its window ended. The coins go back to the sender.');
  expect((await open('transfers/TRF_REFUNDED')).text).toContain('It wasn’t collected. The coins are back with the sender.');
  const transfer = { transaction_id: 'TRF_EXPIRED', direction: 'outbound' };
  await control('deliveries/send', { event_type: 'transfer.claim_expired', data: transfer });
  expect((await open('transfers/TRF_EXPIRED')).text).toContain('transfer.claim_expired');
  await control('deliveries/send', { event_type: 'transfer.refunded', data: transfer });
  expect((await open('transfers/TRF_EXPIRED')).text).toContain('A webhook reports that the coins are back with the sender.');
});

test('a receiver whose identity isn’t reported is not said to share a number', async () => {
  await control('shape', { 'transfer-status': 'no_identity' });
  const card = (await open('transfers/TRF_IN')).region('Into this game').text;
  expect(card).toContain('Receiver’s identitynot reported');
  expect(card).not.toContain('Several players share this number');
});

test('money that waits for a player is on the player’s tab, and its receiver leads to the player', async () => {
  expect((await search('asa.venn@players.example')).matches[0]?.href).toBe('/demo/players/910023');
  expect((await open('transfers/TRF_IN')).region('Into this game').link('Asa Venn')).toBe('/demo/players/910023');
  const player = await open('players/910023');
  expect(player.links.filter((link) => link === 'Transfers')).toHaveLength(2);
  const tab = await open('players/910023/transfers');
  expect(tab.region('Waiting to be collected').row(/TRF_IN/).text).toContain('80.00 Lumens');
  expect(tab.region('Transfers known to Sharebook').row(/TRF_IN/).text).toContain('76.00');
  expect((await open('players/910024/transfers')).text).not.toContain('TRF_IN');
});

test('codes in an answer appear nowhere', async () => {
  await control('shape', { 'transfer-status': 'test_code' });
  const page = await open('transfers/TRF_CLAIM');
  expect(page.unfold(/All fields/).text).toContain('verification_state');
  expect(page.html).not.toContain('canary');
});
