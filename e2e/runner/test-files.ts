import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '#lib/start/data-folder.ts';

export type TestKind = 'unit' | 'int' | 'page' | 'browser';

export interface FoundTests {
  files: Record<TestKind, string[]>;
  /** Requested names that match no test. */
  missing: string[];
}

const ROOMS = ['app', 'db', 'e2e', 'lib'];
const SOURCE = /\.tsx?$/;

/** Which kind of test a file is, by its name; null: none. */
export function kindOfTest(file: string): TestKind | null {
  if (file.endsWith('.spec.ts')) return 'browser';
  if (file.endsWith('.page.test.ts')) return 'page';
  if (/\.int\.test\.tsx?$/.test(file)) return 'int';
  return /\.test\.tsx?$/.test(file) ? 'unit' : null;
}

/**
 * Finds the tests meant by each path: a test file, a folder, a source file (the tests beside it), or a part of a path.
 * `all` are paths from the top of the project.
 */
export function findTests(names: readonly string[], all: readonly string[] = listTestFiles()): FoundTests {
  const files: FoundTests['files'] = { unit: [], int: [], page: [], browser: [] };
  const missing: string[] = [];
  for (const each of names) {
    const wanted = path.relative(ROOT, path.resolve(ROOT, each));
    const found = firstMatch(all, [
      (file) => file === wanted || file.startsWith(`${wanted}/`),
      (file) => SOURCE.test(wanted) && file.startsWith(`${wanted.replace(SOURCE, '')}.`),
      (file) => file.includes(wanted),
      // A file that has moved since its path was written down.
      (file) => path.basename(file) === path.basename(wanted),
    ]);
    if (found.length === 0) missing.push(each);
    for (const file of found) {
      const kind = kindOfTest(file);
      if (kind && !files[kind].includes(file)) files[kind].push(file);
    }
  }
  return { files, missing };
}

/** Every test file of the project. Order: by path. */
export function listTestFiles(): string[] {
  return ROOMS.flatMap((room) => fs.readdirSync(path.join(ROOT, room), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && kindOfTest(entry.name) !== null)
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

function firstMatch(all: readonly string[], tries: ((file: string) => boolean)[]): string[] {
  return tries.map((isMeant) => all.filter(isMeant)).find((found) => found.length > 0) ?? [];
}
