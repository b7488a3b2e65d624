import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readSources } from '#e2e/architecture/read-sources.ts';
import { ROOT } from './data-folder.ts';

const { dependencies } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };

test('everything that ships imports only packages that npm start installs', () => {
  const imported = readSources()
    .filter((file) => !file.isTest)
    .flatMap((file) => file.imports.filter(({ isTypeOnly }) => !isTypeOnly).map(({ target }) => ({ path: file.path, target })))
    .filter(({ target }) => !/^(app|db|e2e|lib)\//.test(target) && !target.startsWith('node:') && !builtinModules.includes(target));
  const missing = imported.filter(({ target }) => !(packageOf(target) in dependencies));
  expect(imported.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

/** `next build` installs these by itself, with all the rest, when it does not find them. */
test.each(['typescript', '@types/node', '@types/react'])('%s, which next build asks for, is installed by npm start', (name) => {
  expect(dependencies).toHaveProperty([name]);
});

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
