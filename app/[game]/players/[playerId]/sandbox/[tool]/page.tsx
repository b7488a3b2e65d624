import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { requirePerson } from '#app/_server/session.ts';
import { RequestPage } from '#app/[game]/_actions/request-page.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { openTab } from '../../player-tab.tsx';
import { SANDBOX_TOOLS } from '../sandbox-tools.ts';

export const metadata: Metadata = { title: 'Sandbox tool' };

interface ToolParams {
  params: Promise<{ game: string; playerId: string; tool: string }>;
}

/** The form of one tool. */
export default async function ToolPage({ params }: ToolParams): Promise<ReactElement> {
  const person = await requirePerson('actions.request');
  const { game, playerId } = await openTab({ params });
  const { tool } = await params;
  const { kind, text } = (Object.hasOwn(SANDBOX_TOOLS, tool) && game.environment === 'sandbox' && SANDBOX_TOOLS[tool]) || notFound();
  return (
    <Suspense fallback={<LoadingFromInvo />}>
      <RequestPage game={game} person={person} target={{ kind, playerId }} text={text} />
    </Suspense>
  );
}
