import type * as z from 'zod';
import { classifyRecorded, eventRequest, pickRecorded, writeEvent } from '../event-request.ts';
import type { Protocol } from '../protocol.ts';
import { readNow } from '../settling-times.ts';
import { misplacedTime } from '../typed-entries.ts';

/**
 * Reports an event as the player's client does, in games of the sandbox only. Alone it unlocks no reward of value (document 1, Events). Invo counts one
 * event_id once, so the same event may be sent again; nothing reads whether it was recorded.
 */
export const clientEvent: Protocol<z.infer<typeof eventRequest>, ReturnType<typeof pickRecorded>['answer'], 'person'> = {
  kind: 'client_event',
  group: 'sandbox',
  repeats: 'person',
  key: 'uuid',
  needsSecondPerson: false,
  family: 'loyalty_event',
  keepsBody: false,
  isForRequester: false,
  decidedBy: 1,
  reading: null,
  movesCoins: false,
  unit: null,
  request: eventRequest,
  subjectOf: ({ name }, playerId) => `client_event ${playerId} ${name}`,
  amountOf: () => null,
  blockerOf: ({ occurred_at }, { read_at }) => misplacedTime(occurred_at, read_at),
  isAlike: () => false,
  decidingOf: ({ wallet }) => ({ player_id: wallet?.player_id ?? null }),
  write: (event, { reference: event_id }) => writeEvent(event, { event_id, player_email: null }),
  pick: pickRecorded,
  // Of this route the documents name no refusal of a token: any 401 is one.
  classify: (observed, _, reference) =>
    observed.phase === 'answered' && observed.status === 401 && observed.codes.length <= 1
      ? 'not_now'
      : classifyRecorded(observed, reference),
  next: (answer, status) => {
    if (answer === 'contradiction') return { state: 'attention', reason: 'answer_contradicts' };
    if (answer === 'done' || answer === 'replayed') return { state: 'done' };
    if (status.unanswered_count > 0) return readNow(status);
    if (answer === 'refused') return { state: 'refused' };
    return answer === 'not_now' ? { state: 'approved' } : readNow(status);
  },
  judge: () => 'open',
};
