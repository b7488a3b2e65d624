import { maskEmailsIn } from '#lib/core/typed-input.ts';
import { isObject, NumberText, type SignedJson, type SignedObject } from './parse-body.ts';

/** One field of an event by its path in Invo's names, such as `data.refund.card_refunded_usd`. */
export interface ShownField {
  path: string;
  /** As it was signed; an amount keeps its digits. */
  text: string;
}

/** Codes and addresses that open or move something for whoever holds them. No document lists them in an event, and some leave its fields open. */
const SECRET_NAMES =
  /(^|_)(token|claim_code|device_code|user_code|code|checkout_url|client_secret|client_side_key|otp|pin|sms_pin|test_code)$/;
/** `failure_code` and the like name a reason. */
const PLAIN_CODES = /^(failure_code|error_code|reason_code|currency_code|country_code)$/;
const PHONE_NAME = /(^|_)phone(_|$)/;
const HIDDEN = '•••';

/** Whether an event carries what must not be stored. */
export function holdsSecret(data: SignedObject): boolean {
  return listFields(data, '', true).some(({ path }) => isSecretName(path));
}

/** The fields of an event as a person may see them: emails masked without the right to see them, phone numbers always. */
export function showFields(data: SignedObject, { canSeeEmails }: { canSeeEmails: boolean }): ShownField[] {
  return listFields(data, '', canSeeEmails);
}

function listFields(value: SignedJson, path: string, canSeeEmails: boolean): ShownField[] {
  if (Array.isArray(value))
    return value.length === 0 ? [{ path, text: '[]' }] : value.flatMap((each, at) => listFields(each, `${path}[${at}]`, canSeeEmails));
  if (isObject(value)) {
    const names = Object.keys(value);
    if (names.length === 0) return [{ path, text: '{}' }];
    return names.flatMap((name) => listFields(value[name] ?? null, path === '' ? name : `${path}.${name}`, canSeeEmails));
  }
  return [{ path, text: textOf(value, path, canSeeEmails) }];
}

function textOf(value: string | boolean | null | NumberText, path: string, canSeeEmails: boolean): string {
  if (value instanceof NumberText) return value.text;
  if (typeof value !== 'string') return String(value);
  if (PHONE_NAME.test(nameOf(path)) || isSecretName(path)) return HIDDEN;
  return canSeeEmails ? value : maskEmailsIn(value);
}

function isSecretName(path: string): boolean {
  const name = nameOf(path);
  return SECRET_NAMES.test(name) && !PLAIN_CODES.test(name);
}

function nameOf(path: string): string {
  return (path.split('.').at(-1) ?? '').replace(/\[\d+\]$/, '');
}

/** Two events under one key, field by field. */
export interface ComparedField {
  path: string;
  /** null: this one has no such field. */
  one: string | null;
  other: string | null;
}

/** Compares the fields of two events by their paths, in the order of the first. */
export function compareFields(one: readonly ShownField[], other: readonly ShownField[]): ComparedField[] {
  const second = new Map(other.map(({ path, text }) => [path, text]));
  const first = new Set(one.map(({ path }) => path));
  return [
    ...one.map(({ path, text }) => ({ path, one: text, other: second.get(path) ?? null })),
    ...other.filter(({ path }) => !first.has(path)).map(({ path, text }) => ({ path, one: null, other: text })),
  ];
}
