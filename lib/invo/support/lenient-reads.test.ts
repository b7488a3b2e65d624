import { describe, expect, it } from 'vitest';
import { withValue } from '../testing/sample-answers.ts';
import { SAMPLE_EMAIL, samplePlayerBalances, samplePlayerCards, sampleSubscription } from '../testing/sample-support.ts';
import { playerBalances, playerCards } from './player-shapes.ts';
import { subscriptionRead } from './subscription-object.ts';

describe('a subscription', () => {
  it.each([
    ['no id', { player_email: SAMPLE_EMAIL }, { player_id: 9, player_email: SAMPLE_EMAIL, date_joined: null }],
    ['an id as text', { player_id: 'p-9', player_email: SAMPLE_EMAIL }, { player_id: 9, player_email: SAMPLE_EMAIL }],
    ['no day of joining', { player_id: 9, date_joined: '', identity_id: {} }, { player_id: 9, date_joined: null, identity_id: null }],
    ['nothing', {}, { player_id: 9, player_email: null }],
    ['a list', [], null],
    ['a number', 9, null],
  ])('is read with a player block of %s', (_, block, player) => {
    const { subscription, player: read } = subscriptionRead.parse(withValue(sampleSubscription(), 'subscription.player', block));
    expect(subscription.amount_usd).toBe('20.00');
    expect(read).toEqual(player && expect.objectContaining(player));
  });
  it.each([
    'interval_count',
    'item_id',
    'current_period_start',
    'current_period_end',
    'period_seq',
    'next_charge_at',
    'trial_end',
    'canceled_at',
    'ended_at',
    'created_at',
    'updated_at',
    'revenue_share.percent',
    'revenue_share.recipient_player_id',
  ])('is read with a %s that says nothing', (field) => {
    for (const nothing of ['', {}]) {
      const read = subscriptionRead.parse(withValue(sampleSubscription(), `subscription.${field}`, nothing));
      expect(JSON.stringify(read.subscription)).toContain(`"${field.split('.').at(-1)}":null`);
    }
  });
});

describe('a player’s pages', () => {
  it.each([
    ['summary.total_value', 42],
    ['summary', 'rich'],
    ['last_updated', ''],
    ['player.date_joined', ''],
    ['player.identity_id', {}],
    ['balances.0.currency_id', {}],
    ['balances.0.total_balance', 12],
  ])('of balances are read with %s %j', (path, value) => {
    const wallet = playerBalances.parse(withValue(samplePlayerBalances(), path, value));
    expect(wallet.balances[0]?.available_balance).toBe('-12.50');
  });
  it.each(['created_at', 'exp_month', 'exp_year'])('of cards are read whatever the %s', (field) => {
    const { cards } = playerCards.parse(withValue(samplePlayerCards(), `cards.0.${field}`, ''));
    expect(cards).toMatchObject([{ id: 31, last_four: '4242', [field]: null }]);
  });
});
