import 'server-only';
import { headers } from 'next/headers';
import type { ActionState } from './action-state.ts';
import { isOwnOrigin } from './own-origin.ts';
import { config } from './wiring.ts';

/**
 * First line of every server action: null when the request came from a page of this Sharebook, else the refusal to return.
 * It says nothing about who asks: `requirePerson` comes next.
 */
export async function checkOrigin(): Promise<Extract<ActionState, { kind: 'refused' }> | null> {
  if (isOwnOrigin(await headers(), config().origin)) return null;
  return {
    kind: 'refused',
    sentence: `This was not sent from ${config().origin}, so nothing was done. Open Sharebook there and try again.`,
  };
}
