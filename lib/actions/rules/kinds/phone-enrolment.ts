import * as z from 'zod';
import { textOf } from '../answers.ts';
import { approveRequest } from '../phone-approvals.ts';
import type { Protocol } from '../protocol.ts';
import { classifyStep, STEP, stepRequest } from '../start-steps.ts';

/** What is answered to a new phone. A player's own is never approved here: that would set up the phone of a caller for good. */
const request = z
  .object({
    ...stepRequest,
    transaction_id: approveRequest.transaction_id,
    house_player_id: z.number().int().optional(),
    /** The grant whose code the new phone shows; left out by actions stored before. */
    grant_id: z.number().int().optional(),
    decision: z.enum(['approve', 'deny']),
  })
  .refine(({ decision, house_player_id }) => decision === 'deny' || house_player_id !== undefined);

type Answered = { status: string | null };

/** Answers a new phone that wants to be set up for the player of a start (document 3, Device grant). The screen is the proof; the next poll shows what follows. */
export const phoneEnrolment: Protocol<z.infer<typeof request>, Answered, 'never'> = {
  ...STEP,
  kind: 'phone_enrolment',
  family: 'grant',
  request,
  // Each code is answered once.
  subjectOf: ({ transaction_id, grant_id }) => ['phone', transaction_id, ...(grant_id === undefined ? [] : [grant_id])].join(' '),
  decidingOf: ({ wallet, sender }) => ({ player_id: wallet?.player_id ?? null, sender: sender?.player_id ?? null }),
  write: ({ decision }, { deviceCode }) => JSON.stringify({ device_code: deviceCode, decision }),
  pick: ({ status }) => ({ answer: { status: textOf(status) }, passes: null }),
  classify: (observed) => classifyStep(observed, 'grant'),
};
