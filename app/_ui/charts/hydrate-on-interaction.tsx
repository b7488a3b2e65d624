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
import type { FlowStep, TrendMonth } from './chart-series.ts';
import type { LiveChartProps } from './chart-tip.tsx';
import styles from './charts.module.css';

type LiveChart = { kind: 'trend'; months: TrendMonth[] } | { kind: 'flow'; steps: FlowStep[] };

type LiveComponent = ComponentType<LiveChartProps & { chart: LiveChart }>;

interface HydrateOnInteractionProps extends Pick<LiveChartProps, 'label' | 'height'> {
  chart: LiveChart;
  /** The still placeholder, drawn by the server: the first paint, and all there is without scripts. */
  children: ReactNode;
}

const NEVER_CHANGES = (): (() => void) => () => undefined;

interface Loaded {
  Chart: LiveComponent;
  width: number;
  /** The month touched or focused; -1: none. */
  startAt: number;
}

/**
 * A still chart that Recharts replaces on the first interaction: by pointer, touch or keyboard. The placeholder keeps the box, so nothing moves;
 * when the code can’t be loaded, it stays.
 */
export function HydrateOnInteraction({ chart, label, height, children }: HydrateOnInteractionProps): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const { loaded, isShown, show, holdWhilePressed } = useLiveChart(box, chart);
  // False on the server and until scripts run: without them there is nothing to load.
  const isHydrated = useSyncExternalStore(
    NEVER_CHANGES,
    () => true,
    () => false,
  );
  const needsTabStop = isHydrated && !isShown && chart.kind === 'flow';
  const lastTouch = useRef(false);
  return (
    <div
      ref={box}
      className={styles.box}
      {...(needsTabStop ? { tabIndex: 0, role: 'group', 'aria-label': label } : {})}
      onPointerEnter={() => show(-1)}
      onPointerDown={(event) => {
        lastTouch.current = event.pointerType === 'touch';
        holdWhilePressed();
      }}
      onFocus={(event: FocusEvent) => show(placeOfLink(box.current, event.target))}
      onClickCapture={(event: MouseEvent) => {
        // The first tap only shows the figures; the second opens the link.
        if (lastTouch.current && loaded === null && show(placeOfLink(box.current, event.target))) event.preventDefault();
      }}
    >
      <div className={clsx(isShown && styles.hidden)}>{children}</div>
      {loaded !== null && (
        <div className={styles.live}>
          <loaded.Chart chart={chart} label={label} height={height} width={loaded.width} startAt={loaded.startAt} />
        </div>
      )}
    </div>
  );
}

function useLiveChart(box: { current: HTMLDivElement | null }, chart: LiveChart) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [isShown, setIsShown] = useState(false);
  const status = useRef<'idle' | 'loading' | 'failed'>('idle');
  const released = useRef(Promise.resolve());
  const startAt = useRef(-1);
  useEffect(() => {
    if (loaded === null) return undefined;
    // Two frames: the first draws the chart, the second shows it; only then is the placeholder hidden.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (box.current?.contains(document.activeElement)) box.current.querySelector<SVGElement>('svg[role="application"]')?.focus();
        setIsShown(true);
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [box, loaded]);
  async function load(): Promise<void> {
    try {
      const Chart = await importChart(chart.kind);
      // A press that started on the placeholder must end on it, or its click is lost.
      await released.current;
      setLoaded({ Chart, width: box.current?.clientWidth ?? 0, startAt: startAt.current });
    } catch {
      status.current = 'failed';
    }
  }
  function show(place: number): boolean {
    if (place >= 0) startAt.current = place;
    if (status.current === 'idle') {
      status.current = 'loading';
      void load();
    }
    return status.current === 'loading';
  }
  function holdWhilePressed(): void {
    released.current = new Promise((resolve) => {
      const end = (): void => void setTimeout(resolve);
      window.addEventListener('pointerup', end, { once: true });
      window.addEventListener('pointercancel', end, { once: true });
    });
  }
  return { loaded, isShown, show, holdWhilePressed };
}

async function importChart(kind: LiveChart['kind']): Promise<LiveComponent> {
  if (kind === 'trend') {
    const { LiveTrend } = await import('./live-trend.tsx');
    return ({ chart, ...rest }) => (chart.kind === 'trend' ? <LiveTrend months={chart.months} {...rest} /> : null);
  }
  const { LiveFlow } = await import('./live-flow.tsx');
  return ({ chart, ...rest }) => (chart.kind === 'flow' ? <LiveFlow steps={chart.steps} {...rest} /> : null);
}

function placeOfLink(box: HTMLElement | null, target: EventTarget): number {
  const link = target instanceof Element ? target.closest('a') : null;
  return box === null || link === null ? -1 : [...box.querySelectorAll('a')].indexOf(link);
}
