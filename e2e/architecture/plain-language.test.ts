import fs from 'node:fs';
import { expect, test } from 'vitest';
import { readSources } from './read-sources.ts';

// Words that make a person read twice, banned from everything a person sees: texts in quotes and between tags, of app and lib.
const UNCLEAR = /\b(shall|whoever|anew|begun|mend(?:ed|s)?|is told|was told|as it comes|somebody|a person said|carried out|lets in)\b/i;

// Words that were given up for the field's standard ones, in pages of documentation: requested, stored, reported, position, state, transport.
const RETIRED =
  /\b(asked|kept|keeps|told|heard|standing|stands(?! behind)|roads?|rooms?|doors?|goes on|go on|at work|(?:is|are) said|the book|of it|(?:its|the) place|place in (?:a|the) list|hindrance|looked after|trouble|the desk)\b/i;

// The same in comments, titles of tests and names of code. A name in backticks is a stored one: a column, a key of JSON, a state.
const RETIRED_IN_CODE =
  /\b(asked|asks|kept|keeps|told|heard|standing|stands|roads?|goes on|go on|at work|(?:is|are) said|the book|hindrance|looked at|trouble|(?<!decimal )places)\b/i;
const RETIRED_NAMES =
  /\b(?:asked|kept|told|heard|wish|road|standing)\b|\b(?:Asked|Kept|Told|Heard|Road)[A-Z]\w*|\w*[a-z](?:Asked|Kept|Told|Heard|AtWork|LookAt|Road)(?![a-z])\w*|\w+_KEPT\b/;
