// Credentials and one-time codes of documents 1 to 3, and whatever test codes the sandbox adds under a name like theirs.
const SECRET_NAME = /token|secret|password|(^|_)(code|codes|otp|pin)$|client_side_key|(^|_)url$/i;
const PLAIN_CODES = new Set([
  'error_code',
  'error_code_public',
  'reason_code',
  'failure_code',
  'decline_code',
  'currency_code',
  'country_code',
  'item_code',
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

/** Whether a text is a phone number as it is dialled from anywhere. */
export function isPhoneText(text: string): boolean {
  return /^\+\d[\d ().-]{6,}$/.test(text);
}
