import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { setShortcutsAction } from '#app/_account/actions.ts';
import { FactorSetUp } from '#app/_account/factor-set-up.tsx';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { formatRoles } from '#lib/core/roles.ts';
import { findFactorStatus } from '#lib/two-factor/reads.ts';
import { BACKUP_CODE_COUNT, rolesThatNeed } from '#lib/two-factor/rules/code.ts';
import { formatRequiredFor } from '#lib/two-factor/text.ts';
import styles from '../settings.module.css';
import { SettingsSection } from '../settings-index.tsx';
import { FactorForms } from './factor-forms.tsx';

export const metadata: Metadata = { title: 'Your account' };

const HERE = { href: '/settings/account', label: 'I saved my backup codes' };

export default async function AccountPage(): Promise<ReactElement> {
  const person = await requirePerson();
  const { since, backupCodesLeft, requiredRoles } = await findFactorStatus(db(), person.id);
  const needing = rolesThatNeed(person.roles, requiredRoles);
  const required = needing.length === 0 ? null : formatRequiredFor(needing);
  return (
    <>
      <PageHead title="Your account">
        {person.name} ({person.email}), {formatRoles(person.roles)}. An admin changes your name, email and roles.
      </PageHead>
      <SettingsSection id="two-factor" title="Two-factor authentication">
        <p className={styles.text}>
          When it’s on, you need your password and a code from your phone to sign in and to approve.
          {required !== null && ` ${required}`}
        </p>
        <div className={styles.account}>
          {since === null ? (
            <div className={styles.setUp}>
              <Card>
                <FactorSetUp continueTo={HERE} />
              </Card>
            </div>
          ) : (
            <>
              <Facts
                columns={2}
                facts={[
                  {
                    label: 'Status',
                    value: 'On',
                    note: (
                      <>
                        Since <Instant at={since} />
                      </>
                    ),
                  },
                  { label: 'Backup codes left', value: `${backupCodesLeft} of ${BACKUP_CODE_COUNT}` },
                ]}
              />
              <FactorForms required={required} continueTo={HERE} />
            </>
          )}
        </div>
      </SettingsSection>
      <SettingsSection id="single-keys" title="Keyboard shortcuts">
        <p className={styles.text}>
          Single keys, such as <kbd>/</kbd> for the search, act wherever you aren’t typing. Switch them off if you use speech input or often
          press keys by accident. Ctrl K (⌘K) always opens the search.
        </p>
        <div className={styles.account}>
          <div className={styles.setUp}>
            <Card>
              <ActionForm
                key={String(person.hasShortcuts)}
                action={setShortcutsAction}
                about={{ hasShortcuts: person.hasShortcuts ? 'no' : 'yes' }}
                label={person.hasShortcuts ? 'Switch single keys off' : 'Switch single keys on'}
                pendingLabel="Saving…"
              >
                <p>Single keys are {person.hasShortcuts ? 'on' : 'off'}.</p>
              </ActionForm>
            </Card>
          </div>
        </div>
      </SettingsSection>
    </>
  );
}