// Prepositions as names of variables. `from` and `to` are the two ends of a range.
const PREPOSITION = /\b(?:const|let) (?:of|at|on)\b|\[(?:of|at|on), |\((?:of|at|on): |[(,] ?(?:of|at|on)\)? =>/;

// Texts and keys that are stored, one of them in the digest that an approval binds.
const STORED_NAMES: Record<string, string> = {
  'lib/core/hidden-names.ts': 'kept',
  'lib/refunds/rules/refund.ts': 'wish',
  'lib/refunds/rules/audit-actions.ts': 'heard',
  'lib/invo/shapes/answer-tree.test.ts': 'kept',
};

// db/types.ts repeats the comments of the migrations, which never change.
const CHECKED = /^(app|lib|db|e2e)\/(?!types\.ts)/;
const COMMENT = /\/\*[\s\S]*?\*\/|(^|[\s;{}(,])\/\/[^\n]*/g;
const QUOTED = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
const THIS_FILE = 'e2e/architecture/plain-language.test.ts';

const PAGES = fs.globSync('{README.md,{app,lib,db,e2e,.github}/**/*.md}').map((path) => ({ path, text: fs.readFileSync(path, 'utf8') }));

test('no text that people see contains unclear words', () => {
  const found = readSources()
    .filter((file) => /^(app|lib)\//.test(file.path) && !file.isTest)
    .flatMap(({ path, text }) => textsOf(text).flatMap((shown) => (UNCLEAR.test(shown) ? [`${path}: ${shown.trim().slice(0, 100)}`] : [])));
  expect(found).toEqual([]);
});

test('no comment, name or page of documentation contains them either', () => {
  const found = [...readSources().filter(({ path }) => path !== THIS_FILE), ...PAGES].flatMap((page) => linesWith(UNCLEAR, page));
  expect(found).toEqual([]);
});

test('no page of documentation contains a retired word', () => {
  expect(PAGES.length).toBeGreaterThan(30);
  expect(PAGES.flatMap(({ path, text }) => linesWith(RETIRED, { path, text: withoutCode(text) }))).toEqual([]);
});

test('no comment of code contains a retired word', () => {
  const checked = readSources().filter(({ path }) => CHECKED.test(path) && path !== THIS_FILE);
  expect(checked.length).toBeGreaterThan(1000);
  const found = checked.flatMap(({ path, text }) =>
    commentsOf(text).flatMap((comment) => (RETIRED_IN_CODE.test(comment) ? [`${path}: ${comment.slice(0, 100)}`] : [])),
  );
  expect(found).toEqual([]);
});

test('no name of code is a retired word', () => {
  const checked = readSources().filter(({ path }) => CHECKED.test(path) && path.endsWith('.ts') && path !== THIS_FILE);
  const found = checked.flatMap(({ path, text }) => {
    const names = [...namesOf(text).matchAll(new RegExp(RETIRED_NAMES, 'g'))].map(([name]) => name);
    return names.flatMap((name) => (STORED_NAMES[path] === name ? [] : [`${path}: ${name}`]));
  });
  expect(found).toEqual([]);
});

test('no title of a test contains a retired word', () => {
  const titles = readSources()
    .filter(({ path, isTest }) => isTest && path !== THIS_FILE)
    .flatMap(({ path, text }) => titlesOf(text).map((title) => ({ path, title })));
  expect(titles.length).toBeGreaterThan(2000);
  const found = titles.filter(({ title }) => RETIRED_IN_CODE.test(title) || UNCLEAR.test(title));
  expect(found).toEqual([]);
});

test('no variable is named by a preposition', () => {
  const checked = readSources().filter(({ path }) => CHECKED.test(path) && path !== THIS_FILE);
  const found = checked.flatMap(({ path, text }) => linesWith(PREPOSITION, { path, text: namesOf(text) }));
  expect(found).toEqual([]);
});

test.each([
  ['/** The bytes are kept. */', true],
  ['const a = 1; // Invo was asked.', true],
  ['// The column `asked_at` and the state `kept`.', false],
  ["const a = 'The bytes are kept.';", false],
])('a comment of %j contains a retired word: %j', (code, isRetired) => {
  expect(commentsOf(code).some((comment) => RETIRED_IN_CODE.test(comment))).toBe(isRetired);
});

test.each([
  ["test('the bytes are kept', () => {});", 'the bytes are kept'],
  ["describe('a month', () => {});", 'a month'],
  ["test.each([['kept', 1]])('%s is a state', () => {});", '%s is a state'],
  ["test('one', { tag: '@kept' }, () => {});", 'one'],
  ["insert('kept');", undefined],
])('the title in %j is %j', (code, title) => {
  expect(titlesOf(code)[0]).toBe(title);
});

test.each([
  ['const of = 1;', true],
  ['rows.map((row, at) => at)', true],
  ['function read(on: string) {}', true],
  ['for (const [at, row] of rows) {}', true],
  ['const dates = [from, to];', false],
  ['rows.at(1)', false],
  ['for (const row of rows) {}', false],
])('a variable in %j is named by a preposition: %j', (code, isFound) => {
  expect(PREPOSITION.test(namesOf(code))).toBe(isFound);
});

test.each([
  ['const asked = 1;', true],
  ['type AskedWindow = string;', true],
  ['call(findAskedRaise);', true],
  ['const lookAt = 1;', false],
  ['change.lastLookAt = 1;', true],
  ["const a = 'asked'; // asked", false],
  ['const { asked_at } = row;', false],
])('a name in %j is a retired word: %j', (code, isRetired) => {
  expect(RETIRED_NAMES.test(namesOf(code))).toBe(isRetired);
});

test.each([
  ['The bytes are kept for 90 days.', true],
  ['Invo was asked twice.', true],
  ['The request at work is checked.', true],
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
  const withoutComments = code.replace(COMMENT, '$1');
  const quoted = [...withoutComments.matchAll(QUOTED)];
  const between = [...withoutComments.matchAll(/>([^<>{}=;]*[a-z]{2}[^<>{}=;]*)[<{]/g)];
  return [...quoted.map((match) => match[1] ?? match[2] ?? match[3] ?? ''), ...between.map((match) => match[1] ?? '')];
}

function linesWith(words: RegExp, { path, text }: { path: string; text: string }): string[] {
  return text.split('\n').flatMap((line, index) => (words.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 100)}`] : []));
}

/** The comments of code, without names in backticks. */
function commentsOf(code: string): string[] {
  return [...code.matchAll(COMMENT)].map(([comment]) => comment.replace(/`[^`\n]*`/g, '``'));
}

/** The titles of tests and of groups of tests. */
function titlesOf(code: string): string[] {
  const titles = code.matchAll(/(?:\b(?:test|it|describe)(?:\.\w+)*\(|\]\)\()\s*(?:'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/g);
  return [...titles].map(([, single, template]) => single ?? template ?? '');
}

/** Code without comments and quoted texts. */
function namesOf(code: string): string {
  return code.replace(COMMENT, ' ').replace(QUOTED, "''");
}

/** A page of documentation without its code: blocks, spans and addresses of links. Lines stay where they are. */
function withoutCode(page: string): string {
  return page
    .replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ''))
    .replace(/`[^`\n]*`/g, '``')
    .replace(/\]\([^)\n]*\)/g, ']()');
}
