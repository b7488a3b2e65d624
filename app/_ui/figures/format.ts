import { datePartsOf, formatDay, formatMonth } from '#lib/core/instant.ts';
import { formatMoney, formatShare, formatUsd, parseMoney, signOfMoney, subtractMoney } from '#lib/core/money.ts';
import { countNoun, formatCount } from '#lib/core/strings.ts';

export { countNoun, formatCount, formatDay, formatMonth };

/** An instant in one zone, which it doesn’t name: `1 Oct 2026 00:00`, optionally with seconds. */
export function formatInstant(instant: string, timeZone: string, precision: 'minute' | 'second' = 'minute'): string {
  return `${formatDay(instant, timeZone)} ${formatTime(instant, timeZone, precision)}`;
}

/** An instant in UTC, with the zone: `1 Oct 2026 00:00 UTC`. */
export function formatUtc(instant: string, precision: 'minute' | 'second' = 'minute'): string {
  return `${formatInstant(instant, 'UTC', precision)} UTC`;
}

/** The time of day of an instant: `14:03:20`. */
export function formatTime(instant: string, timeZone: string, precision: 'minute' | 'second' = 'second'): string {
  const { hour, minute, second } = datePartsOf(instant, timeZone);
  return [hour, minute, ...(precision === 'second' ? [second] : [])].map((part) => String(part).padStart(2, '0')).join(':');
}

/** How long ago an instant was; an instant in the future is `just now`, because two clocks may differ slightly. */
export function formatAge(instant: string, now: string): string {
  return formatElapsed((Date.parse(now) - Date.parse(instant)) / 1_000);
}

/** The same for an age in seconds. */
export function formatElapsed(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${count(minutes, 'minute')} ago`;
  if (minutes < 48 * 60) return `${count(Math.floor(minutes / 60), 'hour')} ago`;
  return `${count(Math.floor(minutes / 1440), 'day')} ago`;
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}

const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.0+)?)?Z?(?![:.]?\d)/g;

/** A stored text with its UTC instants as days and times, the zone named once after the last; an instant with a fraction stays as it is. */
export function formatInstantsIn(text: string): string {
  const last = [...text.matchAll(INSTANT)].at(-1)?.index;
  return text.replace(INSTANT, (instant, position: number) => `${formatStored(instant)}${position === last ? ' UTC' : ''}`);
}

function formatStored(instant: string): string {
  const utc = instant.endsWith('Z') ? instant : `${instant}Z`;
  return formatInstant(utc, 'UTC', /T\d\d:\d\d(:00(\.0+)?)?Z$/.test(utc) ? 'minute' : 'second');
}

/** How an amount compares with an earlier one: `+$3,904.12 (+8.8%)`; without a percentage where the earlier one isn’t above zero. */
export function formatChange(amount: string, before: string): string {
  const change = subtractMoney(amount, before);
  if (signOfMoney(change) === 0) return 'No change';
  const share = signOfMoney(before) > 0 ? formatShare(change, before) : null;
  return share === null ? signed(formatUsd(change)) : `${signed(formatUsd(change))} (${signed(share)})`;
}

/** The same as one short figure: the percentage where there is one, else the amount. */
export function formatGrowth(amount: string, before: string): string {
  const change = subtractMoney(amount, before);
  if (signOfMoney(change) === 0) return '0.0%';
  return signed((signOfMoney(before) > 0 ? formatShare(change, before) : null) ?? formatMoney(change));
}

function signed(text: string): string {
  return `${text.startsWith('−') ? '' : '+'}${text.replace(' %', '%')}`;
}

/** One side of a check: amounts and counts with thousands separated, anything else as stored. */
export function formatSide(text: string): string {
  if (/^-?\d{1,15}$/.test(text)) return formatCount(Number(text));
  return parseMoney(text) === null ? text : formatMoney(text);
}

// Control, format, line and private characters, and lone surrogates: they change how a name looks without being visible.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u;
const JOINER = '\u200D';
const PICTURES = 0x2400;

/** A number of parsed JSON by its value; null where parsing may have changed that: a large ID becomes its neighbour. */
export function formatParsedNumber(value: number): string | null {
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? null : String(value);
}

/** A name with every invisible character made visible: a line feed is ␊, others are their code in brackets. */
export function showControls(text: string): string {
  const characters = Array.from(text);
  const show = (character: string, index: number): string => {
    if (!UNSEEN.test(character) || isPart(characters, index)) return character;
    return pictureOf(character.codePointAt(0) ?? 0);
  };
  return characters.map(show).join('');
}

/** The name of a player; without one, their number. */
export function formatPlayer(name: string | null, playerId: number): string {
  return name === null || name.trim() === '' ? `Player ${playerId}` : showControls(name);
}

/** The name of an item. */
export function formatItem(name: string | null): string {
  return name === null ? 'Item not reported' : showControls(name);
}

/** The joiner inside an emoji of several parts is part of the picture. */
function isPart(characters: string[], index: number): boolean {
  return characters[index] === JOINER && isEmoji(characters[index - 1]) && isEmoji(characters[index + 1]);
}

// By number and not by property: the server's and the browser's Unicode tables differ.
function isEmoji(character: string | undefined): boolean {
  const code = character?.codePointAt(0) ?? 0;
  return (code >= 0x1f000 && code <= 0x1faff) || (code >= 0x2600 && code <= 0x27bf) || code === 0xfe0f;
}

function pictureOf(code: number): string {
  if (code < 0x20) return String.fromCodePoint(PICTURES + code);
  return code === 0x7f ? '␡' : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}
