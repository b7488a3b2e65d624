import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#lib/start/data-folder.ts';
import { kindOfTest, listTestFiles } from './test-files.ts';

/** What a test does that luck must not decide, by the text of its file. */
const DECISIVE = {
  'kills a process': /'SIGKILL'/,
  'plays histories': /\bplayHistories\(/,
  'reads a golden file': /\bgolden\b/,
};

const files = listTestFiles().map((file) => ({ file, text: fs.readFileSync(path.join(ROOT, file), 'utf8') }));
/** Unit tests are never retried, whatever their tags. */
const isRetried = (file: string): boolean => kindOfTest(file) !== 'unit';

test.each(Object.entries(DECISIVE))('a file that %s has the tag no-retry', (_, sign) => {
  const found = files.filter(({ text }) => sign.test(text));
  expect(found).not.toEqual([]);
  expect(
    found.filter(({ file, text }) => isRetried(file) && !/@module-tag no-retry|'@no-retry'/.test(text)).map(({ file }) => file),
  ).toEqual([]);
});

test('each feature with integration tests has some in npm test', () => {
  const features = Object.groupBy(
    files.filter(({ file }) => kindOfTest(file) === 'int' && file.startsWith('lib/')),
    ({ file }) => file.split('/', 2).join('/'),
  );
  const left = Object.entries(features).filter(([, own]) => own?.every(({ text }) => text.includes('@module-tag proof')));
  expect(left.map(([feature]) => feature)).toEqual([]);
});
