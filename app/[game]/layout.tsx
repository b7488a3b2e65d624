import type { Metadata } from 'next';
import type { ReactElement, ReactNode } from 'react';
import { requireGame } from '../_server/game.ts';
import { requirePerson } from '../_server/session.ts';
import { SignedInShell } from '../_shell/signed-in-shell.tsx';

interface GameLayoutProps {
  children: ReactNode;
  params: Promise<{ game: string }>;
}

export async function generateMetadata({ params }: GameLayoutProps): Promise<Metadata> {
  await requirePerson();
  const game = await requireGame((await params).game);
  return { title: { default: game.name, template: `%s · ${game.name} · Sharebook` } };
}

export default async function GameLayout({ children, params }: GameLayoutProps): Promise<ReactElement> {
  await requirePerson();
  const game = await requireGame((await params).game);
  return <SignedInShell slug={game.slug}>{children}</SignedInShell>;
}
