import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface SourceImport {
  /** A path from the top of the project, or the name of a package as written. */
  target: string;
  /** `import type` and `export type` leave nothing behind in what runs; `import { type … }` leaves the import. */
  isTypeOnly: boolean;
}

export interface SourceFile {
  path: string;
  text: string;
  /** Tests and what only tests use: it does not ship. */
  isTest: boolean;
  /** It begins with 'use client' or 'use server'. */
  directive: 'client' | 'server' | null;
  imports: SourceImport[];
}

const ROOT = path.resolve(import.meta.dirname, '../..');
const TEST = /\.(test|spec)\.tsx?$|^e2e\/(?!upstream\/)|^e2e\/upstream\/testing\//;
const IMPORT =
  /(?:^|[\n;])\s*(?:import|export)\s+(type\s+(?!from\b))?[^'";]*?\bfrom\s*['"]([^'"]+)['"]|(?:^|[\n;])\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

/** Reads every TypeScript file of the project with what it imports. Order: by path. */
export function readSources(): SourceFile[] {
  return ['app', 'lib', 'db', 'e2e'].flatMap(listFiles).toSorted().map(readSource);
}

/** Reads one file of the project as such. */
export function parseSource(file: string, text: string): SourceFile {
  const directive = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*['"]use (client|server)['"]/.exec(text)?.[1];
  const imports = [...text.matchAll(IMPORT)].map(([, type, named, bare, dynamic]) => ({
    target: resolveTarget(file, named ?? bare ?? dynamic ?? ''),
    isTypeOnly: type !== undefined,
  }));
  return {
    path: file,
    text,
    isTest: TEST.test(file),
    directive: directive === 'client' || directive === 'server' ? directive : null,
    imports,
  };
}

function readSource(file: string): SourceFile {
  return parseSource(file, readFileSync(path.join(ROOT, file), 'utf8'));
}

function resolveTarget(file: string, specifier: string): string {
  if (/^#(app|db|e2e|lib)\//.test(specifier)) return specifier.slice(1);
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : specifier;
}

function listFiles(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return listFiles(file);
    return /\.tsx?$/.test(entry.name) ? [file] : [];
  });
}
