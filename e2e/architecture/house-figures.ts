import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { readSources, type SourceFile } from './read-sources.ts';

// What a maintainer has to open and to keep in mind, as figures with the limits they may not pass. `npm run check` prints them.
const ROOT = path.resolve(import.meta.dirname, '../..');
const SMALL_LINES = 25;
const GENERATED = /^db\/types\.ts$/;

interface Figure {
  name: string;
  value: number;
  limit: number;
}

/** Counts the house: lines, files, small files, climbing imports, what there is one of, and the files behind three walks. Input: every source file, and the paths git tracks. */
export function measureHouse(sources: SourceFile[], tracked: Set<string>): Figure[] {
  const ours = sources.filter(({ path: file, isTest }) => /^(app|lib|db)\//.test(file) && !isTest && tracked.has(file));
  const closure = closureOf(new Map(ours.map((file) => [file.path, file])));
  const lines = (file: SourceFile): number => file.text.split('\n').length - 1;
  return [
    { name: 'lines of TypeScript in app, lib and db, without tests', value: sumOf(ours.filter(isWritten), lines), limit: 116_780 },
    { name: 'source files of app, lib and db', value: ours.length, limit: 1_035 },
    { name: `files of ${SMALL_LINES} lines or less`, value: ours.filter((file) => lines(file) <= SMALL_LINES).length, limit: 63 },
    { name: 'imports that climb three folders or more', value: sumOf(sources, climbs), limit: 0 },
    { name: 'files outside db/kit that import pg', value: ours.filter(importsDriver).length, limit: 0 },
    { name: 'files that insert into the audit', value: ours.filter(writesAudit).length, limit: 1 },
    { name: 'npm packages that ship', value: countShippedPackages(), limit: 204 },
    { name: "files behind a month's page and its layout", value: closure(walk(ours, MONTH)), limit: 65 },
    { name: 'files behind the refund form, its page and its actions', value: closure(walk(ours, REFUND_FORM)), limit: 90 },
    { name: 'files behind pullWindow', value: closure(walk(ours, PULL)), limit: 63 },
    { name: 'folders with refund code', value: foldersOf(ours.filter(isRefundCode)), limit: 11 },
    { name: 'file names used twice', value: namesUsedTwice(ours), limit: 3 },
    { name: 'words in READMEs', value: wordsIn([...tracked].filter((file) => path.posix.basename(file) === 'README.md')), limit: 15_000 },
    { name: 'words in README.md', value: wordsIn(['README.md']), limit: 700 },
  ];
}

const MONTH = /^app\/\[game\]\/months\/\[month\]\/(page|layout)\.tsx$/;
const REFUND_FORM = /^app\/\[game\]\/periods\/\[periodId\]\/refund\/(page\.tsx|actions\.ts)$/;
const PULL = /^lib\/evidence\/pull\/pull-window\.ts$/;
// A route's files are named by the framework, and reads and writes by their room.
const NAMED_BY_ROOM = /^(page|layout|route|actions|text|reads|writes|not-found|error|loading)\.tsx?$/;

function sumOf(files: SourceFile[], figure: (file: SourceFile) => number): number {
  return files.reduce((sum, file) => sum + figure(file), 0);
}

function isWritten({ path: file }: SourceFile): boolean {
  return /\.tsx?$/.test(file) && !GENERATED.test(file);
}

function importsDriver({ path: file, imports }: SourceFile): boolean {
  return !file.startsWith('db/kit/') && imports.some(({ target }) => /^pg(-copy-streams|-cursor)?$/.test(target));
}

function writesAudit({ text }: SourceFile): boolean {
  return /insert into audit\b|insertInto\('audit'\)/i.test(text);
}

/** What `npm start` installs, on one platform or another. */
function countShippedPackages(): number {
  const { packages } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  return Object.entries(packages).filter(([name, { dev }]) => name !== '' && dev !== true).length;
}

/** How many files lie behind these, themselves included, without the design system and generated types. */
function closureOf(byPath: Map<string, SourceFile>): (entries: SourceFile[]) => number {
  return (entries) => {
    const seen = new Set<SourceFile>();
    const waiting = [...entries];
    for (let file = waiting.pop(); file; file = waiting.pop()) {
      if (seen.has(file) || file.path.startsWith('app/_ui/') || GENERATED.test(file.path)) continue;
      seen.add(file);
      waiting.push(...file.imports.flatMap(({ target }) => byPath.get(target) ?? []));
    }
    return seen.size;
  };
}

function walk(files: SourceFile[], start: RegExp): SourceFile[] {
  const found = files.filter((file) => start.test(file.path));
  if (found.length === 0) throw new Error(`No file begins the walk ${start.source}.`);
  return found;
}

function climbs({ text }: SourceFile): number {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*['"](?:\.\.\/){3,}/g)].length;
}

function isRefundCode({ path: file }: SourceFile): boolean {
  return /refund/.test(file);
}

function foldersOf(files: SourceFile[]): number {
  return new Set(files.map((file) => path.posix.dirname(file.path))).size;
}

function namesUsedTwice(files: SourceFile[]): number {
  const counts = Map.groupBy(files, (file) => path.posix.basename(file.path));
  return [...counts].filter(([name, used]) => used.length > 1 && !NAMED_BY_ROOM.test(name)).length;
}

function wordsIn(files: string[]): number {
  return files.reduce((sum, file) => sum + (fs.readFileSync(path.join(ROOT, file), 'utf8').match(/\S+/g)?.length ?? 0), 0);
}

function listTracked(): Set<string> {
  return new Set(execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0'));
}

if (process.argv[1] === import.meta.filename) {
  const figures = measureHouse(readSources(), listTracked());
  for (const { name, value, limit } of figures) {
    process.stdout.write(`${value <= limit ? '  ' : '! '}${name.padEnd(62)}${String(value).padStart(5)}  limit ${limit}\n`);
  }
  process.exitCode = figures.every(({ value, limit }) => value <= limit) ? 0 : 1;
}
