import { ACCOUNT_TEXT } from '../approvals/text.ts';
import type { MilestoneEvent, SwitchedGroup } from './rules/kinds.ts';

/** What each group of desk actions is called, and what turning it on allows. */
export const GROUP_TEXT: Readonly<Record<SwitchedGroup, { label: string; sentence: string }>> = {
  payments: { label: 'Payments', sentence: 'Confirm a payment or a card after the bank’s check, and make payment links.' },
  milestones: {
    label: 'Milestones',
    sentence: 'Report a milestone that was lost in an outage. Rewards of real value can unlock. Always with a second person.',
  },
  items: { label: 'Item sales', sentence: 'Sell an item for a player’s coins. Your game delivers it.' },
  sends: { label: 'Sends', sentence: 'Send coins of a house account to a player.' },
  rewards: { label: 'Rewards', sentence: 'Redeem a reward for a player who can’t open the game’s page. Always with a second person.' },
  transfers: { label: 'Transfers', sentence: 'Start, claim and receive transfers for a player. The player’s own phone approves.' },
};

/** What each type of event is called. */
export const MILESTONE_EVENT_TEXT: Readonly<Record<MilestoneEvent, string>> = {
  'game.milestone.reached': 'Milestone',
  'game.custom.recorded': 'Custom event',
};

/** Why a switch isn’t set. */
export const SWITCH_REFUSALS = {
  not_allowed: 'Only an admin can do this. Nothing was changed.',
  no_change: 'This was changed in the meantime. Reload the page.',
  ...ACCOUNT_TEXT,
} as const;

/** The result of setting a switch. */
export const SWITCH_RESULTS = {
  on: 'Turned on. People can request these actions now.',
  off: 'Turned off. No new ones are sent to Invo.',
  waits: 'Requested. It applies once a second person confirms it.',
} as const;

/** Why the names of milestones don’t change. */
export const MILESTONE_REFUSALS = {
  not_allowed: SWITCH_REFUSALS.not_allowed,
  not_a_name: 'Enter the name as it is registered with Invo: 1 to 100 letters, digits or signs without accents.',
  not_a_label: 'Enter what people call it, in 1 to 100 characters.',
  no_change: 'This name was added or removed already. Reload the page.',
} as const;
