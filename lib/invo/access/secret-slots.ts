import { InvoError } from '../invo-error.ts';
import { checkSecret, type InvoAccess } from './access.ts';

/** The current and the previous game secret of one door, and which of the two worked last. */
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
