import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './rules/person.ts';

/** OWASP's recommendation for argon2id: 19 MiB, 2 passes, 1 lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const CONCURRENT_MAX = 2;
/** Passwords that wait to be hashed: two seconds of work. */
const WAITING_MAX = 40;
const derive = promisify(argon2);
const limit = limitConcurrency(CONCURRENT_MAX, WAITING_MAX);

/** Hashes a password with argon2id and its own salt, as `argon2id$memory$passes$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await limit(() => derive('argon2id', { message: password, nonce: salt, ...COST }));
  return ['argon2id', COST.memory, COST.passes, salt.toString('base64'), Buffer.from(hash).toString('base64')].join('$');
}

/** Whether a password matches a hash, in constant time. A hash of another form matches nothing. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const [, memory, passes, salt, digest] = /^argon2id\$(\d{1,7})\$(\d{1,2})\$([\w+/=]+)\$([\w+/=]+)$/.exec(hash) ?? [];
  if (!memory || !passes || !salt || !digest) return false;
  const wanted = Buffer.from(digest, 'base64');
  const cost = { ...COST, memory: Number(memory), passes: Number(passes), tagLength: wanted.length };
  const found = Buffer.from(await limit(() => derive('argon2id', { message: password, nonce: Buffer.from(salt, 'base64'), ...cost })));
  return found.length === wanted.length && timingSafeEqual(found, wanted);
}

export type PasswordError = 'short_password' | 'long_password';

/** What is wrong with a password of fewer than 12 or more than 128 characters; null: nothing. */
export function checkPassword(password: string): PasswordError | null {
  const length = [...password].length;
  if (length < PASSWORD_LENGTH_MIN) return 'short_password';
  return password.length > PASSWORD_LENGTH_MAX ? 'long_password' : null;
}

/** Too many passwords wait to be hashed; nothing was checked or changed. */
export class BusyError extends Error {
  override name = 'BusyError';
}

/** Runs at most so many tasks at once; the others wait in the order they came. Throws `BusyError` when as many wait as may. */
export function limitConcurrency(concurrentMax: number, waitingMax: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= concurrentMax && waiting.length >= waitingMax) throw new BusyError('too many passwords are being hashed');
    if (running >= concurrentMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
