'use client';

import { unstable_rethrow } from 'next/navigation';
import { useActionState } from 'react';

/**
 * What a form was answered, and what sends it. Where the answer is lost on its way (Sharebook is restarted, the network is gone) the form
 * stays as it was filled in and is answered with `lost`: what it asked for may have been done.
 */
export function useAnswer<State extends object>(
  action: (before: State, form: FormData) => Promise<State>,
  idle: State,
  lost: State,
): [answer: State, send: (form: FormData) => void] {
  const [answer, send] = useActionState<State, FormData>(
    async (before, form) => {
      try {
        return await action(before, form);
      } catch (error) {
        // The way to another page, or to sign in, is told as an error too.
        unstable_rethrow(error);
        // A new object each time: an answer that comes again is a new answer.
        return { ...lost };
      }
    },
    idle as Awaited<State>,
  );
  return [answer, send];
}
