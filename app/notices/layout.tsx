import type { ReactElement, ReactNode } from 'react';
import { SignedInShell } from '../_shell/signed-in-shell.tsx';

export default function NoticesLayout({ children }: { children: ReactNode }): ReactElement {
  return <SignedInShell slug={null}>{children}</SignedInShell>;
}
