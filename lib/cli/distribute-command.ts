import { type Distributed, distributeDatabase, NotDistributable } from '#db/kit/distribute.ts';
import { type CommandContext, EXIT } from './command-context.ts';

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
