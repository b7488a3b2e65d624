import type { ReactElement } from 'react';
import { LinkButton } from './_ui/controls/button.tsx';
import { CenteredPage } from './_ui/layout/entry-page.tsx';
import { EmptyState } from './_ui/words/empty-state.tsx';

export default function Forbidden(): ReactElement {
  return (
    <CenteredPage>
      <title>Not allowed · Sharebook</title>
      <EmptyState isPage title="Your role doesn’t allow this" action={<LinkButton href="/">Go to months</LinkButton>}>
        Nothing was changed. An admin can change your role in Settings.
      </EmptyState>
    </CenteredPage>
  );
}
