import { migrateDatabase } from '#db/kit/migrate.ts';
import { readConfig } from '../../config.ts';
import { announce, describeError } from '../serve.ts';

try {
  const { databaseMigrateUrl, origin, isSimulated } = readConfig(process.env);
  await migrateDatabase(databaseMigrateUrl);
  for (const line of await announce(origin, isSimulated, process.env)) process.stdout.write(`${line}\n`);
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}
