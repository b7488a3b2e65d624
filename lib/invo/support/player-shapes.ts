import * as z from 'zod';
import { count, flag, ifFits, instant, list, money, numericId, textId, words } from '../shapes/fields.ts';
import { pagination } from '../shapes/totals.ts';
import { player, subscriptionObject } from './subscription-object.ts';

// Far above what one game or one player honestly has; they only bound a lie.
const CURRENCIES_MAX = 1_000;
const CARDS_MAX = 1_000;

/** One page of a player's subscriptions, newest first; empty for a player Invo does not know. */
export const playerSubscriptions = z.object({ player_email: words, subscriptions: list(subscriptionObject, 100), pagination });

const balance = z.object({
  currency_id: ifFits(textId),
  currency_name: words,
  available_balance: money,
  reserved_balance: ifFits(money),
  total_balance: ifFits(money),
});

/** What a player's wallet holds, one balance a currency; coins, never dollars, and possibly below zero. */
export const playerBalances = z.object({
  player,
  balances: list(balance, CURRENCIES_MAX),
  summary: ifFits(z.object({ total_value: ifFits(money), currency_count: ifFits(count), has_funds: flag })),
  last_updated: ifFits(instant),
});

/** A saved card: the handle and what a person knows it by. Anything but four digits is no `last_four`, so that no more of a card is ever held. */
export const savedCard = z.object({
  id: numericId,
  last_four: z.transform<unknown, string | null>((value) => (typeof value === 'string' && /^\d{4}$/.test(value) ? value : null)),
  brand: words,
  exp_month: ifFits(count),
  exp_year: ifFits(count),
  created_at: ifFits(instant),
});

/** A player's saved cards, newest first, expired ones left out; empty for a player Invo does not know. */
export const playerCards = z.object({ cards: list(savedCard, CARDS_MAX) });

export type PlayerSubscriptions = z.infer<typeof playerSubscriptions>;
export type PlayerBalances = z.infer<typeof playerBalances>;
export type SavedCard = z.infer<typeof savedCard>;
export type PlayerCards = z.infer<typeof playerCards>;
