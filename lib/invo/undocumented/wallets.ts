import { addressKey } from '#lib/balances/rules/address-list.ts';
import { joinBalances, type WalletBalance } from '#lib/balances/rules/balance-job.ts';
import { parseInstant } from '#lib/core/instant.ts';
import { parseMoney } from '#lib/core/money.ts';
import { storableText } from '#lib/core/typed-input.ts';

/** A player with what their wallet holds; no balances: a wallet of no currency. */
export interface Wallet {
  email: string | null;
  playerId: string | null;
  playerName: string | null;
  identityId: string | null;
  lastUpdated: string | null;
  balances: WalletBalance[];
}

/**
 * What an answer says of one address. `unknown`: Invo has no such player. `unreadable`: it says something Sharebook can't read as a wallet;
 * the reason is a word of ours, or Invo's code.
 */
type WalletAnswer = { kind: 'found'; wallet: Wallet } | { kind: 'unknown' } | { kind: 'unreadable'; reason: string };

/** What an answer to a batch says, by `addressKey`. */
export interface BatchAnswer {
  answers: Map<string, WalletAnswer>;
  /** Players or currencies met more than once: the later counts. */
  repeatedCount: number;
}

type Fields = Record<string, unknown>;

const TEXT_MAX = 1_000;
const EMAIL_MAX = 254;
const CURRENCIES_MAX = 1_000;
const UNKNOWN_LISTS = new Set(['not_found', 'notfound', 'unknown', 'missing', 'not_found_emails', 'unknown_emails']);
const ABSENT_CODE = /^(?:player_?)?not_?found$|^unknown(?:_player)?$|^no_such_player$/i;
const ENVELOPE_WORDS = new Set(['ok', 'success']);

/**
 * Reads the answer to a batch, whose shape document 2 doesn't show: a list, an object by email, or either inside an object; entries with
 * `player` and `balances`, or flat, one for each currency; unknown players as null, `found: false`, or in `not_found` or `errors`.
 * Null when nothing of it is any of these.
 */
export function parseBatchAnswer(json: unknown): BatchAnswer | null {
  const answer: BatchAnswer = { answers: new Map(), repeatedCount: 0 };
  return collect(json, answer, 2) ? answer : null;
}

/** Whether anything was a shape that is known; `depth`: how many objects around the list are looked through. */
function collect(json: unknown, answer: BatchAnswer, depth: number): boolean {
  if (Array.isArray(json)) {
    const entries = json.filter(isFields);
    for (const entry of entries) add(answer, parseWallet(entry));
    return json.length === 0 || entries.some((entry) => emailIn(entry) !== null);
  }
  if (!isFields(json)) return false;
  if (isEntry(json)) return add(answer, parseWallet(json));
  let isKnown = false;
  for (const [name, value] of Object.entries(json)) {
    if (UNKNOWN_LISTS.has(name.toLowerCase())) isKnown = addUnknown(answer, value) || isKnown;
    else if (name.toLowerCase() === 'errors') isKnown = addErrors(answer, value) || isKnown;
    else if (name.includes('@')) isKnown = add(answer, parseWallet(value, name)) || isKnown;
    else if (depth > 0 && typeof value === 'object' && value !== null) isKnown = collect(value, answer, depth - 1) || isKnown;
  }
  return isKnown;
}

function add(answer: BatchAnswer, { email, answer: reported, isFlat }: ReadWallet): boolean {
  if (email === null) return false;
  const key = addressKey(email);
  const before = answer.answers.get(key);
  if (before === undefined) answer.answers.set(key, reported);
  else if (isFlat && before.kind === 'found' && reported.kind === 'found') {
    const { balances, replacedCount } = joinBalances(before.wallet.balances, reported.wallet.balances);
    answer.answers.set(key, { kind: 'found', wallet: { ...reported.wallet, balances } });
    answer.repeatedCount += replacedCount;
  } else if (isFlat && before.kind === 'unreadable') {
    // One of the player's currencies can't be read, so the others alone would pass for the whole wallet.
    answer.repeatedCount += 1;
  } else {
    answer.answers.set(key, reported);
    answer.repeatedCount += 1;
  }
  return true;
}

function addUnknown(answer: BatchAnswer, value: unknown): boolean {
  const names = Array.isArray(value) ? value : isFields(value) ? Object.keys(value) : null;
  for (const each of names ?? []) {
    const error = isFields(each) ? errorIn(each, CODE_NAMES) : null;
    add(answer, { email: isFields(each) ? emailIn(each) : textIn(each), answer: error ?? { kind: 'unknown' }, isFlat: false });
  }
  return names !== null;
}

function addErrors(answer: BatchAnswer, value: unknown): boolean {
  const errors = Array.isArray(value) ? value : isFields(value) ? Object.entries(value).map(([email, error]) => ({ email, error })) : null;
  for (const error of errors ?? []) {
    if (!isFields(error)) continue;
    add(answer, { email: emailIn(error), answer: errorIn(error, CODE_NAMES) ?? unreadable('refused'), isFlat: false });
  }
  return errors !== null;
}

