import { formatInstant } from '../instant.ts';
import type { Json } from '../wire/answer.ts';

const HOUR_MS = 3_600_000;

/** The cards of a player in the production game, by player id; a player that isn't here has none. */
export function cardsOfPlayer(playerId: number, nowMs: number): Json[] {
  return playerId === 910_023 ? asaCards(nowMs) : [];
}

function card(nowMs: number, id: string, title: string, fields: Json): Json {
  return {
    card_version: 1,
    mode: 'live',
    program_id: `prg_${id}`,
    quest_id: `qst_${id}`,
    quest_version: 3,
    campaign_id: `cmp_${id}`,
    title,
    description: `${title} for the harbour season.`,
    brand: { name: 'Northlight Games', logo_url: 'https://pictures.invalid/logo.png' },
    art_url: 'https://pictures.invalid/art.png',
    reward: { reward_id: `rwd_${id}`, name: 'Lantern skin' },
    order_mode: 'ordered',
    status: 'in_progress',
    starts_at: '2026-11-01T00:00:00.000Z',
    ends_at: '2026-12-01T00:00:00.000Z',
    completion_hours: 72,
    completion_note: null,
    window_ends_at: formatInstant(nowMs + 30 * HOUR_MS),
    completed_at: null,
    steps_required: 3,
    steps_complete: 1,
    steps: [],
    rewards: [],
    ...fields,
  };
}

function step(index: number, action: string, label: string, state: string, progress: Json | null): Json {
  return { step_id: `stp_${index}`, index, action, label, summary: `${label}, once.`, window_hours: null, state, progress };
}

function reward(id: string, state: string, fields: Json): Json {
  return {
    vault_entry_id: `00000000-0000-4000-8000-0000000000${id}`,
    reward_id: `rwd_${id}`,
    state,
    unlocked_at: '2026-11-15T10:00:00.000Z',
    expires_at: '2026-12-15T10:00:00.000Z',
    redeemed_at: null,
    code_masked: null,
    can_redeem: false,
    can_reveal_again: false,
    reveal_until: null,
    ...fields,
  };
}

function asaCards(nowMs: number): Json[] {
  return [
    card(nowMs, 'harbour', 'Harbour week', {
      steps: [
        step(0, 'buy_currency', 'Buy Lumens', 'complete', { current: 1, target: 1 }),
        step(1, 'custom_event', 'Light five lanterns', 'open', { current: 2, target: 5 }),
        step(2, 'transfer_out', 'Send Lumens to Emberfall', 'locked', null),
      ],
    }),
    card(nowMs, 'review', 'Lantern parade', {
      status: 'in_review',
      order_mode: 'any_order',
      steps_required: 2,
      steps_complete: 2,
      completed_at: '2026-11-20T18:00:00.000Z',
      window_ends_at: null,
      completion_hours: null,
      completion_note: 'Finish any time before the season ends.',
      steps: [step(0, 'win_match', 'Win a match', 'complete', null), step(1, 'buy_currency', 'Buy Lumens', 'complete', null)],
    }),
    card(nowMs, 'done', 'Founders’ regatta', {
      status: 'completed',
      steps_required: 1,
      steps_complete: 1,
      completed_at: '2026-11-15T10:00:00.000Z',
      steps: [step(0, 'custom_event', 'Finish the regatta', 'complete', { current: 1, target: 1 })],
      rewards: [
        reward('01', 'unlocked', { can_redeem: true }),
        reward('02', 'redeemed', {
          redeemed_at: '2026-11-18T08:00:00.000Z',
          code_masked: '••••••••7K2Q',
          can_reveal_again: true,
          reveal_until: formatInstant(nowMs + 10 * 60_000),
        }),
        reward('03', 'reserved', {}),
        reward('04', 'revoked', {}),
        reward('05', 'expired', { expires_at: '2026-11-19T00:00:00.000Z' }),
      ],
    }),
    card(nowMs, 'new', 'Night market', {
      mode: 'rehearsal',
      status: 'available',
      steps_complete: 0,
      window_ends_at: null,
      steps: [step(0, 'visit_stall', 'Visit a stall', 'open', { current: 0, target: 1 })],
      steps_required: 1,
    }),
  ];
}
