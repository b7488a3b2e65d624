import { expect, test } from 'vitest';
import { parseSource, readSources } from './read-sources.ts';

test.each([
  [`import { a } from './b.ts';`, 'lib/x/b.ts', false],
  [`import type { A } from '../y/c.ts';`, 'lib/y/c.ts', true],
  [`import { type A } from './b.ts';`, 'lib/x/b.ts', false],
  [`import {\n  a,\n  b,\n} from '#db/kit/open.ts';`, 'db/kit/open.ts', false],
  [`export { a } from './b.ts';`, 'lib/x/b.ts', false],
  [`export * from './b.ts';`, 'lib/x/b.ts', false],
  [`export type { A } from './b.ts';`, 'lib/x/b.ts', true],
  [`import './b.ts';`, 'lib/x/b.ts', false],
  [`import "server-only";`, 'server-only', false],
  [`import pg from 'pg';`, 'pg', false],
  [`import type from './b.ts';`, 'lib/x/b.ts', false],
  [`import * as z from "zod";`, 'zod', false],
  [`const b = await import('./b.ts');`, 'lib/x/b.ts', false],
  [`type B = import('./b.ts').B;`, 'lib/x/b.ts', false],
])('%j imports %s, for its types only: %s', (text, target, isTypeOnly) => {
  expect(parseSource('lib/x/a.ts', text).imports).toEqual([{ target, isTypeOnly }]);
});

test.each([
  [`'use client';\nimport x from 'y';`, 'client'],
  [`// why\n"use server";`, 'server'],
  [`import x from 'y';\n'use client';`, null],
  [`export const a = 'use client';`, null],
])('%j is for %s', (text, directive) => {
  expect(parseSource('app/a.tsx', text).directive).toBe(directive);
});

test('all rooms are read', () => {
  const sources = readSources();
  for (const room of ['app/', 'db/', 'lib/core/', 'lib/invo/', 'lib/refunds/', 'e2e/upstream/'])
    expect(sources.filter((file) => file.path.startsWith(room)).length).toBeGreaterThan(10);
});
