import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

/** Any Unicode character, as a unit of `fc.string`. Equal to fast-check's `binary`, which takes most of a second to prepare in each process. */
export const ANY_CHARACTER = fc
  .nat(0x10ffff - SURROGATES.count)
  .map((code) => String.fromCodePoint(code < SURROGATES.from ? code : code + SURROGATES.count));
