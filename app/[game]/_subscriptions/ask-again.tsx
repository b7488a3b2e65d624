'use client';

import { useRouter } from 'next/navigation';
import { type ReactElement, useTransition } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';

/** Loads the page anew, for which Invo is asked anew; `onAsk` hears that it was pressed. */
export function AskAgain({ word, onAsk }: { word: string; onAsk?: () => void }): ReactElement {
  const router = useRouter();
  const [isPending, start] = useTransition();
  return (
    <Button
      isDisabled={isPending}
      onPress={() =>
        start(() => {
          router.refresh();
          onAsk?.();
        })
      }
    >
      {isPending ? 'Asking Invo…' : word}
    </Button>
  );
}
