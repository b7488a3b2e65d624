import { sql } from 'kysely';
import type { ConfirmationBasis } from '#lib/people/rules/person.ts';
import type { Db } from '../kit/open.ts';

/** Someone who stands behind an account. */
export interface NewConfirmation {
  personId: string;
  /** Id of the person who stands behind it; null: the operator. */
  by: string | null;
  basis: ConfirmationBasis;
}

/** Adds one who stands behind an account, and confirms every account that two stand behind by now. False: they stand behind it already. */
export async function insertConfirmation(trx: Db, { personId, by, basis }: NewConfirmation): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into person_confirmation (person_id, confirmation_no, given_by, basis)
    select ${personId}, coalesce(max(confirmation_no), 0) + 1, ${by}::text, ${basis} from person_confirmation where person_id = ${personId}
    on conflict do nothing`.execute(trx);
  await confirmWhoHasTwo(trx);
  return numAffectedRows === 1n;
}

/** Takes the confirmation of an account away: only who made its new password link or reset its second factor stands behind it now. */
export async function restartConfirmation(trx: Db, started: NewConfirmation): Promise<void> {
  const now = sql<string>`clock_timestamp()`;
  await trx.updateTable('person').set({ account_confirmed_at: null, updated_at: now }).where('id', '=', started.personId).execute();
  await trx
    .updateTable('person_confirmation')
    .set({ ended_at: now })
    .where('person_id', '=', started.personId)
    .where('ended_at', 'is', null)
    .execute();
  await insertConfirmation(trx, started);
}

// Who is confirmed now may be the second behind another account: repeated until nobody is added.
async function confirmWhoHasTwo(trx: Db): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      with confirmed as (
        update person set account_confirmed_at = clock_timestamp(), updated_at = clock_timestamp()
        where account_confirmed_at is null and (
          exists (select from person_confirmation c
            where c.person_id = person.id and c.ended_at is null and c.basis in ('set_up_link', 'simulated', 'upgrade'))
          or 2 <= (select count(distinct coalesce(c.given_by, '')) from person_confirmation c left join person giver on giver.id = c.given_by
            where c.person_id = person.id and c.ended_at is null and (c.given_by is null or giver.account_confirmed_at is not null)))
        returning email
      )
      insert into audit (actor, act, subject) select 'Sharebook', 'counts an account as confirmed', email from confirmed`.execute(trx);
    if (numAffectedRows === undefined || numAffectedRows === 0n) return;
  }
}
