'use client';

import { useRouter } from 'next/navigation';
import { type ReactElement, useTransition } from 'react';
import { Button } from '../../../../_ui/controls/button.tsx';

/** Reads the subscription anew; `onRead` hears when it was asked for. */
export function ReadAgain({ word, onRead }: { word: string; onRead?: () => void }): ReactElement {
  const router = useRouter();
  const [isPending, start] = useTransition();
  return (
    <Button
      isDisabled={isPending}
      onPress={() =>
        start(() => {
          router.refresh();
          onRead?.();
        })
      }
    >
      {isPending ? 'Asking Invo…' : word}
    </Button>
  );
}
