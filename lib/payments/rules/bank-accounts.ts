/** The European Economic Area: a payment within it needs no BIC and no address. */
const EEA = new Set('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '));

/** Other countries whose IBANs the SEPA schemes reach, as of November 2026. Guernsey, Jersey and Man use GB. */
const SEPA_BEYOND_EEA = new Set('AD AL CH GB GI MC MD ME MK RS SM VA'.split(' '));

/** Whether a text is an IBAN without spaces whose check digits match (ISO 13616). */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false;
  const digits = [...text.slice(4), ...text.slice(0, 4)].map((letter) => Number.parseInt(letter, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

/** Whether a text is a BIC of 8 or 11 letters (ISO 9362), by the narrower pattern of pain.001.001.03. */
export function isBic(text: string): boolean {
  return /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?$/.test(text);
}

/** Whether a text is a routing number of a bank in the US: nine digits, weighted 3, 7, 1 they sum to a multiple of ten. */
export function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text) || text === '000000000') return false;
  const sum = [...text].reduce((total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0), 0);
  return sum % 10 === 0;
}

/** Whether the country of an IBAN, its first two letters, lies in the EEA. */
export function isInEea(iban: string): boolean {
  return EEA.has(iban.slice(0, 2));
}

/** Whether the SEPA schemes reach the country of an IBAN. */
export function isInSepa(iban: string): boolean {
  return isInEea(iban) || SEPA_BEYOND_EEA.has(iban.slice(0, 2));
}
