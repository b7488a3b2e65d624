import { formatUsd, normalizeMoney, parseMoney } from '#lib/core/money.ts';
import { formatRoles, parseRole, type Role } from '#lib/core/roles.ts';
import { capitalise, inWords } from '#lib/core/strings.ts';

/** How facts of the audit are called, and the words for values that are keys of the code, by the name of the fact. */
export interface Vocabulary {
  /** Of facts that are listed by themselves; another name is written in words. */
  labels: Readonly<Record<string, string>>;
  words: Readonly<Record<string, Readonly<Record<string, string>> | ((value: string) => string)>>;
}

/** A value as a person reads it; empty: there is none, or it is made of several. Digests are shortened. */
export function formatFact(vocabulary: Vocabulary, name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (Array.isArray(value))
    return areRoles(value) ? formatRoles(value) : value.map((item) => formatItem(vocabulary, name, item)).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object') return '';
  const text = String(value);
  const amount = name.endsWith('_usd') ? parseMoney(text) : null;
  if (amount !== null) return formatUsd(normalizeMoney(amount));
  const words = Object.hasOwn(vocabulary.words, name) ? vocabulary.words[name] : undefined;
  if (typeof words === 'function') return words(text);
  if (words !== undefined && Object.hasOwn(words, text)) return words[text] ?? text;
  if (/^[0-9a-f]{64}$/.test(text)) return `${text.slice(0, 12)}…`;
  // A key of the code, not what a person wrote.
  return /^[a-z]+(_[a-z0-9]+)+$/.test(text) ? inWords(text) : text;
}

/** An item of a list, on one line. */
function formatItem(vocabulary: Vocabulary, name: string, item: unknown): string {
  if (typeof item !== 'object' || item === null) return formatFact(vocabulary, name, item);
  return Object.entries(item)
    .map(([key, value]) => formatFact(vocabulary, key, value))
    .filter((text) => text !== '')
    .join(' ');
}

function areRoles(values: unknown[]): values is Role[] {
  return values.length > 0 && values.every((value) => parseRole(value) !== null);
}

/** Facts, each with its label: `Amount USD: $45.00`, `Roles: Finance → Admin` if it has both values, `Exact USD: Card fees 1.00, Payments 20.00` if it is made of several. */
export function listFacts(vocabulary: Vocabulary, facts: Record<string, unknown>): string[] {
  if (isChange(facts)) {
    const { before, after, ...rest } = facts;
    return [capitalise(formatSides(vocabulary, '', { before, after })), ...listFacts(vocabulary, rest)];
  }
  return Object.entries(facts).flatMap(([name, value]) => {
    const text = formatNested(vocabulary, name, value);
    return text === '' ? [] : [`${labelOf(vocabulary, name)}: ${text}`];
  });
}

/** A value with all that it is made of, on one line. */
function formatNested(vocabulary: Vocabulary, name: string, value: unknown): string {
  if (isOneLine(value)) return formatFact(vocabulary, name, value);
  const facts: Record<string, unknown> = { ...value };
  if (isChange(facts)) return formatSides(vocabulary, name, facts);
  const parts = Object.entries(facts).map(([key, part]) => [labelOf(vocabulary, key), formatNested(vocabulary, key, part)]);
  return parts.flatMap(([label, text]) => (text === '' ? [] : [`${label} ${text}`])).join(', ');
}

function isChange({ before, after }: Record<string, unknown>): boolean {
  return (before !== undefined || after !== undefined) && isOneLine(before) && isOneLine(after);
}

function formatSides(vocabulary: Vocabulary, name: string, { before, after }: Record<string, unknown>): string {
  return `${formatFact(vocabulary, name, before) || 'none'} → ${formatFact(vocabulary, name, after) || 'none'}`;
}

function labelOf({ labels }: Vocabulary, name: string): string {
  return Object.hasOwn(labels, name) ? (labels[name] ?? name) : capitalise(inWords(name));
}

function isOneLine(value: unknown): value is string | number | boolean | null | undefined | unknown[] {
  return typeof value !== 'object' || value === null || Array.isArray(value);
}

/** Who acts without a person, as the audit stores it, by how it is shown. */
const SHOWN_ACTORS: Readonly<Record<string, string>> = {
  worker: 'Sharebook',
  'command line': 'Command line',
  schedule: 'Schedule',
  'set-up link': 'Set-up link',
  'unknown person': 'Unknown person',
};

/** Who acted, as it is shown: an email, or what acted without a person. */
export function formatActor(actor: string): string {
  return Object.hasOwn(SHOWN_ACTORS, actor) ? (SHOWN_ACTORS[actor] ?? actor) : actor;
}

/** The stored names of who is shown by this name, typed in lower case. */
export function actorsShownAs(name: string): string[] {
  return [name, ...(name === 'sharebook' ? ['worker', 'Sharebook'] : [])];
}
