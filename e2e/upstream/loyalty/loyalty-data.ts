import type { GameView } from '../game-view.ts';
import { formatInstant } from '../instant.ts';
import type { Json } from '../wire/answer.ts';
import { progressOf } from './progress.ts';
import { rewardOf, vaultOf } from './vault-data.ts';

const HOUR_MS = 3_600_000;

/** The cards of a player, moved on by what was reported and redeemed since. Only Asa Venn has any. */
export function cardsOfPlayer(view: GameView, playerId: number): Json[] {
  return playerId === 910_023 || playerId === 920_023 ? asaCards(view, playerId) : [];
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

function asaCards(view: GameView, playerId: number): Json[] {
  const { nowMs } = view;
  const { lanterns, stallVisit } = progressOf(view, playerId);
  const areLit = lanterns.current === lanterns.target;
  const rewardsOf = (program: string): Json[] =>
    vaultOf(view, playerId)
      .filter((entry) => entry.program === program)
      .map(rewardOf);
  return [
    card(nowMs, 'harbour', 'Harbour week', {
      steps_complete: areLit ? 2 : 1,
      steps: [
        step(0, 'buy_currency', 'Buy Lumens', 'complete', { current: 1, target: 1 }),
        step(1, 'custom_event', 'Light five lanterns', areLit ? 'complete' : 'open', lanterns),
        step(2, 'transfer_out', 'Send Lumens to Emberfall', areLit ? 'open' : 'locked', null),
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
      rewards: rewardsOf('done'),
    }),
    card(nowMs, 'new', 'Night market', {
      mode: 'rehearsal',
      // A visit that only the client reported is checked before the reward is released.
      status: stallVisit === null ? 'available' : stallVisit === 'server' ? 'completed' : 'in_review',
      steps_complete: stallVisit === null ? 0 : 1,
      window_ends_at: null,
      completed_at: stallVisit === null ? null : formatInstant(nowMs),
      steps: [
        stallVisit === null
          ? step(0, 'visit_stall', 'Visit a stall', 'open', { current: 0, target: 1 })
          : step(0, 'visit_stall', 'Visit a stall', 'complete', { current: 1, target: 1 }),
      ],
      steps_required: 1,
      rewards: rewardsOf('new'),
    }),
  ];
}
