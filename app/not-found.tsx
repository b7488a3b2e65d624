import type { ReactElement } from 'react';
import { StandAlone } from './_ui/layout/stand-alone.tsx';
import { LookedFor } from './_ui/words/looked-for.tsx';

export default function NotFound(): ReactElement {
  return (
    <StandAlone>
      <LookedFor />
    </StandAlone>
  );
}
