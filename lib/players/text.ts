import { formatDay } from '#lib/core/instant.ts';
import { formatUsd } from '#lib/core/money.ts';
import type { Tone } from '#lib/core/strings.ts';
import type { ChargeGroup, Likeness, RefundFact } from './rules/charges.ts';

type ReadKind = 'live' | 'stored' | 'not_found' | 'nothing';

/** The name of a player, or the id when Invo gave no name. */
export function formatPlayerName(name: string | null, playerId: number): string {
  return name === null || name.trim() === '' ? `Player ${playerId}` : name;
}

/**
 * What an empty list of subscriptions means. Invo answers an unknown email with an empty list too, so only a wallet shows that the
 * player exists.
 */
export function formatNoSubscriptions(list: ReadKind, wallet: ReadKind): string {
  const listed = list === 'live' ? 'Invo lists no subscriptions' : 'Invo listed no subscriptions when it last answered';
  if (wallet === 'live') return list === 'live' ? 'This player exists and has no subscriptions.' : `This player exists. ${listed}.`;
  if (wallet === 'not_found') return `${listed} and has no wallet for this player. The player may not exist.`;
  return wallet === 'stored'
    ? `${listed}. Sharebook couldn’t check whether the player still exists.`
    : `${listed}. Sharebook couldn’t check whether the player exists.`;
}

export interface StateText {
  label: string;
  tone: Tone;
}

/** The statuses of a card (document 1, Card). */
export const CARD_STATUSES = ['available', 'in_progress', 'completed', 'expired', 'in_review'] as const;
const CARD_TEXT: Record<(typeof CARD_STATUSES)[number], StateText> = {
  available: { label: 'Not started', tone: 'quiet' },
  in_progress: { label: 'In progress', tone: 'busy' },
  completed: { label: 'Completed', tone: 'good' },
  expired: { label: 'Expired', tone: 'quiet' },
  in_review: { label: 'Finished, reward being checked', tone: 'wait' },
};

/** The states of a step (document 1, Step). */
export const STEP_STATES = ['complete', 'open', 'locked'] as const;
const STEP_TEXT: Record<(typeof STEP_STATES)[number], StateText> = {
  complete: { label: 'Complete', tone: 'good' },
  open: { label: 'Open', tone: 'busy' },
  locked: { label: 'Locked', tone: 'quiet' },
};

/** The states of a reward (document 1, States and transitions). */
export const REWARD_STATES = ['unlocked', 'reserved', 'redeemed', 'expired', 'revoked'] as const;
const REWARD_TEXT: Record<(typeof REWARD_STATES)[number], StateText> = {
  unlocked: { label: 'Ready to redeem', tone: 'good' },
  reserved: { label: 'Reserved', tone: 'wait' },
  redeemed: { label: 'Redeemed', tone: 'quiet' },
  expired: { label: 'Expired', tone: 'quiet' },
  revoked: { label: 'Revoked', tone: 'bad' },
};

/** The text of a state; an undocumented one is shown as Invo wrote it. */
function wordsOf(text: Readonly<Record<string, StateText>>, state: string | null): StateText {
  if (state === null) return { label: 'Not reported', tone: 'quiet' };
  return (Object.hasOwn(text, state) ? text[state] : undefined) ?? { label: state, tone: 'quiet' };
}

/** The text of a card's status. */
export function cardStatusText(status: string | null): StateText {
  return wordsOf(CARD_TEXT, status);
}

/** The text of a step's state. */
export function stepStateText(state: string | null): StateText {
  return wordsOf(STEP_TEXT, state);
}

/** The text of a reward's state. */
export function rewardStateText(state: string | null): StateText {
  return wordsOf(REWARD_TEXT, state);
}

const ASK_INVO = 'This is a setting at Invo and doesn’t pass by itself; ask Invo to change it.';

/** What is shown instead of cards, and why: seven different situations. */
export const NO_CARDS = {
  none: { title: 'No loyalty cards', sentence: 'Invo offers this player no program in this game at the moment.' },
  not_found: { title: 'Not a loyalty player', sentence: 'Invo has no player with this email in this game’s loyalty.' },
  not_set_up: { title: 'Loyalty isn’t set up', sentence: `Invo says that this game isn’t set up for loyalty. ${ASK_INVO}` },
  not_migrated: {
    title: 'This game isn’t migrated at Invo',
    sentence: `Invo refuses loyalty for games it hasn’t migrated (TENANT_NOT_MIGRATED). ${ASK_INVO}`,
  },
  not_enabled: {
    title: 'In-app verification isn’t enabled',
    sentence: `Invo answers loyalty only where in-app verification is enabled, and in this environment it isn’t (sdk_verification_disabled). ${ASK_INVO}`,
  },
  waiting: { title: 'Waiting for the rate limit', sentence: 'Loyalty data isn’t stored, so nothing older can be shown.' },
  away: { title: 'Loyalty couldn’t be read', sentence: 'Loyalty data isn’t stored, so nothing older can be shown.' },
} as const;

