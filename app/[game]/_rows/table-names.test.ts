import { expect, test } from 'vitest';
import type { IdentityCell } from '#app/_ui/data-table/table-spec.ts';
import { lineIdentity } from './month-table.ts';

test.each([
  ['ada@mail.example', true, 'ada@mail.example'],
  ['ada@mail.example', false, 'a•••@m•••.example'],
  ['Ada ＠ home', false, '•••'],
  ['Ada Vale', false, 'Ada Vale'],
  [null, false, null],
])('the name %j is shown to a role that sees emails: %j, as %j', (recipientName, canSeeEmails, shown) => {
  const cell: IdentityCell = lineIdentity({ slug: 'demo', canSeeEmails }, { recipient_player_id: 7, recipientName });
  expect(cell.name).toBe(shown);
});
