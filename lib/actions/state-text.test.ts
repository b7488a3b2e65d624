import { expect, test } from 'vitest';
import { actionStateText, formatNamedFields, formatRefused } from './state-text.ts';
import { formatActionTitle } from './title-text.ts';

const NOBODY = { for: null, errorCode: null };

test.each([
  ['send_start', 'with_player', { for: 'phone', errorCode: null }, 'Waiting for the phone', 'Nothing moves until'],
  ['send_start', 'with_player', { for: 'guardian', errorCode: null }, 'Waiting for a guardian', 'A guardian must agree'],
  ['transfer_start', 'approved', NOBODY, 'Ready to reserve', 'Nothing is reserved yet.'],
  ['transfer_start', 'approved', { for: 'owner', errorCode: 'PHONE_SHARE_APPROVAL_REQUIRED' }, 'Waiting for the owner', 'its owner'],
  ['send_start', 'approved', { for: 'phone', errorCode: 'PASSKEY_RECOVERY_COOLDOWN' }, 'In cooldown', 'Nothing was reserved.'],
  ['receipt', 'approved', NOBODY, 'Waiting for the phone', 'Nothing was collected yet.'],
  ['item_sale', 'lapsed', { for: null, errorCode: 'not_covered' }, 'Expired', 'its approval was void'],
  ['purchase', 'checking', { for: null, errorCode: 'requires_action' }, 'Waiting for the bank', 'Nothing was charged'],
  ['purchase', 'checking', NOBODY, 'Checking', 'Invo may charge the card'],
  ['item_sale', 'lapsed', NOBODY, 'Expired', 'It was not used in time'],
  ['send_start', 'lapsed', { ...NOBODY, hasTransaction: true }, 'Expired', 'Invo returns the reserved coins'],
  ['send_start', 'lapsed', { ...NOBODY, hasTransaction: false }, 'Expired', 'Nothing was executed'],
  ['receipt', 'lapsed', { ...NOBODY, hasTransaction: false }, 'Expired', 'Nothing was collected'],
  ['card_setup', 'approved', { for: null, errorCode: 'requires_action' }, 'Waiting for the bank', 'No card is saved yet'],
  ['card_setup', 'approved', NOBODY, 'Ready to send', 'No card is saved yet'],
  ['payment_link', 'approved', NOBODY, 'Ready to send', 'Nothing was executed'],
  ['payment_link', 'done', { ...NOBODY, link: 'open' }, 'Waiting for payment', 'It is shown once'],
  ['payment_link', 'done', { ...NOBODY, link: 'over' }, 'Expired', 'no payment was reported'],
  ['payment_link', 'done', { ...NOBODY, link: 'paid' }, 'Paid', 'the player paid'],
] as const)('a %s that is %s, with %o, is shown as “%s”', (kind, state, waiting, label, sentence) => {
  const text = actionStateText(kind, state, waiting);
  expect(text.label).toBe(label);
  expect(text.sentence).toContain(sentence);
});

const PHONE = { answer: null, isMoving: false, isOver: false } as const;
const APPROVED = { ...PHONE, answer: 'approved' } as const;
const DECLINED = { ...PHONE, answer: 'declined' } as const;
const MOVING = { answer: 'approved', isMoving: true, isOver: true } as const;

test.each([
  ['send_start', 'with_player', PHONE, 'Waiting for the phone', 'Nothing moves until'],
  ['send_start', 'with_player', APPROVED, 'Approved on the phone', 'Nothing has moved yet'],
  ['transfer_start', 'with_player', DECLINED, 'Declined on the phone', 'Ask again only if this is still wanted'],
  ['transfer_start', 'with_player', MOVING, 'Checking', 'may have moved'],
  ['transfer_start', 'with_player', { ...DECLINED, isOver: true }, 'Window ended', 'nothing has moved'],
  ['receipt', 'approved', APPROVED, 'Approved on the phone', 'Nothing was collected'],
  ['receipt', 'approved', DECLINED, 'Declined on the phone', 'nothing was collected'],
] as const)('a %s that is %s and whose phone is at %o is shown as “%s”', (kind, state, phone, label, sentence) => {
  const text = actionStateText(kind, state, { for: state === 'with_player' ? 'phone' : null, errorCode: null, phone });
  expect(text.label).toBe(label);
  expect(text.sentence).toContain(sentence);
});

