import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { withFileLock } from './file-lock.mjs';

/** The folder of the project; every path of its commands is taken from here. */
export const ROOT = path.resolve(import.meta.dirname, '../..');

/** The folder for what Sharebook stores on this machine: the embedded PostgreSQL, secrets, what is running. */
export function findDataFolder(env: NodeJS.ProcessEnv): string {
  return path.resolve(ROOT, env['SHAREBOOK_DATA'] || '.data');
}

/** Secrets this machine creates for itself, readable by this user only. */
export type LocalSecrets = ReturnType<typeof makeSecrets>;

/** Reads the secrets stored in the data folder and creates those that are missing. */
export async function storeLocalSecrets(dataFolder: string): Promise<LocalSecrets> {
  fs.mkdirSync(dataFolder, { recursive: true });
  const file = path.join(dataFolder, 'secrets.json');
  return withFileLock(`${file}.lock`, async () => {
    const stored = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<LocalSecrets>) : {};
    const secrets = { ...makeSecrets(), ...stored };
    fs.writeFileSync(`${file}.part`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    fs.renameSync(`${file}.part`, file);
    return secrets;
  });
}

function makeSecrets() {
  const text = (): string => randomBytes(32).toString('hex');
  return {
    auth: text(),
    /** Base64 of 32 bytes. */
    serverActions: randomBytes(32).toString('base64'),
    /** Base64 of 32 bytes: seals payment details in the embedded database and in simulated data. */
    payee: randomBytes(32).toString('base64'),
    simulatedGame: text(),
    simulatedSandboxGame: text(),
    simulatedWebhook: text(),
  };
}
