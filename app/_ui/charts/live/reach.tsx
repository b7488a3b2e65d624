'use client';

import { clsx } from 'clsx';
import {
  type ComponentType,
  type FocusEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { LiveChartProps } from './live-chart.tsx';
import styles from './reach.module.css';

interface ReachProps extends Pick<LiveChartProps, 'chart' | 'label' | 'height'> {
  /** The chart as the server drew it: the first paint, and all there is without scripts. */
  children: ReactNode;
}

const NEVER_CHANGES = (): (() => void) => () => undefined;

interface Woken {
  Chart: ComponentType<LiveChartProps>;
  width: number;
  /** The month a finger or the focus was on; -1: none. */
  startAt: number;
}

/**
 * A chart drawn on the server that becomes Recharts' when somebody reaches for it: by pointer, by touch or by keyboard. The drawing keeps the
 * box, so nothing moves; when the chart cannot be loaded it simply stays.
 */
export function Reach({ chart, label, height, children }: ReachProps): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const { woken, isShown, wake, holdWhilePressed } = useWaking(box);
  // False while the server draws and until scripts run: without them there is nothing to reach for.
  const isAwake = useSyncExternalStore(
    NEVER_CHANGES,
    () => true,
    () => false,
  );
  const needsTabStop = isAwake && !isShown && chart.kind === 'walk';
  const lastTouch = useRef(false);
  return (
    <div
      ref={box}
      className={styles.box}
      {...(needsTabStop ? { tabIndex: 0, role: 'group', 'aria-label': label } : {})}
      onPointerEnter={() => wake(-1)}
      onPointerDown={(event) => {
        lastTouch.current = event.pointerType === 'touch';
        holdWhilePressed();
      }}
      onFocus={(event: FocusEvent) => wake(placeOfLink(box.current, event.target))}
      onClickCapture={(event: MouseEvent) => {
        // The first tap only asks for the figures; the link is for the second.
        if (lastTouch.current && woken === null && wake(placeOfLink(box.current, event.target))) event.preventDefault();
      }}
    >
      <div className={clsx(isShown && styles.asleep)}>{children}</div>
      {woken !== null && (
        <div className={styles.live}>
          <woken.Chart chart={chart} label={label} height={height} width={woken.width} startAt={woken.startAt} />
        </div>
      )}
    </div>
  );
}

function useWaking(box: { current: HTMLDivElement | null }) {
  const [woken, setWoken] = useState<Woken | null>(null);
  const [isShown, setIsShown] = useState(false);
  const asked = useRef<'not' | 'asked' | 'failed'>('not');
  const released = useRef(Promise.resolve());
  const startAt = useRef(-1);
  useEffect(() => {
    if (woken === null) return undefined;
    // Two frames: the first draws the chart, the second is seen; only then may the drawing beneath go.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (box.current?.contains(document.activeElement)) box.current.querySelector<SVGElement>('svg[role="application"]')?.focus();
        setIsShown(true);
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [box, woken]);
  async function load(): Promise<void> {
    try {
      const { LiveChart } = await import('./live-chart.tsx');
      // A press that began on the drawing must end on it, or its click goes nowhere.
      await released.current;
      setWoken({ Chart: LiveChart, width: box.current?.clientWidth ?? 0, startAt: startAt.current });
    } catch {
      asked.current = 'failed';
    }
  }
  function wake(place: number): boolean {
    if (place >= 0) startAt.current = place;
    if (asked.current === 'not') {
      asked.current = 'asked';
      void load();
    }
    return asked.current === 'asked';
  }
  function holdWhilePressed(): void {
    released.current = new Promise((resolve) => {
      const end = (): void => void setTimeout(resolve);
      window.addEventListener('pointerup', end, { once: true });
      window.addEventListener('pointercancel', end, { once: true });
    });
  }
  return { woken, isShown, wake, holdWhilePressed };
}

function placeOfLink(box: HTMLElement | null, target: EventTarget): number {
  const link = target instanceof Element ? target.closest('a') : null;
  return box === null || link === null ? -1 : [...box.querySelectorAll('a')].indexOf(link);
}