test('a start whose guardian’s window ended no longer waits for the guardian', () => {
  const waiting = { for: 'guardian', errorCode: null } as const;
  expect(actionStateText('send_start', 'with_player', { ...waiting, phone: PHONE }).label).toBe('Waiting for a guardian');
  expect(actionStateText('send_start', 'with_player', { ...waiting, phone: { ...PHONE, isOver: true } }).label).toBe('Window ended');
});

test('a refusal is explained by the sentence of Invo’s code on the route of its kind, unless the state says it', () => {
  const after = (errorCode: string | null) => ({ for: null, errorCode });
  expect(formatRefused('transfer_start', 'refused', after('TRANSFER_POLICY_VIOLATION'))).toContain('transfer policy');
  expect(formatRefused('send_approve', 'refused', after('PASSKEY_RECOVERY_COOLDOWN'))).toContain('Nothing was moved.');
  expect(formatRefused('transfer_start', 'approved', after('PASSKEY_RECOVERY_COOLDOWN'))).toBeNull();
  expect(formatRefused('transfer_start', 'refused', after('SOMETHING_ELSE'))).toBeNull();
  expect(formatRefused('item_sale', 'lapsed', after('not_covered'))).toContain('don’t cover this');
  expect(formatRefused('item_sale', 'lapsed', after('some_code'))).toBeNull();
  expect(formatRefused('transfer_start', 'done', after('TRANSFER_POLICY_VIOLATION'))).toBeNull();
});

test.each([
  [400, 'player_email, player_phone', 'Invo asks for player_email and player_phone. A new collection of this transfer sends both too.'],
  [400, 'otp, sms_code', 'Invo asks for otp and sms_code, which Sharebook can’t send. Quote this to Invo.'],
  [422, 'player_email', 'Invo asks for player_email, which Sharebook can’t send. Quote this to Invo.'],
  [400, 'claim_code', 'Invo’s answer names claim_code, which was sent. Check it with the player.'],
])('an answer %i to a claim that names %s is explained', (status, named_fields, sentence) => {
  const claim = { result: { named_fields }, facts: { request: { transaction_id: 'TRF_1', target_currency_id: 311 } } };
  expect(formatNamedFields({ ...claim, state: 'not_done' }, status)).toBe(sentence);
  expect(formatNamedFields({ ...claim, state: 'done' }, status)).toBeNull();
  // Before it ended, none can be requested.
  const open = formatNamedFields({ ...claim, state: 'checking' }, status) ?? '';
  expect(open.includes('half an hour after this call')).toBe(open.includes('A new collection'));
});

test('a field that a claim sent is never said to be sent with the next one', () => {
  const request = { transaction_id: 'TRF_1', player_fields: ['player_email'] };
  expect(formatNamedFields({ state: 'not_done', result: { named_fields: 'player_email, player_phone' }, facts: { request } }, 400)).toBe(
    'Invo’s answer names player_email, which was sent. Check it with the player. Invo asks for player_phone. A new collection of this transfer sends that too.',
  );
});

test.each([
  ['send_start', '25.00', {}, 'Lumens', 'Send of 25.00 Lumens to Asa Venn'],
  ['payment_link', '20.00', {}, 'Lumens', 'Payment link of $20.00 for Asa Venn'],
  ['item_sale', '37.50', { item_name: 'Sail dye', item_quantity: 3 }, 'Lumens', 'Item sale of 3 × Sail dye for 37.50 Lumens to Asa Venn'],
  ['milestone', null, { event_type: 'game.milestone.reached', name: 'boss_1' }, null, 'Milestone boss_1 for Asa Venn'],
  ['redeem', null, { reward_ref: 'ref_rwd_01' }, null, 'Redemption of reward ref_rwd_01 for Asa Venn'],
  ['claim', null, { transaction_id: 'TRF_IN' }, 'Lumens', 'Collection by code of transfer TRF_IN for Asa Venn'],
  ['send_approve', null, { start_id: 7, transaction_id: 'SND_1' }, 'Lumens', 'Approval of a send for Asa Venn'],
  ['card_confirm', null, { setup_intent_id: 'seti_1' }, null, 'Card confirmation for Asa Venn'],
] as const)('the title of a %s names its amount or name, and its player', (kind, amount, request, coins, title) => {
  expect(formatActionTitle({ kind, amount, request, coins }, 'Asa Venn')).toBe(title);
});
