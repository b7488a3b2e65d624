import fs from 'node:fs';
import { expect, test } from 'vitest';
import { readSources } from './read-sources.ts';

// Words that make a person read twice, kept out of everything a person sees: texts in quotes and between tags, of app and lib.
const UNCLEAR = /\b(shall|whoever|anew|begun|mend(?:ed|s)?|is told|was told|as it comes|somebody|a person said|carried out|lets in)\b/i;

test('no text that people see contains unclear words', () => {
  const found = readSources()
    .filter((file) => /^(app|lib)\//.test(file.path) && !file.isTest)
    .flatMap(({ path, text }) => textsOf(text).flatMap((shown) => (UNCLEAR.test(shown) ? [`${path}: ${shown.trim().slice(0, 100)}`] : [])));
  expect(found).toEqual([]);
});

test('no comment, name or page of documentation contains them either', () => {
  const pages = fs.globSync('{README.md,{app,lib,db,e2e,.github}/**/*.md}').map((path) => ({ path, text: fs.readFileSync(path, 'utf8') }));
  const found = [...readSources().filter(({ path }) => path !== 'lib/architecture/plain-language.test.ts'), ...pages].flatMap(
    ({ path, text }) =>
      text.split('\n').flatMap((line, at) => (UNCLEAR.test(line) ? [`${path}:${at + 1}: ${line.trim().slice(0, 100)}`] : [])),
  );
  expect(found).toEqual([]);
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
