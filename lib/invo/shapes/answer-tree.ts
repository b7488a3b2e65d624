import * as z from 'zod';
import { ExactNumber } from '#lib/core/exact-json.ts';
import { isPhoneName, isSecretName, maskPhonesIn } from '#lib/core/hidden-names.ts';
import { parseInstant } from '#lib/core/instant.ts';
import { maskEmail } from '#lib/core/mask-email.ts';
import { parseMoney } from '#lib/core/money.ts';
import { storableText } from '#lib/core/typed-input.ts';
import type { Mismatch } from './fields.ts';

/**
 * A whole answer as a person may see it and Sharebook may store it: without secrets and players' names, with emails and phones masked.
 * A number stays a number: it is no amount, because Invo's amounts are text.
 */
export type AnswerTree = null | boolean | number | ExactNumber | string | AnswerTree[] | { [name: string]: AnswerTree };
export type AnswerFields = { [name: string]: AnswerTree };

// About twenty thousand rows of a list. The bytes and values of an answer are bounded before it is parsed; pages show the first of them.
const NODES_MAX = 250_000;
const DEPTH_MAX = 16;
const TEXT_MAX = 20_000;

/** Parsed JSON as the type that it has: JSON.parse makes nothing else. */
export function jsonOf(parsed: unknown): AnswerTree {
  return parsed as AnswerTree;
}

/** The shape of an answer that is read from its tree; `refuse` ends the reading with the field at fault. */
export function treeShape<T>(
  reshape: (tree: AnswerTree, refuse: (path: string, reason: string) => never, json: unknown) => T,
): z.ZodType<T> {
  return z.transform<unknown, T>((json, context) => {
    const refuse = (path: string, message: string): never => {
      context.issues.push({ code: 'custom', input: null, path: [path], message });
      return z.NEVER;
    };
    const tree = parseAnswerTree(json);
    return tree.isSound ? reshape(tree.value, refuse, json) : refuse(tree.path, tree.reason);
  });
}

/** Makes the tree of an answer, or names the bound it breaks. */
export function parseAnswerTree(json: unknown): { isSound: true; value: AnswerTree } | ({ isSound: false } & Mismatch) {
  const bound = { left: NODES_MAX };
  const tree = treeOf(json, '', DEPTH_MAX, bound);
  if (tree === undefined)
    return {
      isSound: false,
      path: 'body',
      reason: `expected at most ${NODES_MAX} values, ${DEPTH_MAX} levels deep, and no text longer than ${TEXT_MAX} characters`,
    };
  return { isSound: true, value: tree };
}

function treeOf(value: unknown, name: string, depth: number, bound: { left: number }): AnswerTree | undefined {
  bound.left -= 1;
  if (bound.left < 0 || depth < 0) return undefined;
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return isPhoneName(name) ? maskPhone(String(value)) : value;
  if (value instanceof ExactNumber) return isPhoneName(name) ? maskPhone(value.digits) : value;
  if (typeof value === 'string') return value.length > TEXT_MAX ? undefined : maskText(name, storableText(value));
  if (Array.isArray(value)) return allOf(value.map((each) => treeOf(each, name, depth - 1, bound)));
  if (typeof value !== 'object') return null;
  const fields: AnswerFields = {};
  for (const [key, each] of Object.entries(value)) {
    if (isSecretName(key) || PERSON_NAME.test(key)) continue;
    const tree = treeOf(each, key, depth - 1, bound);
    if (tree === undefined) return undefined;
    // Emails can be keys: an answer may be an object by email.
    Object.defineProperty(fields, maskText('', storableText(key)), { value: tree, enumerable: true, configurable: true, writable: true });
  }
  return fields;
}

function allOf(trees: (AnswerTree | undefined)[]): AnswerTree[] | undefined {
  const whole = trees.filter((tree) => tree !== undefined);
  return whole.length === trees.length ? whole : undefined;
}

// Who a person is: stored answers hold their id only, so that an erasure has nothing to find in them.
const PERSON_NAME = /(^|_)player_name$|^(first|last|full)_name$/i;

function maskText(name: string, text: string): string {
  if (isPhoneName(name)) return maskPhone(text);
  const withoutEmails = text.replaceAll(/[^\s<>"',;()]+(?:@|%40)[^\s<>"',;()]+/gi, (email) => maskEmail(email.replace(/%40/i, '@')));
  return maskPhonesIn(withoutEmails, maskPhone, name);
}

/** A phone number of which two digits are left, enough to compare it with one a player reads out. */
export function maskPhone(text: string): string {
  if (text.startsWith('••••')) return text;
  const digits = text.replaceAll(/\D/g, '');
  return digits.length < 5 ? '••••' : `•••• ${digits.slice(-2)}`;
}

/** A value as text, where it is one; null: absent, a list, or an object. */
export function textOf(value: AnswerTree | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** An id as text: Invo gives some as text and some as whole numbers. */
export function idOf(value: AnswerTree | undefined): string | null {
  if (value instanceof ExactNumber) return /^\d+$/.test(value.digits) ? value.digits : null;
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : textOf(value);
}

/** An amount as Invo wrote it; null where it is absent or no plain decimal text. */
export function moneyOf(value: AnswerTree | undefined): string | null {
  return parseMoney(value ?? null);
}

/** An instant in UTC; null where it is absent or none. */
export function instantOf(value: AnswerTree | undefined): string | null {
  return typeof value === 'string' ? parseInstant(value) : null;
}

/** Whether a value is an object. */
export function isFields(value: AnswerTree | undefined): value is AnswerFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}
