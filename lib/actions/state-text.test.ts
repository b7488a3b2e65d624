import { expect, test } from 'vitest';
import { actionStateText, formatNamedFields, formatRefused } from './state-text.ts';
import { formatActionTitle } from './title-text.ts';

const NOBODY = { for: null, errorCode: null };

test.each([
  ['send_start', 'with_player', 'Waiting for the phone', 'Nothing moves until', { for: 'phone', errorCode: null }],
  ['send_start', 'with_player', 'Waiting for a guardian', 'A guardian must agree', { for: 'guardian', errorCode: null }],
  ['transfer_start', 'approved', 'Ready to reserve', 'Nothing is reserved yet.', NOBODY],
  ['transfer_start', 'approved', 'Waiting for the owner', 'its owner', { for: 'owner', errorCode: 'PHONE_SHARE_APPROVAL_REQUIRED' }],
  ['send_start', 'approved', 'In cooldown', 'Nothing was reserved.', { for: 'phone', errorCode: 'PASSKEY_RECOVERY_COOLDOWN' }],
  ['receipt', 'approved', 'Waiting for the phone', 'Nothing was collected yet.', NOBODY],
  ['item_sale', 'lapsed', 'Expired', 'its approval was void', { for: null, errorCode: 'not_covered' }],
  ['purchase', 'checking', 'Waiting for the bank', 'Nothing was charged', { for: null, errorCode: 'requires_action' }],
  ['purchase', 'checking', 'Checking', 'Invo may charge the card', NOBODY],
  ['item_sale', 'lapsed', 'Expired', 'It was not used in time', NOBODY],
  ['send_start', 'lapsed', 'Expired', 'Sharebook moved no coins. Invo returns the reserved coins.', { ...NOBODY, hasTransaction: true }],
  ['send_start', 'lapsed', 'Expired', 'Nothing was executed', { ...NOBODY, hasTransaction: false }],
  ['receipt', 'lapsed', 'Expired', 'It wasn’t collected in time', { ...NOBODY, hasTransaction: false }],
  ['card_setup', 'approved', 'Waiting for the bank', 'No card is saved yet', { for: null, errorCode: 'requires_action' }],
  ['card_setup', 'approved', 'Ready to send', 'No card is saved yet', NOBODY],
  ['payment_link', 'approved', 'Ready to send', 'Nothing was executed', NOBODY],
  ['payment_link', 'done', 'Waiting for payment', 'can show it, once', { ...NOBODY, link: 'open' }],
  ['payment_link', 'done', 'Expired', 'no payment was reported', { ...NOBODY, link: 'over' }],
  ['payment_link', 'done', 'Paid', 'the player paid', { ...NOBODY, link: 'paid' }],
] as const)('a %s that is %s is shown as “%s”, with “%s” in its sentence', (kind, state, label, sentence, waiting) => {
  const text = actionStateText(kind, state, waiting);
  expect(text.label).toBe(label);
  expect(text.sentence).toContain(sentence);
});

const PHONE = { answer: null, isMoving: false, isOver: false } as const;
const APPROVED = { ...PHONE, answer: 'approved' } as const;
const DECLINED = { ...PHONE, answer: 'declined' } as const;
const MOVING = { answer: 'approved', isMoving: true, isOver: true } as const;

test.each([
  ['send_start', 'with_player', 'Waiting for the phone', 'Nothing moves until', PHONE],
  ['send_start', 'with_player', 'Approved on the phone', 'Nothing has moved yet', APPROVED],
  ['transfer_start', 'with_player', 'Declined on the phone', 'Ask again only if this is still wanted', DECLINED],
  ['transfer_start', 'with_player', 'Checking', 'may have moved', MOVING],
  ['transfer_start', 'with_player', 'Window ended', 'Its window ended, and nothing has moved.', { ...DECLINED, isOver: true }],
  ['receipt', 'approved', 'Approved on the phone', 'Nothing was collected', APPROVED],
  ['receipt', 'approved', 'Declined on the phone', 'nothing was collected', DECLINED],
] as const)(
  'a %s that is %s and waits for its phone is shown as “%s”, with “%s” in its sentence',
  (kind, state, label, sentence, phone) => {
    const text = actionStateText(kind, state, { for: state === 'with_player' ? 'phone' : null, errorCode: null, phone });
    expect(text.label).toBe(label);
    expect(text.sentence).toContain(sentence);
  },
);

test('a start whose guardian’s window ended no longer waits for the guardian', () => {
  const waiting = { for: 'guardian', errorCode: null } as const;
  expect(actionStateText('send_start', 'with_player', { ...waiting, phone: PHONE }).label).toBe('Waiting for a guardian');
  expect(actionStateText('send_start', 'with_player', { ...waiting, phone: { ...PHONE, isOver: true } }).label).toBe('Window ended');
});

test('a refusal is explained by the sentence of Invo’s code on the route of its kind, unless the state says it', () => {
  const after = (errorCode: string | null) => ({ for: null, errorCode });
  expect(formatRefused('transfer_start', 'refused', after('TRANSFER_POLICY_VIOLATION'), null)).toContain('transfer policy');
  expect(formatRefused('send_approve', 'refused', after('PASSKEY_RECOVERY_COOLDOWN'), null)).toContain('Nothing was moved.');
  expect(formatRefused('transfer_start', 'approved', after('PASSKEY_RECOVERY_COOLDOWN'), null)).toBeNull();
  expect(formatRefused('transfer_start', 'refused', after('SOMETHING_ELSE'), null)).toBeNull();
  expect(formatRefused('item_sale', 'lapsed', after('not_covered'), null)).toContain('don’t cover this');
  expect(formatRefused('item_sale', 'lapsed', after('some_code'), null)).toBeNull();
  expect(formatRefused('transfer_start', 'done', after('TRANSFER_POLICY_VIOLATION'), null)).toBeNull();
  for (const code of [null, 'rate_limit_exceeded'])
    expect(formatRefused('payment_link', 'refused', after(code), 429)).toContain('in a few minutes');
  expect(formatRefused('payment_link', 'refused', after(null), 400)).toBeNull();
  expect(formatRefused('milestone', 'refused', after(null), 409)).toContain('isn’t set up for loyalty');
  expect(formatRefused('milestone', 'refused', after(null), 422)).toBeNull();
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
  ['card_confirm', null, { setup_intent_id: 'seti_1' }, null, 'Card confirmation of set-up seti_1 for Asa Venn'],
] as const)('the title of a %s names its amount or name, and its player', (kind, amount, request, coins, title) => {
  expect(formatActionTitle({ kind, amount, request, coins }, 'Asa Venn')).toBe(title);
});
