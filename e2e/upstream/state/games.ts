import type { GameView } from '../game-view.ts';
import type { Environment } from '../model.ts';

/** Which of a game's two secrets are accepted: both in the grace period, one, or neither. */
type Rotation = 'grace' | 'current' | 'previous' | 'expired';
export type SecretSlot = 'current' | 'previous' | 'wrong' | 'none';

export interface GameSettings {
  secret: string;
  previousSecret: string | null;
  status: string;
  rotation: Rotation;
  isRateLimited: boolean;
  lineOrder: GameView['lineOrder'];
  /** Where its players may send coins: to any live title, or to those on its list. */
  transferMode: 'universal' | 'linked';
  hasOutgoing: boolean;
}

export interface GameSecrets {
  secret?: string | undefined;
  previousSecret?: string | undefined;
  sandboxSecret?: string | undefined;
  emberfallSecret?: string | undefined;
}

/** The initial settings of every game. */
export function freshGames(secrets: GameSecrets): Record<Environment, GameSettings> {
  const common = {
    status: 'live',
    rotation: 'grace',
    isRateLimited: true,
    lineOrder: 'newest',
    transferMode: 'universal',
    hasOutgoing: true,
  } as const;
  return {
    production: { ...common, secret: secrets.secret ?? 'upstream-secret', previousSecret: secrets.previousSecret ?? null },
    sandbox: { ...common, secret: secrets.sandboxSecret ?? 'upstream-sandbox-secret', previousSecret: null },
    emberfall: { ...common, secret: secrets.emberfallSecret ?? 'upstream-emberfall-secret', previousSecret: null },
  };
}

/** Which of the game's secrets a call used. */
export function slotOf(game: GameSettings, key: string | undefined): SecretSlot {
  if (key === undefined || key === '') return 'none';
  if (key === game.secret) return 'current';
  return key === game.previousSecret ? 'previous' : 'wrong';
}

/** Whether the secret in that slot is accepted now. */
export function isAccepted(game: GameSettings, slot: SecretSlot): boolean {
  if (slot !== 'current' && slot !== 'previous') return false;
  return game.rotation === 'grace' || game.rotation === slot;
}
