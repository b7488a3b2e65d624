import { createHash, randomUUID } from 'node:crypto';
import { type Db, inTransaction } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import type { GameRef } from '../core/game.ts';
import { lockRunsOf } from '../games/writes.ts';
import { DEMO_PEOPLE } from '../people/rules/person.ts';
import { sealFor } from './propose-details.ts';
import { findDemoPeople, hasDetails } from './reads/payee-details.ts';
import { checkDetails } from './rules/check-details.ts';
import { digestSet, type PayeeKey } from './seal.ts';
import { decideDetailRows, insertDetails } from './writes.ts';

const [PROPOSER, , , , CONFIRMER] = DEMO_PEOPLE.map(({ email }) => email);
const ids = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** The recipients of the simulated Invo (.github/docs/simulated-invo.md). The last few have no payment details. */
const RECIPIENTS = [...ids(9001, 9007), ...ids(9009, 9022), ...ids(500_001, 500_140), ...ids(800_001, 800_069)];

/** The identity that the simulated Invo reports behind a player. */
function identityOf(playerId: number): string {
  if (playerId < 10_000) return `idn_witness_${playerId}`;
  return `idn_${createHash('sha256').update(`identity ${playerId}`).digest('hex').slice(0, 20)}`;
}

/**
 * Adds payment details of most recipients to a simulated game that has none: proposed by Fiona, confirmed by Ada, before the first month is closed.
 * Returns how many. Details that an earlier version
 * sealed stay, and pages say that they can't be opened. Errors: throws when the data is not simulated, before anything is written.
 */
export async function ensureDemoDetails(
  db: Db,
  { gameId }: Pick<GameRef, 'gameId'>,
  key: PayeeKey,
  { isSimulated }: { isSimulated: boolean },
): Promise<number> {
  if (!isSimulated) throw new Error('demo payment details belong in a simulated database only');
  if (await hasDetails(db, gameId)) return 0;
  return await inTransaction(db, async (tx) => {
    await lockRunsOf(tx, gameId);
    const people = await findDemoPeople(tx, [PROPOSER ?? '', CONFIRMER ?? '']);
    const [proposedBy, confirmedBy] = [people.get(PROPOSER ?? ''), people.get(CONFIRMER ?? '')];
    if ((await hasDetails(tx, gameId)) || proposedBy === undefined || confirmedBy === undefined) return 0;
    const details = RECIPIENTS.flatMap((recipientId) => {
      const checked = checkDetails('paypal', { email: `payee.${recipientId}@creators.example` });
      const payee = { recipientId, identityId: identityOf(recipientId), nextNo: 1, openNo: null, inForce: null };
      return checked.ok ? [sealFor(gameId, payee, checked.details, key)] : [];
    });
    const changeSet = randomUUID();
    const subject = `import ${changeSet}`;
    await insertDetails(tx, { gameId, changeSet, reason: 'From the creators’ contracts', proposedBy }, details);
    await recordAudit(tx, {
      gameId,
      actor: PROPOSER ?? '',
      act: 'proposed payment details',
      subject,
      detail: { recipients: details.length, digest: digestSet(details) },
    });
    await decideDetailRows(tx, gameId, { changeSet }, { actorId: confirmedBy, decision: 'confirmed' });
    await recordAudit(tx, {
      gameId,
      actor: CONFIRMER ?? '',
      act: 'confirmed payment details',
      subject,
      detail: { recipients: details.length },
    });
    return details.length;
  });
}
