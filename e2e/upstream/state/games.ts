import type { Book } from '../game-view.ts';
import type { Environment } from '../model.ts';

/** Which of a game's two keys work: both within the grace, one of them, or neither. */
type Rotation = 'grace' | 'current' | 'previous' | 'expired';
export type SecretSlot = 'current' | 'previous' | 'wrong' | 'none';

export interface GameSettings {
  secret: string;
  previousSecret: string | null;
  status: string;
  rotation: Rotation;
  isRateLimited: boolean;
  lineOrder: Book['lineOrder'];
}

export interface GameSecrets {
  secret?: string | undefined;
  previousSecret?: string | undefined;
  sandboxSecret?: string | undefined;
}

/** Both games as they are before anybody touches them. */
export function freshGames(secrets: GameSecrets): Record<Environment, GameSettings> {
  const common = { status: 'live', rotation: 'grace', isRateLimited: true, lineOrder: 'newest' } as const;
  return {
    production: { ...common, secret: secrets.secret ?? 'upstream-secret', previousSecret: secrets.previousSecret ?? null },
    sandbox: { ...common, secret: secrets.sandboxSecret ?? 'upstream-sandbox-secret', previousSecret: null },
  };
}

/** Which key of the game a call carried. */
export function slotOf(game: GameSettings, key: string | undefined): SecretSlot {
  if (key === undefined || key === '') return 'none';
  if (key === game.secret) return 'current';
  return key === game.previousSecret ? 'previous' : 'wrong';
}

/** Whether a key in that slot opens the game now. */
export function isAccepted(game: GameSettings, slot: SecretSlot): boolean {
  if (slot !== 'current' && slot !== 'previous') return false;
  return game.rotation === 'grace' || game.rotation === slot;
}
