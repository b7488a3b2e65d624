import type * as z from 'zod';
import { classifyRecorded, eventRequest, pickRecorded, writeEvent } from '../event-request.ts';
import type { Protocol } from '../protocol.ts';
import { repeatStep } from '../settling-times.ts';
import { misplacedTime } from '../typed-entries.ts';

/**
 * Reports a milestone that was lost in an outage. Rewards of real value unlock on it, so in production a second person always approves. Invo counts one
 * event_id once, and its statuses decide whatever the code: a 409 says that the game isn't set up for loyalty, a 429 or a failure passes.
 */
export const milestone: Protocol<z.infer<typeof eventRequest>, ReturnType<typeof pickRecorded>['answer'], 'worker'> = {
  kind: 'milestone',
  group: 'milestones',
  repeats: 'worker',
  key: 'uuid',
  needsSecondPerson: true,
  family: 'loyalty_event',
  keepsBody: true,
  isForRequester: false,
  decidedBy: 2,
  reading: null,
  movesCoins: false,
  unit: null,
  request: eventRequest,
  subjectOf: ({ name }, playerId) => `event ${playerId} ${name}`,
  amountOf: () => null,
  blockerOf: ({ occurred_at }, { read_at }) => misplacedTime(occurred_at, read_at),
  isAlike: (one, other) => one.event_type === other.event_type && one.name === other.name,
  decidingOf: ({ wallet }) => ({ player_id: wallet?.player_id ?? null }),
  write: (event, { reference: event_id, email: player_email }) => writeEvent(event, { event_id, player_email }),
  pick: pickRecorded,
  classify: (observed, _, reference) => classifyRecorded(observed, reference),
  next: repeatStep,
  judge: () => 'open',
};
