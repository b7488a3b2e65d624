import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { type Distributed, distributeDatabase, NotDistributable } from '#db/kit/distribute.ts';
import { type CommandContext, EXIT } from './command-context.ts';
import type { CommandOutput } from './define-command.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CHECK = 'e2e/citus/check.ts';

/** Distributes the tables over the servers of the database's Citus cluster, with the login of `migrate`. Exits 1 with the reason when that can't be done, and changes nothing then. */
export async function distributeCommand(context: CommandContext, { isJson }: { isJson: boolean }): Promise<number> {
  const { config, print, log } = context;
  try {
    log('Distributing the tables. Nothing is changed until all of them are.');
    const placed = await distributeDatabase(config.databaseMigrateUrl);
    print(isJson ? JSON.stringify(placed) : formatDistributed(placed));
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof NotDistributable)) throw error;
    return context.fail(`${error.message} Nothing was changed.`);
  }
}

function formatDistributed({ distributed, copied, workers, isNew }: Distributed): string {
  const where = `${workers.length} ${workers.length === 1 ? 'server' : 'servers'} (${workers.join(', ')})`;
  return `${distributed} tables are distributed by game over ${where}, ${copied} are copied to each.${isNew ? '' : ' They were before.'}`;
}

/**
 * Takes two games through everything in scratch databases of the cluster of SHAREBOOK_CITUS_URL and of one PostgreSQL server, and compares their files. From a checkout only, because it runs
 * tests against the simulated Invo; what they print goes to stderr. Exits 1 if a step fails or a file differs.
 */
export async function checkDistributeCommand({ log, print }: CommandOutput, { isJson }: { isJson: boolean }): Promise<number> {
  if (!fs.existsSync(path.join(ROOT, CHECK))) return fail(log, 'This is a built Sharebook: run distribute --check from a checkout.');
  if (!process.env['SHAREBOOK_CITUS_URL'])
    return fail(log, 'Set SHAREBOOK_CITUS_URL to the connection of an administrator of the cluster, to any database of its coordinator.');
  const child = spawn(process.execPath, ['lib/start/bootstrap.mjs', '--with-dev', CHECK], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  const [code] = (await once(child, 'close')) as [number | null];
  if (isJson) print(JSON.stringify({ checked: code === 0 }));
  return code === 0 ? EXIT.done : EXIT.failed;
}

function fail(log: CommandOutput['log'], reason: string): number {
  log(reason);
  return EXIT.usage;
}
