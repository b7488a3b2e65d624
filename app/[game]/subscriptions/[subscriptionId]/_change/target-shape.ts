import { z } from 'zod';

/** The hidden part of every form of a change, as it comes back. */
export const targetShape = z.object({
  game: z.string().max(40),
  subscriptionId: z.string().regex(/^[\w.-]{1,50}$/),
  baseline: z.string().regex(/^[0-9a-f]{64}$/),
});
