import type { ReactElement } from 'react';
import { CenteredPage } from './_ui/layout/entry-page.tsx';
import { NotFoundPage } from './_ui/words/not-found-page.tsx';

export default function NotFound(): ReactElement {
  return (
    <CenteredPage>
      <NotFoundPage />
    </CenteredPage>
  );
}
