import * as z from 'zod';
import type { Protocol } from '../protocol.ts';
import { classifyStep, STEP, stepRequest } from '../start-steps.ts';

const request = z.object(stepRequest);

type Texted = { code_sent: boolean | null; already_approved: boolean | null };

/**
 * Has Invo text the owner of the phone that a start was held for, where Invo reported that it sent no text (document 3, Phone-share approval). The owner answers
 * the text; nothing else follows.
 */
export const ownerText: Protocol<z.infer<typeof request>, Texted, 'never'> = {
  ...STEP,
  kind: 'owner_text',
  family: 'phone_share',
  enters: 'held_phone',
  isUndigested: true,
  request,
  subjectOf: ({ start_id }) => `owner_text ${start_id}`,
  decidingOf: ({ wallet }) => ({ player_id: wallet?.player_id ?? null }),
  write: (_, { entered: phone, email }) => JSON.stringify({ phone, email }),
  pick: ({ code_sent, already_approved }) => ({
    answer: {
      code_sent: typeof code_sent === 'boolean' ? code_sent : null,
      already_approved: typeof already_approved === 'boolean' ? already_approved : null,
    },
    passes: null,
  }),
  classify: (observed) => classifyStep(observed, 'phone_share'),
};
