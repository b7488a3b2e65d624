import type { ReactElement } from 'react';
import { LookedFor } from '../_ui/words/looked-for.tsx';

export default function NotFound(): ReactElement {
  return <LookedFor />;
}
