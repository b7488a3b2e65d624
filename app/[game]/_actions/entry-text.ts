import type { HiddenValues } from '#app/_ui/forms/form.tsx';
import type { ActionFacts } from '#lib/actions/rules/action-facts.ts';
import { MILESTONE_EVENTS, parseMilestoneName } from '#lib/actions/rules/kinds.ts';
import {
  EVENT_VALUE,
  ITEM_ID,
  ITEM_NAME,
  misplacedTime,
  parsePhone,
  SECRET_ENTRY,
  SET_UP_ID,
  utcOf,
} from '#lib/actions/rules/typed-entries.ts';
import { formatActionAmount, MILESTONE_EVENT_TEXT, PRIVATE_TEXT, PRIVATE_TICKET_TEXT, TIME_TEXT } from '#lib/actions/text.ts';
import { formatMoney, multiplyMoney } from '#lib/core/money.ts';
import { isClientSecret, isPrivate, isPrivateReference, parseTypedAmount } from '#lib/core/typed-input.ts';

/** What the person types in the form of a kind. */
export type EntryKind = 'send' | 'transfer' | 'amount' | 'set_up' | 'item' | 'milestone' | 'event' | 'purchase' | 'card' | ClaimEntry;
type ClaimEntry = 'claim_code' | 'claim_phone';

/** What people enter in a form, by what was read: the player's phone too, where Invo named it. */
export function entryOf(entry: EntryKind | null, { claim_fields = [] }: Pick<ActionFacts, 'claim_fields'>): EntryKind | null {
  return entry === 'claim_code' && claim_fields.includes('player_phone') ? 'claim_phone' : entry;
}

/** What was typed, by the name of the field. */
export type Typed = Readonly<Record<string, string>>;

/** A name that an admin added, as the form sends it and as people call it. */
export interface MilestoneChoice {
  value: string;
  label: string;
}

/** A house account that coins are sent from. */
export interface HouseChoice {
  playerId: number;
  label: string;
  /** Why it can start nothing for a while; null: it can. */
  closed: string | null;
  /** Coins left of a day, where they aren’t whole; null: all are. */
  coinsLeft: string | null;
}

/** Why nothing can be sent for a while: from the chosen account, or from any; null: something can, or nothing is chosen from. */
export function closedBy(houses: readonly HouseChoice[], typed: Typed): string | null {
  const chosen = houses.find(({ playerId }) => String(playerId) === typed['house']);
  if (chosen !== undefined) return chosen.closed;
  return houses.every(({ closed }) => closed !== null) ? (houses[0]?.closed ?? null) : null;
}

/** What a form knows beside what is typed. */
export interface EntryFacts {
  /** What the player's coins are called; null: not reported. */
  coins: string | null;
  milestones: readonly MilestoneChoice[];
  /** Of a send: the game and who receives, and the accounts that coins can be sent from. */
  slug: string;
  houses: readonly HouseChoice[];
  about: HiddenValues;
}

/** Invo takes a link below 1,000 USD. */
const LINK_MAX = '999.99';
export const PHONE_HINT = 'With country code, such as +49 151 12345678.';
const QUANTITY_MAX = 9_999;
const NOT_A_SECRET = 'Use letters, digits and . _ : - only, without a long number.';
const CLIENT_SECRET = 'This is a client secret. Don’t enter or send it anywhere.';

/** The amount of what was typed, in the unit of its kind; null: none, or it isn't complete. */
export function amountOfEntry(entry: EntryKind | null, typed: Typed): string | null {
  if (entry === 'amount' || entry === 'purchase') return amountIn(typed['amount'], LINK_MAX);
  if (entry === 'send' || entry === 'transfer') return amountIn(typed['amount']);
  if (entry !== 'item') return null;
  const [price, quantity] = [amountIn(typed['unitPrice']), quantityIn(typed['quantity'])];
  return price === null || quantity === null ? null : multiplyMoney(price, quantity);
}

/** What a button says of what was typed: “of $20.00”, “3 × Sail dye for 37.50 Lumens”. */
function formatEntry(entry: EntryKind | null, typed: Typed, { coins, milestones }: EntryFacts): string | null {
  const amount = amountOfEntry(entry, typed);
  switch (entry) {
    case 'amount':
      return amount === null ? null : `of ${formatActionAmount('usd', amount)}`;
    case 'purchase':
      return amount === null ? null : `${formatActionAmount('usd', amount)} of coins`;
    case 'item':
      return amount === null ? null : `${typed['quantity']} × ${typed['itemName']} for ${formatActionAmount('coins', amount, coins)}`;
    case 'send':
    case 'transfer':
      return amount === null ? null : formatActionAmount('coins', amount, coins);
    case 'event':
      return formatEvent(typed['milestone'] ?? '');
    case 'milestone':
      return milestones.find(({ value }) => value === typed['milestone'])?.label ?? null;
    case 'set_up':
    case 'card':
    case 'claim_code':
    case 'claim_phone':
    case null:
      return null;
  }
}

