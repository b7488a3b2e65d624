import fs from 'node:fs';
import { expect, test } from 'vitest';
import { readSources } from './read-sources.ts';

// Words that make a person read twice, kept out of everything a person sees: texts in quotes and between tags, of app and lib.
const UNCLEAR = /\b(shall|whoever|anew|begun|mend(?:ed|s)?|is told|was told|as it comes|somebody|a person said|carried out|lets in)\b/i;

// Words that were given up for the field's standard ones, in pages of documentation: requested, stored, reported, position, state, transport.
const RETIRED =
  /\b(asked|kept|keeps|told|heard|standing|stands(?! behind)|roads?|rooms?|doors?|goes on|go on|at work|(?:is|are) said|the book|of it|(?:its|the) place|place in (?:a|the) list|hindrance|looked after|trouble|the desk)\b/i;

const PAGES = fs.globSync('{README.md,{app,lib,db,e2e,.github}/**/*.md}').map((path) => ({ path, text: fs.readFileSync(path, 'utf8') }));

test('no text that people see contains unclear words', () => {
  const found = readSources()
    .filter((file) => /^(app|lib)\//.test(file.path) && !file.isTest)
    .flatMap(({ path, text }) => textsOf(text).flatMap((shown) => (UNCLEAR.test(shown) ? [`${path}: ${shown.trim().slice(0, 100)}`] : [])));
  expect(found).toEqual([]);
});

test('no comment, name or page of documentation contains them either', () => {
  const found = [...readSources().filter(({ path }) => path !== 'e2e/architecture/plain-language.test.ts'), ...PAGES].flatMap((page) =>
    linesWith(UNCLEAR, page),
  );
  expect(found).toEqual([]);
});

test('no page of documentation contains a retired word', () => {
  expect(PAGES.length).toBeGreaterThan(30);
  expect(PAGES.flatMap(({ path, text }) => linesWith(RETIRED, { path, text: withoutCode(text) }))).toEqual([]);
});

test.each([
  ['The bytes are kept for 90 days.', true],
  ['Invo was asked twice.', true],
  ['The request at work is finished.', true],
  ['A run that stands is closed.', true],
  ['Two people stand behind an account, and the operator stands behind the first.', false],
  ['The column `asked_until` and the table `kept`.', false],
  ['An approval asks for the password.', false],
])('the page %j contains a retired word: %j', (page, isRetired) => {
  expect(RETIRED.test(withoutCode(page))).toBe(isRetired);
});

test.each([
  [`const a = 'Whoever asks';`, true],
  [`return <p>It was told to Invo.</p>;`, true],
  ['const a = `${name} shall stay`;', true],
  [`// whoever reads this\nconst a = 1; /* begun */`, false],
  [`const begun = 1;`, false],
  [`return <p>Nothing was changed.</p>;`, false],
])('%j contains unclear words: %j', (code, isUnclear) => {
  expect(textsOf(code).some((shown) => UNCLEAR.test(shown))).toBe(isUnclear);
});

/** What stands in quotes and between tags; comments and code are left out. */
function textsOf(code: string): string[] {
  const withoutComments = code.replace(/\/\*[\s\S]*?\*\/|(^|[\s;{}(,])\/\/[^\n]*/g, '$1');
  const quoted = [...withoutComments.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)];
  const between = [...withoutComments.matchAll(/>([^<>{}=;]*[a-z]{2}[^<>{}=;]*)[<{]/g)];
  return [...quoted.map((match) => match[1] ?? match[2] ?? match[3] ?? ''), ...between.map((match) => match[1] ?? '')];
}

function linesWith(words: RegExp, { path, text }: { path: string; text: string }): string[] {
  return text.split('\n').flatMap((line, index) => (words.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 100)}`] : []));
}

/** A page of documentation without its code: blocks, spans and addresses of links. Lines stay where they are. */
function withoutCode(page: string): string {
  return page
    .replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ''))
    .replace(/`[^`\n]*`/g, '``')
    .replace(/\]\([^)\n]*\)/g, ']()');
}
