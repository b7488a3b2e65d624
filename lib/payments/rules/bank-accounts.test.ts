import { expect, test } from 'vitest';
import { isBic, isIban, isInEea, isInSepa, isRoutingNumber } from './bank-accounts.ts';

test.each([
  ['DE89370400440532013000', true],
  ['FR1420041010050500013M02606', true],
  ['NO9386011117947', true],
  ['MT84MALT011000012345MTLCAST001S', true],
  ['DE89370400440532013001', false],
  ['DE98370400440532013000', false],
  ['DE89 3704 0044 0532 0130 00', false],
  ['de89370400440532013000', false],
  ['DE89', false],
  ['', false],
])('%j is an IBAN: %j', (text, isValid) => {
  expect(isIban(text)).toBe(isValid);
});

test.each([
  ['COBADEFFXXX', true],
  ['NWBKGB2L', true],
  ['UBSWCHZH80A', true],
  ['COBADEFFXX', false],
  ['cobadeff', false],
  ['COBADE1F', false],
  ['COBADEFO', false],
  ['', false],
])('%j is a BIC: %j', (text, isValid) => {
  expect(isBic(text)).toBe(isValid);
});

test.each([
  ['021000021', true],
  ['121000358', true],
  ['011401533', true],
  ['091000019', true],
  ['021000022', false],
  ['120100358', false],
  ['000000000', false],
  ['02100002', false],
  ['02100002A', false],
])('%j is a routing number: %j', (text, isValid) => {
  expect(isRoutingNumber(text)).toBe(isValid);
});

test.each([
  ['DE', true, true],
  ['IS', true, true],
  ['CH', false, true],
  ['GB', false, true],
  ['RS', false, true],
  ['US', false, false],
  ['TR', false, false],
])('the country %s lies in the EEA: %j, in SEPA: %j', (country, isEea, isSepa) => {
  expect([isInEea(`${country}00`), isInSepa(`${country}00`)]).toEqual([isEea, isSepa]);
});
