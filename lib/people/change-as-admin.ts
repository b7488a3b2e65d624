import type { Db } from '#db/kit/open.ts';
import { changePeople, listStoredPeople, type PeopleTransaction, type StoredPerson } from '#db/people/writes/people.ts';
import { may } from '../core/roles.ts';

export interface Scene {
  trx: PeopleTransaction;
  /** The admin who acts, as they are now. */
  admin: StoredPerson;
  people: StoredPerson[];
}

/**
 * Runs a change to people on behalf of somebody who may make it: their role is read again inside the transaction, so one
 * demoted a moment ago changes nothing.
 */
export async function changeAsAdmin<Result>(
  db: Db,
  actorId: string,
  change: (scene: Scene) => Promise<Result>,
): Promise<Result | { ok: false; reason: 'not_allowed' }> {
  return await changePeople(db, async (trx) => {
    const people = await listStoredPeople(trx);
    const admin = people.find(({ id }) => id === actorId);
    if (!admin || admin.isDisabled || !may(admin.role, 'people.manage')) return { ok: false, reason: 'not_allowed' };
    return await change({ trx, admin, people });
  });
}

/** Whether nobody could manage people any more without this one: the others are disabled, have no password yet or another role. */
export function isLastAdmin(people: StoredPerson[], id: string): boolean {
  const able = people.filter((person) => isAbleAdmin(person));
  return able.some((person) => person.id === id) && able.length === 1;
}

/** Whether a person can sign in and manage people. */
export function isAbleAdmin(person: StoredPerson): boolean {
  return may(person.role, 'people.manage') && person.hasPassword && !person.isDisabled;
}