/** What a button says before enough is typed, of kinds whose verb alone says too little. */
const UNTYPED: Readonly<Partial<Record<EntryKind, string>>> = {
  send: 'coins',
  transfer: 'coins',
  purchase: 'coins',
  item: 'an item',
  milestone: 'a milestone',
  event: 'an event',
};

/** What a button says of what is requested: what was typed, or what it will be about. Null: its verb says all. */
export function formatRequestedEntry(entry: EntryKind | null, typed: Typed, facts: EntryFacts): string | null {
  return formatEntry(entry, typed, facts) ?? (entry === null ? null : (UNTYPED[entry] ?? null));
}

/** What was typed, restated before it is requested. Of a phone only its end, of a secret nothing. */
export function listEntryFacts(
  entry: EntryKind | null,
  typed: Typed,
  { coins, milestones, houses, player }: EntryFacts & { player: string },
): { label: string; value: string }[] {
  const amount = amountOfEntry(entry, typed);
  const coinsTyped = amount === null ? 'None' : formatActionAmount('coins', amount, coins);
  const usd = amount === null ? 'None' : formatActionAmount('usd', amount);
  const phone = `Ends in ${(parsePhone(typed[entry === 'claim_phone' ? 'phone' : 'entered'] ?? '') ?? '').slice(-2)}`;
  const game = typed['gameName'] ?? '';
  const whom = { label: 'Player', value: player };
  switch (entry) {
    case 'send': {
      const house = houses.find(({ playerId }) => String(playerId) === typed['house']);
      return [
        { label: 'Amount', value: coinsTyped },
        { label: 'From house account', value: house === undefined ? 'None' : `${house.label} (player ${house.playerId})` },
        { label: 'To', value: player },
        { label: 'Receiver’s phone', value: phone },
        { label: 'Game', value: game },
      ];
    }
    case 'transfer':
      return [{ label: 'Amount', value: coinsTyped }, whom, { label: 'Player’s phone', value: phone }, { label: 'Into game', value: game }];
    case 'amount':
      return [{ label: 'Amount', value: usd }, whom];
    case 'purchase':
      return [{ label: 'Amount', value: usd }, whom, { label: 'Card', value: typed['saveCard'] === 'yes' ? 'Saved too' : 'Not saved' }];
    case 'item':
      return [
        { label: 'Item', value: `${typed['itemName']} (${typed['itemId']})` },
        whom,
        { label: 'Quantity × unit price', value: `${typed['quantity']} × ${formatMoney(amountIn(typed['unitPrice']) ?? '0.00')}` },
        { label: 'Total', value: coinsTyped },
      ];
    case 'event':
    case 'milestone':
      return [
        { label: 'Milestone', value: labelOf(milestones, typed) ?? eventNameIn(typed) },
        whom,
        { label: 'Value', value: typed['value']?.trim() || 'None' },
        { label: 'Happened (UTC)', value: (typed['occurredAt'] ?? '').replace('T', ' ') },
      ];
    case 'set_up':
      return [{ label: 'Card set-up', value: (typed['setUp'] ?? '').trim() }, whom];
    case 'claim_phone':
      return [whom, { label: 'Player’s phone', value: phone }];
    case 'card':
    case 'claim_code':
    case null:
      return [];
  }
}

/** The name in what a form sends of an event: its type, then its name. */
function eventNameIn(typed: Typed): string {
  return (typed['milestone'] ?? '').split(' ').slice(1).join(' ');
}

function labelOf(milestones: readonly MilestoneChoice[], typed: Typed): string | null {
  return milestones.find(({ value }) => value === typed['milestone'])?.label ?? null;
}

/** What is wrong with what was typed, by field: all of it, before anything is confirmed. `now`: by the clock of the browser. */
export function findEntryErrors(entry: EntryKind | null, typed: Typed, now: string): Record<string, string> {
  const text = (name: string): string => (typed[name] ?? '').trim();
  switch (entry) {
    case 'amount':
      return amountErrors(typed);
    case 'purchase':
      return { ...amountErrors(typed), ...secretError(text('entered'), 'Enter the token of a test card.') };
    case 'card':
      return text('entered') === '' ? {} : secretError(text('entered'), '');
    case 'claim_code':
      return secretError(text('entered'), 'Enter the claim code.');
    case 'claim_phone':
      return { ...secretError(text('entered'), 'Enter the claim code.'), ...phoneErrors(typed, 'phone') };
    case 'set_up':
      if (text('setUp') === '') return { setUp: 'Enter the ID of the card set-up.' };
      if (isClientSecret(text('setUp'))) return { setUp: CLIENT_SECRET };
      return SET_UP_ID.test(text('setUp')) ? {} : { setUp: NOT_A_SECRET };
    case 'item':
      return {
        ...(text('itemName') === '' ? { itemName: 'Enter the name that the player sees.' } : {}),
        ...(text('itemName') === '' || ITEM_NAME.test(text('itemName'))
          ? {}
          : { itemName: 'Use 1 to 100 characters, without an email and without a long number.' }),
        ...(text('itemId') === '' ? { itemId: 'Enter the ID of the item in your game.' } : {}),
        ...(text('itemId') === '' || ITEM_ID.test(text('itemId')) ? {} : { itemId: NOT_A_SECRET }),
        ...(quantityIn(typed['quantity']) === null ? { quantity: 'Enter a whole number from 1 to 9,999.' } : {}),
        ...(amountIn(typed['unitPrice']) === null ? { unitPrice: 'Enter a price above zero with at most two decimals.' } : {}),
      };
    case 'event':
    case 'milestone':
      return { ...nameError(entry, typed), ...valueError(text('value')), ...timeError(text('occurredAt'), now) };
    case 'send':
    case 'transfer':
      return {
        ...(entry === 'send' && text('house') === '' ? { house: 'Choose a house account.' } : {}),
        ...phoneErrors(typed, 'entered'),
        ...(text('gameId') === '' ? { gameId: 'Look up the games of this number, then choose one.' } : {}),
        ...(amountOfEntry(entry, typed) === null ? { amount: 'Enter an amount above zero with at most two decimals.' } : {}),
      };
    case null:
      return {};
  }
}

