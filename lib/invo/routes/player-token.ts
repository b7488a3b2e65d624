import * as z from 'zod';
import type { Invo } from '../invo.ts';
import { InvoError } from '../invo-error.ts';
import { requireEmail } from '../request-path.ts';
import { isPlayerToken } from '../settings.ts';
import { ifFits, instant, otherThanRequested, readerOf, textId } from '../shapes/fields.ts';

/** Who acts: the player of an email, and the identity that their wallet names, just read. */
export interface TokenOwner {
  email: string;
  identityId: string;
}

/** A credential of one player in one game, for 15 minutes. It stays in the memory of the process that requested it, and goes to nothing but calls of Invo. */
export interface PlayerToken {
  token: string;
  /** null: not reported. */
  expiresAt: string | null;
}

const mintedToken = z.object({
  token: z.custom<string>(isPlayerToken, 'expected a player token'),
  expires_at: ifFits(instant),
  identity_id: textId,
});

/**
 * Mints a token (document 3, Player token) and checks that it is the player's: one of another identity is malformed and never used. Nothing of the answer
 * is stored. Throws InvoError; a refusal that is a setting at Invo isn't retried.
 */
export async function mintPlayerToken({ ask }: Invo, { email, identityId }: TokenOwner, signal?: AbortSignal): Promise<PlayerToken> {
  const { value } = await ask({
    route: { kind: 'other' },
    family: 'player_token',
    path: '/api/sdk/player-token',
    post: Buffer.from(JSON.stringify({ player_email: requireEmail(email) })),
    isStored: false,
    read: readerOf(mintedToken, ({ identity_id }) => (identity_id === identityId ? null : otherThanRequested('identity_id'))),
    signal,
  });
  return { token: value.token, expiresAt: value.expires_at };
}

/** Makes reads as a player, with a token that `mint` makes, and once more with a new one when Invo refused the first with a 401. Throws InvoError. */
export async function withPlayerToken<T>(mint: () => Promise<PlayerToken>, read: (token: string) => Promise<T>): Promise<T> {
  const { token } = await mint();
  try {
    return await read(token);
  } catch (error) {
    if (!(error instanceof InvoError) || error.code !== 'unauthorized') throw error;
  }
  const { token: renewed } = await mint();
  return await read(renewed);
}
