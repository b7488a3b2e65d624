import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DESK_SHAPES, SHAPES } from './shapes.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

const readTests = (files: string[]): string[] =>
  files.map((file) => fs.readFileSync(path.join(ROOT, file), 'utf8')).filter((text) => /'shape'/.test(text));
const tests = ['lib', 'e2e'].flatMap((folder) => fs.globSync(`${folder}/**/*.{test,spec}.ts`, { cwd: ROOT }));

/** The tests outside the simulated Invo that choose how it answers. */
const texts = readTests(tests.filter((file) => !file.startsWith('e2e/upstream/')));

// What the contract leaves open is varied here, and a variation that no test requests is not tried.
describe('every variant of an answer that the contract doesn’t show is tried by a test of the product', () => {
  expectTried(SHAPES, texts);
});

// Sharebook doesn't call every one of these routes yet: what it can't try is tried here.
describe('every variant of an answer to a desk action is tried by a test', () => {
  expectTried(DESK_SHAPES, readTests(tests));
});

function expectTried(shapes: Record<string, readonly string[]>, from: string[]): void {
  const chosen = Object.entries(shapes).flatMap(([route, [, ...others]]) => others.map((variant): [string, string] => [route, variant]));
  test.each(chosen)('%s: %s', (route, variant) => {
    const ofRoute = from.filter((text) => text.includes(`'${route}'`) || text.includes(`${route}:`));
    // Quoted, alone or joined with others; a status as the first of its case.
    const named = new RegExp(`['+]${variant}['+]|^\\s*\\[${variant}, `, 'm');
    expect(ofRoute.some((text) => named.test(text))).toBe(true);
  });
}
