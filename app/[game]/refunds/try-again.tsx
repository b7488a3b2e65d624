'use client';

import { useRouter } from 'next/navigation';
import { type ReactElement, useTransition } from 'react';
import { Button } from '../../_ui/controls/button.tsx';

/** Loads the page anew. */
export function TryAgain(): ReactElement {
  const router = useRouter();
  const [isPending, start] = useTransition();
  return (
    <Button onPress={() => start(() => router.refresh())} isDisabled={isPending}>
      {isPending ? 'Asking Invo…' : 'Try again'}
    </Button>
  );
}
