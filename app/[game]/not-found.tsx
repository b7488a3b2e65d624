import type { ReactElement } from 'react';
import { NotFoundPage } from '../_ui/words/not-found-page.tsx';

export default function NotFound(): ReactElement {
  return <NotFoundPage />;
}
