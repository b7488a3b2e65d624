// Credentials and one-time codes of documents 1 to 3, and whatever test codes the sandbox adds under a name like theirs.
const SECRET_NAME = /token|secret|password|(^|_)(code|codes|otp|pin|url)$|client_side_key|verification_uri|payment_method_id|device_label/i;
const PLAIN_CODES = new Set([
  'error_code',
  'error_code_public',
  'reason_code',
  'failure_code',
  'decline_code',
  'currency_code',
  'country_code',
  'item_code',
  // What a game writes into its metadata: names of campaigns, languages and results, which open nothing.
  'promo_code',
  'campaign_code',
  'referral_code',
  'language_code',
  'locale_code',
  'region_code',
  'status_code',
]);
const PLAIN_URLS = /^(logo|art|image|icon|thumbnail)_url$/i;

/** Whether a field of this name can open or move something for anyone who holds its value. */
export function isSecretName(given: string): boolean {
  // claimCode as claim_Code.
  const name = given.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2');
  return SECRET_NAME.test(name) && !PLAIN_CODES.has(name.toLowerCase()) && !PLAIN_URLS.test(name);
}

/** Whether a field of this name holds a phone number. */
export function isPhoneName(name: string): boolean {
  return /phone|msisdn/i.test(name);
}

// Digits that are no phone, else a run of digits in groups as phones are written, with or without a plus.
const UUID = String.raw`(?<![\da-f])[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}(?![\da-f])`;
const DATE = String.raw`(?<!\d)(?:(?:19|20)\d\d-\d\d-\d\d|\d\d?(?<mark>[./-])\d\d?\k<mark>(?:19|20)\d\d)(?!\d)`;
const HOST = String.raw`(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])`;
const DIALLED = String.raw`(?:\+|%2b|(?<![\p{L}\d])(?:tel|phone|mobile|sms)[-:.])[\s+]{0,3}`;
const NUMBER = String.raw`\(?\d(?:(?:[^\S\n]|[()\u2010-\u2015\u2212-]){0,3}\d|[./]\d)*`;
const RUNS = new RegExp(`(?<kept>${UUID}|${DATE}|${HOST})|(?<dialled>${DIALLED})?(?<number>${NUMBER})`, 'giu');
// What calls the number after it an id or an amount, as a word of a sentence or at the end of a field's name.
const CALLED_OTHERWISE =
  /(?:[$€£]|\b(?:(?:order|transaction|transfer|payment|invoice|receipt)(?: (?:no\.?|number))?|ids?|ref|reference|period|subscription|digest|amount|balance|total|fees?|price|usd|coins|count|quantity|timestamp))[\s#:="“'(]*$/i;
const PART_OF_ID_BEFORE = /(?:[\p{L}\d_][-.]?|\d:)$/u;
const PART_OF_ID_AFTER = /^(?:[\p{L}_]|[-:][\p{L}\d_]|,\d\d(?!\d))/u;
const DECIMAL = /^(?:0|[1-9]\d{0,2}(?:\s\d{3})+|[1-9]\d*)\.\d+$/;
// Unix time in seconds and milliseconds: a number of country code 1 has 11 digits.
const UNIX_TIME = /^1(?:\d{9}|\d{12})$/;

/**
 * Text with every phone number in it masked; `name` is the field that holds it. With a plus it has at least 7 digits. Without one, 7 behind a zero or
 * a bracket, else 9 in groups or 10 to 15 in one, and nothing may call it an id, an amount or a time.
 */
export function maskPhonesIn(text: string, mask: (phone: string) => string, name = ''): string {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
  return text.replaceAll(RUNS, (run: string, ...rest: unknown[]) => {
    const { kept, dialled, number = '' } = rest.at(-1) as Partial<Record<'kept' | 'dialled' | 'number', string>>;
    const digits = number.replaceAll(/\D/g, '').length;
    if (kept !== undefined) return run;
    if (dialled !== undefined) return digits >= 7 ? mask(run) : run;
    const index = Number(rest.at(-3));
    const before = text.slice(Math.max(0, index - 40), index);
    const isPart = PART_OF_ID_BEFORE.test(before) || PART_OF_ID_AFTER.test(text.slice(index + run.length));
    return isPart || CALLED_OTHERWISE.test(`${words} ${before}`) || !isLikePhone(number, digits) ? run : mask(run);
  });
}

function isLikePhone(number: string, digits: number): boolean {
  if (DECIMAL.test(number) || UNIX_TIME.test(number)) return false;
  if (/^[(0]/.test(number)) return digits >= 7;
  return /\D/.test(number) ? digits >= 9 : digits >= 10 && digits <= 15;
}
