import { randomUUID } from 'node:crypto';

interface Secret {
  /** The field that carried it. */
  kind: string;
  value: string;
}

/** Secrets that answers always carry where the world or a shape has them. */
const ALWAYS: readonly Secret[] = [
  { kind: 'client_secret', value: 'pi_canary_client_secret' },
  { kind: 'test_code', value: 'canary-test-code' },
  { kind: 'sms_pin', value: 'canary-pin' },
  { kind: 'claim_code', value: 'canary-claim-code' },
  { kind: 'code', value: 'CANARY-REWARD-CODE-7K2Q' },
  { kind: 'secret_code', value: 'CANARY-REWARD-CODE-9Z8Y' },
];

/** Every secret that an answer ever carried, for tests that search for them where none may be. */
export interface Secrets {
  /** Makes a secret that nobody can guess and remembers it. */
  make(kind: string, prefix: string): string;
  /** Remembers a secret that was composed elsewhere, and returns it. */
  give(kind: string, value: string): string;
  list(): Secret[];
  stored(): Secret[];
  clear(): void;
}

/** The secrets, with those of an earlier run. */
export function createSecrets(stored: Secret[] = []): Secrets {
  const given = new Map(stored.map((secret) => [secret.value, secret]));
  function give(kind: string, value: string): string {
    given.set(value, { kind, value });
    return value;
  }
  return {
    make: (kind, prefix) => give(kind, `${prefix}${lettersOf(randomUUID())}`),
    give,
    list: () => [...ALWAYS, ...given.values()],
    stored: () => [...given.values()],
    clear: () => given.clear(),
  };
}

/** Without digits: no secret looks like the number of a card or a phone. */
function lettersOf(uuid: string): string {
  return uuid.replaceAll('-', '').replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
}
