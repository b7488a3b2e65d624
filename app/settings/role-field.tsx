import type { ReactElement } from 'react';
import { ROLE_LABELS, ROLE_SENTENCES, ROLES, type Role } from '#lib/core/roles.ts';
import { Choices } from '../_ui/forms/choices.tsx';
import { FieldGroup } from '../_ui/forms/field-group.tsx';

/** One role out of all, each with what it may do. */
export function RoleField({ role }: { role: Role }): ReactElement {
  return (
    <FieldGroup legend="Role">
      <Choices
        name="role"
        choices={ROLES.map((each) => ({ value: each, label: ROLE_LABELS[each], note: ROLE_SENTENCES[each] }))}
        chosen={role}
      />
    </FieldGroup>
  );
}