/** What is known of the refunds of a charge; null: nothing is, because it wasn't reported or wasn't read. */
export const REFUND_FACT_TEXT: Record<RefundFact, StateText | null> = {
  none: { label: 'Not refunded', tone: 'quiet' },
  partial: { label: 'Partially refunded', tone: 'wait' },
  full: { label: 'Refunded in full', tone: 'bad' },
  dispute_lost: { label: 'Dispute lost', tone: 'bad' },
  rest_unknown: { label: 'Not refunded in full', tone: 'quiet' },
  unknown: null,
};

/** Shown where no two charges are alike; `uncompared`: how many have no known amount or time, so that nobody knows whether they are. */
export function formatNoneAlike(uncompared: number): string {
  if (uncompared === 0) return 'No two charges listed here have the same amount within 24 hours, or belong to the same period.';
  return `No two charges whose amount and time are known have the same amount within 24 hours. No two belong to the same period. ${formatUncompared(uncompared)}`;
}

/** How many charges couldn’t be compared, and how to find out; nothing where all were. */
export function formatUncompared(count: number): string {
  if (count === 0) return '';
  const [charges, their, them] = count === 1 ? ['1 charge', 'its', 'it'] : [`${count} charges`, 'their', 'them'];
  return `${charges} couldn’t be compared: ${their} amount or time isn’t known. Open ${them} to read ${them} from Invo.`;
}

/** What a charge that is like another says in its row. */
export const LIKENESS_TEXT: Record<Likeness, string> = {
  same_amount: 'Same amount, within 24 hours',
  same_period: 'Same period',
  both: 'Same amount or period',
};

/** A group of charges that are alike, and what is known of their refunds: `2 charges of $20.00 on 14 Nov 2026`, `1 was refunded in full.` A day is one of `timeZone`. */
export function formatAlike({ likeness, charges }: ChargeGroup, timeZone: string): { title: string; refunds: string } {
  const [first] = charges;
  const [newest, oldest] = [first?.at, charges.at(-1)?.at].map((time) => (time ? formatDay(time, timeZone) : ''));
  const days = newest === oldest ? `on ${newest}` : `from ${oldest} to ${newest}`;
  const item = first?.kind === 'period' ? (first.period.item_name ?? first.period.subscription_id) : 'one subscription';
  const title =
    likeness === 'same_amount'
      ? `${charges.length} charges of ${formatUsd(first?.amount_usd ?? '0')} ${days}`
      : likeness === 'same_period'
        ? `${charges.length} charges for one period of ${item}`
        : `${charges.length} charges that share an amount within 24 hours, or a period`;
  return { title, refunds: formatRefunds(charges.map(({ refund }) => refund)) };
}

function formatRefunds(facts: readonly RefundFact[]): string {
  const count = (...wanted: RefundFact[]): number => facts.filter((fact) => wanted.includes(fact)).length;
  const was = (number: number): string => `${number} ${number === 1 ? 'was' : 'were'}`;
  const sentences = [
    ...(count('full') > 0 ? [`${was(count('full'))} refunded in full.`] : []),
    ...(count('partial') > 0 ? [`${was(count('partial'))} partially refunded.`] : []),
    ...(count('dispute_lost') > 0 ? [`${count('dispute_lost')} ended in a lost dispute.`] : []),
    ...(count('unknown') > 0 ? [`Refunds of ${count('unknown')} aren’t known.`] : []),
    ...(count('none') + count('rest_unknown') > 0 ? [`${was(count('none', 'rest_unknown'))} not refunded in full.`] : []),
  ];
  return count('none') === facts.length ? 'None was refunded.' : sentences.join(' ');
}

interface ChargeCoverage {
  /** Subscriptions whose periods were read, now or earlier. */
  read: number;
  /** Subscriptions Invo lists; null: the list wasn't read. */
  total: number | null;
  /** A subscription has more periods than one request returns. */
  hasOlder: boolean;
}

/** What a list of charges contains and what may be missing from it. */
export function formatChargeCoverage({ read, total, hasOlder }: ChargeCoverage): string {
  const renewals =
    total === null
      ? 'The player’s subscriptions weren’t read, so renewals may be missing.'
      : total === 0
        ? 'Invo lists no subscriptions.'
        : read < total
          ? `Periods of ${read} of ${total} subscriptions were read, so renewals may be missing.`
          : `Contains the paid periods of ${total === 1 ? 'the one subscription' : `all ${total} subscriptions`} Invo lists.`;
  const older = hasOlder ? ' Of a subscription with more than 100 periods only the newest are read.' : '';
  return `${renewals}${older} Invo doesn’t list a player’s purchases: only those Sharebook knows are here.`;
}
