'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** Escape leads back to the subscription, unless something open or a field with the focus wants it for itself. */
export function EscapeBack({ href }: { href: string }): null {
  const router = useRouter();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // Heard before a dialog closes itself, so that one press never does two things.
      if (event.key !== 'Escape' || document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return;
      if (document.activeElement?.matches('input[type="text"], textarea')) return;
      router.push(href);
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [router, href]);
  return null;
}