/** What is wrong with the reason of a request. It stays in Sharebook, so nothing private may be in it. */
export function findReasonErrors(typed: Typed, needsTicket: boolean): Record<string, string> {
  const [ticket, description] = [(typed['ticket'] ?? '').trim(), typed['description'] ?? ''];
  return {
    ...(needsTicket && ticket === '' ? { ticket: 'Enter the reference of the ticket.' } : {}),
    ...(isPrivateReference(ticket) ? { ticket: PRIVATE_TICKET_TEXT } : {}),
    ...(isPrivate(description) ? { description: PRIVATE_TEXT } : {}),
  };
}

/** Why the games of a number can’t be looked up; null: they can. */
export function phoneError(typed: Typed, name = 'entered'): string | null {
  return parsePhone(typed[name] ?? '') === null ? 'Enter the number with its country code: a plus, then 10 to 15 digits.' : null;
}

function phoneErrors(typed: Typed, name: 'entered' | 'phone'): Record<string, string> {
  const error = phoneError(typed, name);
  if (error !== null) return { [name]: error };
  const isSame = parsePhone(typed['phoneAgain'] ?? '') === parsePhone(typed[name] ?? '');
  return isSame ? {} : { phoneAgain: 'This isn’t the same number as above.' };
}

function amountErrors(typed: Typed): Record<string, string> {
  return amountIn(typed['amount'], LINK_MAX) === null ? { amount: 'Enter an amount above zero and at most $999.99, in whole cents.' } : {};
}

function secretError(typed: string, missing: string): Record<string, string> {
  if (typed === '') return { entered: missing };
  if (isClientSecret(typed)) return { entered: CLIENT_SECRET };
  return SECRET_ENTRY.test(typed) ? {} : { entered: NOT_A_SECRET };
}

function nameError(entry: 'event' | 'milestone', typed: Typed): Record<string, string> {
  const isMissing = (typed['milestone'] ?? '') === '';
  if (isMissing) return { milestone: entry === 'milestone' ? 'Choose a milestone.' : 'Enter the name.' };
  const isName = parseMilestoneName(eventNameIn(typed)) !== null;
  return isName ? {} : { milestone: 'Use 1 to 100 letters, digits or signs without accents.' };
}

function valueError(typed: string): Record<string, string> {
  const isOne = typed === '' || EVENT_VALUE.test(typed);
  return isOne ? {} : { value: 'Enter a number with at most three decimals, or a word without spaces.' };
}

function timeError(typed: string, now: string): Record<string, string> {
  if (typed === '' || Number.isNaN(Date.parse(utcOf(typed)))) return { occurredAt: 'Enter when it happened, with date and time.' };
  const misplaced = misplacedTime(utcOf(typed), now);
  return misplaced === null ? {} : { occurredAt: TIME_TEXT[misplaced] };
}

/** An event as its button names it: “milestone boss_1”. */
function formatEvent(typed: string): string | null {
  const type = MILESTONE_EVENTS.find((each) => typed.startsWith(`${each} `));
  return type === undefined ? null : `${MILESTONE_EVENT_TEXT[type].toLowerCase()} ${typed.slice(type.length + 1)}`;
}

function amountIn(text = '', max_usd?: string): string | null {
  const read =
    max_usd === undefined ? parseTypedAmount(text, { known_usd: '0.00' }) : parseTypedAmount(text, { known_usd: '0.00', max_usd });
  return 'amount_usd' in read ? read.amount_usd : null;
}

function quantityIn(text = ''): number | null {
  const quantity = /^[1-9]\d{0,3}$/.test(text.trim()) ? Number(text) : null;
  return quantity !== null && quantity <= QUANTITY_MAX ? quantity : null;
}
