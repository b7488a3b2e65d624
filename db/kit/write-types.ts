import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeTypes } from './describe-types.ts';

const folder = path.join(import.meta.dirname, '../migrations');
const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
writeFileSync(
  path.join(import.meta.dirname, '../types.ts'),
  describeTypes(names.toSorted().map((name) => readFileSync(path.join(folder, name), 'utf8'))),
);
