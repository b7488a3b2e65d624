'use client';

import { type MouseEvent, type PointerEvent, type ReactElement, type ReactNode, useRef, useState } from 'react';
import { useCode } from '../controls/use-code.ts';
import type { ChartPoint } from './chart-series.ts';
import styles from './charts.module.css';

interface InteractiveChartProps {
  label: string;
  /** What the arrow keys and Enter do. */
  keys: string;
  /** From left to right, each as wide as the others. */
  points: ChartPoint[];
  /** In pixels. */
  height: number;
  /** The drawing, by the server; its links, if any, are those of the points. */
  children: ReactNode;
}

/**
 * A drawing of the server that answers to the pointer, to touch and to the arrow keys. The first of them loads Recharts, which shows the figures
 * of a point and highlights it behind the drawing. The drawing never changes, and it is all there is without scripts.
 */
export function InteractiveChart({ label, keys, points, height, children }: InteractiveChartProps): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const { code, hasFailed, load, warm } = useCode(() => import('./point-figures.tsx'));
  const [isReady, setReady] = useState(false);
  const [startIndex, setStartIndex] = useState(-1);
  const press = useRef({ isTouch: false, end: Promise.resolve() });
  async function onReady(show: (index: number) => void): Promise<void> {
    // A press that started on the drawing must end on it, or its click is lost.
    await press.current.end;
    if (!press.current.isTouch && box.current?.contains(document.activeElement)) {
      const index = indexOfLink(box.current, document.activeElement);
      show(index);
      moveFocus(box.current.querySelector<SVGElement>('svg[role="application"]'), index);
    }
    setReady(true);
  }
  const needsTabStop = !isReady && points.every(({ link }) => link === undefined);
  return (
    <div
      ref={box}
      className={styles.box}
      role="group"
      aria-label={label}
      {...(needsTabStop ? { tabIndex: 0 } : {})}
      {...warm}
      onPointerDown={({ pointerType }: PointerEvent) => {
        press.current = { isTouch: pointerType === 'touch', end: endOfPress() };
      }}
      onClickCapture={(event: MouseEvent) => {
        // The first tap only shows the figures; the second opens the link.
        if (!press.current.isTouch || isReady || hasFailed) return;
        event.preventDefault();
        setStartIndex(indexOfLink(box.current, event.target));
        load();
      }}
    >
      <div className={styles.drawing} inert={isReady}>
        {children}
      </div>
      {code !== null && (
        <div className={styles.answers} data-print="no">
          <code.PointFigures label={`${label}. ${keys}`} points={points} height={height} startIndex={startIndex} onReady={onReady} />
        </div>
      )}
    </div>
  );
}

/** Focuses the chart of Recharts, which starts at its first point, and goes to a point as the arrow keys would. */
function moveFocus(chart: SVGElement | null, index: number): void {
  chart?.focus();
  for (let position = 0; position < index; position += 1)
    chart?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
}

function endOfPress(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => void setTimeout(resolve);
    window.addEventListener('pointerup', end, { once: true });
    window.addEventListener('pointercancel', end, { once: true });
  });
}

function indexOfLink(box: HTMLElement | null, target: EventTarget | null): number {
  const link = target instanceof Element ? target.closest('a') : null;
  return box === null || link === null ? -1 : [...box.querySelectorAll('a')].indexOf(link);
}
