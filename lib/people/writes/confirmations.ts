import { sql } from 'kysely';
import { type Db, firstInstant } from '#db/kit/open.ts';
import { auditOfEach } from '#lib/audit/writes.ts';
import type { ConfirmationBasis, DOUBTS } from '../rules/person.ts';

/** What someone did about an account. */
export interface NewConfirmation {
  personId: string;
  /** Id of the person who did it; null: the operator. */
  by: string | null;
  basis: ConfirmationBasis;
}

const DOUBT = sql`('password_link', 'factor_reset', 'enabled')`;

/**
 * Puts someone behind an account, and confirms every account that has what it takes by now. False, and nothing is stored: they stand behind it already and
 * nothing made it doubtful since, or they made it doubtful themselves.
 */
export async function insertConfirmation(trx: Db, { personId, by, basis }: NewConfirmation): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into person_confirmation (person_id, confirmation_no, given_by, basis)
    select ${personId}, coalesce(max(confirmation_no), 0) + 1, ${by}::text, ${basis} from person_confirmation where person_id = ${personId}
    having not exists (select from person_confirmation d
        where d.person_id = ${personId} and d.ended_at is null and d.basis in ${DOUBT} and d.given_by = ${by}::text)
      and not exists (select from person_confirmation c
        where c.person_id = ${personId} and c.ended_at is null and c.basis not in ${DOUBT} and c.basis not in ('upgrade', 'simulated')
          and c.given_by is not distinct from ${by}::text and c.confirmation_no > (select coalesce(max(d.confirmation_no), 0) from person_confirmation d
            where d.person_id = ${personId} and d.ended_at is null and d.basis in ${DOUBT}))`.execute(trx);
  await confirmAccounts(trx);
  return numAffectedRows === 1n;
}

/** Finds when the password of an account was set, and what makes the account doubtful, oldest first. The account has a password. */
export async function findDoubts(
  trx: Db,
  personId: string,
): Promise<{ passwordSetAt: string; doubts: { basis: ConfirmationBasis; by: string | null }[] }> {
  const { rows } = await sql<{ passwordSetAt: string; doubts: { basis: ConfirmationBasis; by: string | null }[] }>`
    select set_at as "passwordSetAt", coalesce((select json_agg(json_build_object('basis', d.basis, 'by', giver.name) order by d.confirmation_no)
      from person_confirmation d left join person giver on giver.id = d.given_by
      where d.person_id = ${personId} and d.ended_at is null and d.basis in ${DOUBT}), '[]') as doubts
    from person_password where person_id = ${personId}`.execute(trx);
  const [found] = rows;
  if (found === undefined) throw new Error('the account has no password');
  return found;
}

/** Takes the confirmation of an account away: someone did what could have given the account to another person, and can't confirm it themselves. */
export async function insertDoubt(
  trx: Db,
  { personId, by, basis }: { personId: string; by: string; basis: (typeof DOUBTS)[number] },
): Promise<void> {
  await trx.updateTable('person').set({ account_confirmed_at: null, updated_at: sql`clock_now()` }).where('id', '=', personId).execute();
  await sql`
    insert into person_confirmation (person_id, confirmation_no, given_by, basis)
    select ${personId}, coalesce(max(confirmation_no), 0) + 1, ${by}::text, ${basis} from person_confirmation where person_id = ${personId}`.execute(
    trx,
  );
}

/**
 * Confirms each account that two of the operator and confirmed people stand behind, or that was confirmed before, once someone who didn't make it doubtful
 * confirmed it since. Who is confirmed now may be the second behind another account: repeated until nobody is added. People are changed one at a time
 * (`changePeople`), so what is found stays true. Found first: on a cluster, a change of `person` beside a table of sign-ins reaches one of its copies.
 */
async function confirmAccounts(trx: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select person.id from person
      where account_confirmed_at is null
        and (first_confirmed_at is not null
          or exists (select from person_confirmation c
            where c.person_id = person.id and c.ended_at is null and c.basis in ('set_up_link', 'simulated', 'upgrade'))
          or 2 <= (select count(distinct coalesce(c.given_by, '')) from person_confirmation c left join person giver on giver.id = c.given_by
            where c.person_id = person.id and c.ended_at is null and c.basis in ('invitation', 'confirmation')
              and (c.given_by is null or giver.account_confirmed_at is not null and giver.disabled_at is null)))
        and (not exists (select from person_confirmation d where d.person_id = person.id and d.ended_at is null and d.basis in ${DOUBT})
          or exists (select from person_confirmation c left join person giver on giver.id = c.given_by
            where c.person_id = person.id and c.ended_at is null and c.basis in ('confirmation', 'set_up_link')
              and (c.given_by is null or giver.account_confirmed_at is not null and giver.disabled_at is null)
              and c.confirmation_no > all (select d.confirmation_no from person_confirmation d
                where d.person_id = person.id and d.ended_at is null and d.basis in ${DOUBT})
              and not exists (select from person_confirmation d
                where d.person_id = person.id and d.ended_at is null and d.basis in ${DOUBT} and d.given_by = c.given_by)))`.execute(trx);
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await sql`update person set account_confirmed_at = clock_now(), updated_at = clock_now(), first_confirmed_at = ${firstInstant('first_confirmed_at')}
      where id = any(${ids})`.execute(trx);
    await sql`update person_confirmation set ended_at = clock_now() where person_id = any(${ids}) and ended_at is null and basis in ${DOUBT}`.execute(
      trx,
    );
    await sql`${auditOfEach(sql`person account where account.id = any(${ids})`, {
      actor: 'Sharebook',
      act: 'counts an account as confirmed',
      subject: sql`account.email`,
    })}`.execute(trx);
  }
}
