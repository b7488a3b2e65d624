import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './data-folder.ts';

const { dependencies } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };

/** `next build` installs these by itself, with all the rest, when it does not find them. */
test.each(['typescript', '@types/node', '@types/react'])('%s, which next build needs, is installed by npm start', (name) => {
  expect(dependencies).toHaveProperty([name]);
});
