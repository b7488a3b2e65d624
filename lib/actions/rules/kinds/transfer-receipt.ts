import * as z from 'zod';
import { classifyForAll } from '../answers.ts';
import { COLLECT, type Collected, collectRequest, pickCollected, waitingOf } from '../collections.ts';
import type { Protocol } from '../protocol.ts';

const request = z.object(collectRequest);

/** Collects a transfer into this game with the receiver's phone. It is stored first and waits for the phone; its one call has the code that the phone approved. */
export const receipt: Protocol<z.infer<typeof request>, Collected, 'never'> = {
  ...COLLECT,
  kind: 'receipt',
  family: 'receipt',
  isForRequester: false,
  request,
  subjectOf: ({ transaction_id }) => `collect ${transaction_id}`,
  inPath: ({ transaction_id }) => transaction_id,
  decidingOf: (facts) => ({ player_id: facts.wallet?.player_id ?? null, transfer: waitingOf(facts) }),
  write: (_, { deviceCode }) => JSON.stringify({ device_code: deviceCode }),
  pick: pickCollected,
  // The documents name no refusal: the status decides after every answer.
  classify: (observed, { transaction_id }) => {
    const { answer } = observed;
    const forAll = classifyForAll(observed, 'receipt');
    if (forAll !== null || answer === null) return forAll ?? 'open';
    return answer.transaction_id === null || answer.transaction_id === transaction_id ? 'open' : 'contradiction';
  },
};
