import path from 'node:path';

/** The folder of the project; every path of its commands is taken from here. */
export const ROOT = path.resolve(import.meta.dirname, '../..');

/** The folder for what Sharebook stores on this machine: the embedded PostgreSQL, secrets, what is running. */
export function findDataFolder(env: NodeJS.ProcessEnv): string {
  return path.resolve(ROOT, env['SHAREBOOK_DATA'] || '.data');
}
