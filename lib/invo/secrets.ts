import { isSecret, SECRET_RULE } from '../core/invo-access.ts';
import { InvoError } from './invo-error.ts';

/** Where one game is at Invo, and its secrets. `gameId` is Invo's game_id as text, when it is pinned. */
export interface InvoAccess {
  baseUrl: string;
  secret: string;
  previousSecret?: string;
  environment: 'production' | 'sandbox';
  gameId?: string;
}

/** The current and the previous game secret of one endpoint, and which of the two worked last. */
export interface SecretSlots {
  all: readonly string[];
  /**
   * Calls with the secret that worked last; when Invo refuses it with a 401, once with the other one.
   * Throws InvoError unauthorized when both are refused.
   */
  callWith<T>(call: (secret: string) => Promise<T>): Promise<T>;
}

/** Keeps the two slots through a rotation (the old key works for 7 days); says when the previous secret has to be used. */
export function createSecretSlots(access: InvoAccess, onPreviousSecretUsed: () => void): SecretSlots {
  const current = checkSecret(access.secret, 'current');
  const previous = access.previousSecret === undefined ? current : checkSecret(access.previousSecret, 'previous');
  let working = current;
  async function callWith<T>(call: (secret: string) => Promise<T>): Promise<T> {
    const first = working;
    const other = first === current ? previous : current;
    try {
      return await call(first);
    } catch (error) {
      if (other === first || !(error instanceof InvoError) || error.code !== 'unauthorized') throw error;
    }
    const answer = await call(other);
    if (working !== other && other === previous) onPreviousSecretUsed();
    working = other;
    return answer;
  }
  return { all: [current, previous], callWith };
}

/** Whether bytes or text repeat one of the secrets, as they are or as JSON would write them. */
export function repeatsSecret(body: Buffer | string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => body.includes(secret) || body.includes(JSON.stringify(secret).slice(1, -1)));
}

// The Error names the slot, never the value.
function checkSecret(secret: string, slot: string): string {
  if (!isSecret(secret)) throw new Error(`the ${slot} game secret ${SECRET_RULE}`);
  return secret;
}
