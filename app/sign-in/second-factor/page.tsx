import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { ReactElement } from 'react';
import { FactorSetUp } from '#app/_account/factor-set-up.tsx';
import { config, db } from '#app/_server/server-context.ts';
import { requireSelf } from '#app/_server/session.ts';
import { signOut } from '#app/_shell/actions.ts';
import { SubmitButton } from '#app/_ui/forms/form.tsx';
import { EntryPage } from '#app/_ui/layout/entry-page.tsx';
import { findFactorStatus } from '#lib/two-factor/reads.ts';
import { rolesThatNeed } from '#lib/two-factor/rules/code.ts';
import { formatRequiredFor } from '#lib/two-factor/text.ts';
import styles from '../forms.module.css';

export const metadata: Metadata = { title: 'Set up two-factor authentication' };

export default async function SecondFactorPage(): Promise<ReactElement> {
  const self = await requireSelf();
  if (!self.mustSetUpFactor) redirect('/');
  const { requiredRoles } = await findFactorStatus(db(), self.id);
  return (
    <EntryPage
      title="Set up two-factor authentication"
      sentence={`${formatRequiredFor(rolesThatNeed(self.roles, requiredRoles))} Sharebook opens once it is set up.`}
      isSimulated={config().isSimulated}
    >
      <FactorSetUp continueTo={{ href: '/', label: 'Continue to Sharebook' }} />
      <form action={signOut} className={styles.leave}>
        <span>Signed in as {self.name}.</span>
        <SubmitButton kind="quiet" pendingWord="Signing out…">
          Sign out
        </SubmitButton>
      </form>
    </EntryPage>
  );
}
