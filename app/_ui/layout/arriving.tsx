'use client';

import { type ReactElement, type ReactNode, Suspense, startTransition, use, useEffect, useState } from 'react';
import { useIsInteractive } from '../forms/form.tsx';

interface ArrivingProps {
  /** What the server still works on. */
  content: Promise<ReactNode>;
  /** Shown until it comes. */
  fallback: ReactNode;
}

/**
 * Shows content of the server as soon as it is complete. After a navigation, Suspense reveals it 300 ms after the fallback at the earliest, whenever it came; only
 * a page that is loaded whole needs Suspense, for its content to be in the page's HTML.
 */
export function Arriving(props: ArrivingProps): ReactElement {
  const isInteractive = useIsInteractive();
  const [isInHtml] = useState(!isInteractive);
  if (!isInHtml) return <Awaited {...props} />;
  return (
    <Suspense fallback={props.fallback}>
      <InHtml content={props.content} />
    </Suspense>
  );
}

function InHtml({ content }: Pick<ArrivingProps, 'content'>): ReactNode {
  return use(content);
}

/** The newest content that came; while newer one is on its way, that before it. */
function Awaited({ content, fallback }: ArrivingProps): ReactNode {
  const [came, setCame] = useState<{ node: ReactNode } | { error: unknown } | null>(null);
  useEffect(() => {
    let isAwaited = true;
    const show = (next: { node: ReactNode } | { error: unknown }): void => {
      if (isAwaited) startTransition(() => setCame(next));
    };
    content.then(
      (node) => show({ node }),
      (error: unknown) => show({ error }),
    );
    return () => {
      isAwaited = false;
    };
  }, [content]);
  if (came === null) return fallback;
  if ('error' in came) throw came.error;
  return came.node;
}
