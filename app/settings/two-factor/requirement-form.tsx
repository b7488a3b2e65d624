'use client';

import type { ReactElement } from 'react';
import { MultiChoices } from '#app/_ui/forms/field.tsx';
import { Form, FormButtons, FormStatus, PasswordField, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { ROLE_LABELS, type Role } from '#lib/core/roles.ts';
import { formatSetUpCount, formatWithoutFactor } from '#lib/two-factor/text.ts';
import { requireFactorAction } from './actions.ts';

interface RoleRow {
  role: Role;
  isRequired: boolean;
  peopleCount: number;
  /** Names of those who haven’t set it up. */
  without: string[];
}

/** Chooses the roles that need two-factor authentication. */
export function RequirementForm({ roles }: { roles: RoleRow[] }): ReactElement {
  const [state, send] = useFormResult(requireFactorAction);
  return (
    <Form action={send} isShort>
      <SimpleTable label="Roles that require two-factor authentication" rows={roles} keyOf={({ role }) => role} columns={COLUMNS} />
      <PasswordField result={state} />
      <FormButtons>
        <SubmitButton kind="plain" pendingWord="Saving…">
          Save requirement
        </SubmitButton>
      </FormButtons>
      <FormStatus result={state} />
    </Form>
  );
}

const COLUMNS: SimpleColumn<RoleRow>[] = [
  {
    label: 'Required for',
    cell: (row) => (
      <>
        <MultiChoices choices={[{ name: `needs_${row.role}`, label: ROLE_LABELS[row.role], isChosen: row.isRequired }]} />
        <NarrowNote>{row.without.length > 0 && <Without {...row} />}</NarrowNote>
      </>
    ),
  },
  {
    label: 'Set up by',
    cell: ({ peopleCount, without }) => formatSetUpCount({ people: peopleCount, withFactor: peopleCount - without.length }),
  },
  { label: 'Not set up by', isWideOnly: true, cell: (row) => (row.peopleCount === 0 ? null : <Without {...row} />) },
];

function Without({ isRequired, without }: RoleRow): ReactElement {
  return (
    <>
      <bdi>{formatWithoutFactor(without)}</bdi> {isRequired && without.length > 0 && <Status tone="wait" word="Can’t use Sharebook" />}
    </>
  );
}
