import type { ReactElement } from 'react';
import { db, payeeKey } from '#app/_server/server-context.ts';
import { Notice } from '#app/_ui/words/notice.tsx';
import { findKeyProblem } from '#lib/payees/find-key-refusal.ts';

/** What to set where no key is, or another one than that of stored details; nothing otherwise. The feature's text, which browsers load, doesn't name the variable. */
export async function KeyNotice(): Promise<ReactElement | null> {
  const problem = await findKeyProblem(db(), payeeKey());
  if (problem === null) return null;
  return (
    <Notice voice={problem.isKeyMissed ? 'bad' : 'wait'} title={problem.title}>
      {problem.text}
    </Notice>
  );
}
