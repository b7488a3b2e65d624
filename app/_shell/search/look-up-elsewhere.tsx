'use client';

import type { ReactElement } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { useOpenLookUp } from './look-up-provider.tsx';

interface LookUpElsewhereProps {
  others: { slug: string; label: string }[];
  /** What is looked for; it stands in the box and in no address. */
  text: string;
}

/** The way to the same look-up in the other games the person may see. */
export function LookUpElsewhere({ others, text }: LookUpElsewhereProps): ReactElement {
  const open = useOpenLookUp();
  return (
    <>
      {others.map(({ slug, label }) => (
        <Button key={slug} onPress={() => open({ slug, text })}>
          Look in {label}
        </Button>
      ))}
    </>
  );
}
