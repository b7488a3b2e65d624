import { type RawBuilder, sql } from 'kysely';
import type { Waiting } from '../rules/action-state.ts';

/** What a desk action waits for beside its state, of a row by its alias, as one value. */
export function waitingOf(action: string): RawBuilder<Waiting> {
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${action}.${name}`);
  return sql<Waiting>`json_build_object('for', coalesce(${column('waits_for')},
      case when ${column('state')} = 'approved' and ${column('result')} ->> 'waits_for' = 'owner' then 'owner' end),
    'errorCode', ${column('last_error_code')})`;
}