/** What an entry says by its error. Only a code that means the player says that there is none. null: it reports no error. */
function errorIn(entry: Fields, names: readonly string[]): WalletAnswer | null {
  const code = codeIn(entry, names);
  if (code !== null) return ABSENT_CODE.test(code) ? { kind: 'unknown' } : unreadable(code);
  return isReported(entry['error']) && entry['error'] !== false && entry['error'] !== '' ? unreadable('refused') : null;
}

interface ReadWallet {
  email: string | null;
  answer: WalletAnswer;
  /** An entry of one currency. */
  isFlat: boolean;
}

/** Reads one entry of a batch or record of a stream; `under`: the email it is listed under. */
export function parseWallet(value: unknown, under?: string): ReadWallet {
  const listed = under === undefined ? null : boundedEmail(under);
  if (value === null) return { email: listed, answer: { kind: 'unknown' }, isFlat: false };
  // An object by email may hold only the list of balances.
  const entry = Array.isArray(value) ? { balances: value } : value;
  if (!isFields(entry)) return { email: listed, answer: unreadable('shape'), isFlat: false };
  const named = emailIn(entry);
  const email = listed ?? named;
  if (listed !== null && named !== null && addressKey(listed) !== addressKey(named))
    return { email, answer: unreadable('other_player'), isFlat: false };
  const player = isFields(entry['player']) ? entry['player'] : entry;
  const held = entry['balances'] ?? player['balances'];
  const hasBalances = isReported(held) || entry['available_balance'] !== undefined;
  // Invo's error decides first: an entry without a wallet may be one that Invo couldn't read either.
  const error = errorIn(entry, hasBalances && entry['found'] !== false ? ERROR_NAMES : CODE_NAMES);
  if (error !== null) return { email, answer: error, isFlat: false };
  if (entry['found'] === false || (!hasBalances && entry['player'] === null)) return { email, answer: { kind: 'unknown' }, isFlat: false };
  if (!hasBalances) return { email, answer: unreadable('no_balances'), isFlat: false };
  const isFlat = held === undefined;
  const balances = isFlat ? readBalances([entry]) : readBalances(held);
  if (balances === null) return { email, answer: unreadable('amount'), isFlat };
  return { email, answer: { kind: 'found', wallet: { email, ...playerIn(player, entry), balances } }, isFlat };
}

function playerIn(player: Fields, entry: Fields): Omit<Wallet, 'email' | 'balances'> {
  const updated = entry['last_updated'] ?? player['last_updated'];
  return {
    playerId: idIn(player['player_id']),
    playerName: textIn(player['player_name']),
    identityId: idIn(player['identity_id']),
    lastUpdated: typeof updated === 'string' ? parseInstant(updated) : null,
  };
}

/** Null when one of them has an amount that is no plain decimal text: a JSON number may have lost digits. */
function readBalances(held: unknown): WalletBalance[] | null {
  if (!Array.isArray(held) || held.length > CURRENCIES_MAX) return null;
  const balances: WalletBalance[] = [];
  for (const each of held) {
    if (!isFields(each)) return null;
    const [available, reserved, total] = AMOUNTS.map((name) => parseMoney(each[name]));
    if (available === null || available === undefined) return null;
    if ((reserved === null && isReported(each['reserved_balance'])) || (total === null && isReported(each['total_balance']))) return null;
    const [currencyId, currencyName] = [idIn(each['currency_id']), textIn(each['currency_name'])];
    balances.push({ currencyId, currencyName, available, reserved: reserved ?? null, total: total ?? null });
  }
  return balances;
}

const AMOUNTS = ['available_balance', 'reserved_balance', 'total_balance'] as const;

function isReported(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function unreadable(reason: string): WalletAnswer {
  return { kind: 'unreadable', reason };
}

/** Whether an object is one entry itself and not a container of entries. */
function isEntry(fields: Fields): boolean {
  return isFields(fields['player']) || emailIn(fields) !== null;
}

function emailIn(fields: Fields): string | null {
  const player = fields['player'];
  if (isFields(player)) return emailIn(player) ?? boundedEmail(fields['player_email'] ?? fields['email']);
  return boundedEmail(fields['player_email'] ?? fields['email']);
}

function boundedEmail(value: unknown): string | null {
  const email = textIn(value)?.trim() ?? '';
  return email.includes('@') && email.length <= EMAIL_MAX ? email : null;
}

// The fields in which the documents name errors; a wallet may have a status, and a code of its currency.
const CODE_NAMES = ['error_code_public', 'error_code', 'code', 'error', 'status', 'reason'] as const;
const ERROR_NAMES = ['error_code_public', 'error_code', 'error'] as const;

/** The code of an error in one of the fields; an email never is one. */
function codeIn(fields: Fields, names: readonly string[]): string | null {
  for (const name of names) {
    const code = fields[name];
    if (typeof code === 'string' && /^[A-Za-z0-9_.-]{1,64}$/.test(code) && !ENVELOPE_WORDS.has(code.toLowerCase())) return code;
  }
  // Some errors hold another one.
  return isFields(fields['error']) ? codeIn(fields['error'], CODE_NAMES) : null;
}

function idIn(value: unknown): string | null {
  return typeof value === 'number' ? (Number.isSafeInteger(value) ? String(value) : null) : textIn(value);
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= TEXT_MAX ? storableText(value) : null;
}

/** Whether a parsed value is an object with fields. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
