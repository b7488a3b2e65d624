import { useRouter } from 'next/navigation';
import { type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactElement, useEffect, useRef } from 'react';
import { Bar, BarChart, type BarShapeProps, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { Money } from '../figures/money.tsx';
import type { ChartPoint } from './chart-series.ts';
import styles from './charts.module.css';

interface PointFiguresProps {
  label: string;
  points: ChartPoint[];
  height: number;
  /** Which point shows its figures at first; -1: none. */
  startIndex: number;
  /** It answers from now on. `show` says at which point Enter opens a page until another one shows its figures. */
  onReady: (show: (index: number) => void) => void;
}

/** Recharts over a drawing: a column for each point that highlights it, shows its figures and opens its page. */
export function PointFigures({ label, points, height, startIndex, onReady }: PointFiguresProps): ReactElement {
  const router = useRouter();
  const shown = useRef<ChartPoint | undefined>(undefined);
  const press = useRef<{ isTouch: boolean; shown: ChartPoint | undefined }>({ isTouch: false, shown: undefined });
  const open = (href: string): void =>
    router.push(href, { scroll: new URL(href, window.location.href).pathname !== window.location.pathname });
  return (
    <div
      role="presentation"
      onPointerDown={({ pointerType }: PointerEvent) => {
        press.current = { isTouch: pointerType === 'touch', shown: shown.current };
      }}
      onClick={(event: MouseEvent) => {
        const href = event.target instanceof Element ? event.target.closest('a')?.getAttribute('href') : null;
        if (!href || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        // The first tap only shows the figures; the second opens the link.
        if (!press.current.isTouch || press.current.shown?.link?.href === href) open(href);
      }}
      onKeyDown={({ key }: KeyboardEvent) => {
        if (key === 'Enter' && shown.current?.link) open(shown.current.link.href);
      }}
    >
      <ResponsiveContainer width="100%" height={height}>
        <BarChart data={points} margin={{ top: 0, right: 0, bottom: 0, left: 0 }} barCategoryGap={0} aria-label={label}>
          <XAxis dataKey="key" hide height={0} interval={0} />
          <YAxis hide width={0} domain={[0, 1]} />
          <Tooltip
            content={({ active, label: key }) => (
              <Figures
                point={active ? points.find((each) => each.key === key) : undefined}
                onShow={(point) => {
                  shown.current = point;
                }}
              />
            )}
            cursor={{ className: styles.highlight, radius: 6 }}
            wrapperStyle={{ zIndex: 2 }}
            isAnimationActive={false}
            {...(startIndex >= 0 ? { defaultIndex: startIndex } : {})}
          />
          <Bar dataKey={wholeHeight} shape={drawColumn} isAnimationActive={false} />
          <Ready
            onReady={() =>
              onReady((index) => {
                shown.current = points[index];
              })
            }
          />
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}

interface FiguresProps {
  /** undefined: nothing is pointed at. */
  point: ChartPoint | undefined;
  onShow: (point: ChartPoint | undefined) => void;
}

/** The exact figures of the point, announced when they change. */
function Figures({ point, onShow }: FiguresProps): ReactElement | null {
  useEffect(() => onShow(point));
  if (point === undefined) return null;
  return (
    <div className={styles.tip} role="status">
      <p className={styles.title}>{point.title}</p>
      {point.note !== undefined && <p className={styles.note}>{point.note}</p>}
      {point.figures.length > 0 && (
        <dl className={styles.figures}>
          {point.figures.map(({ label, amount }) => (
            <div key={label} className={styles.figure}>
              <dt>{label}</dt>
              <dd>
                <Money amount={amount} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function wholeHeight(): number {
  return 1;
}

/** What is pressed to open the page of a point: its column over the whole height. */
function drawColumn({ x, y, width, height, payload }: BarShapeProps): ReactElement {
  const { link } = payload as ChartPoint;
  const column = <rect x={x} y={y} width={width} height={height} fill="transparent" />;
  if (link === undefined) return column;
  return (
    <a href={link.href} tabIndex={-1} aria-label={link.label}>
      {column}
    </a>
  );
}

/** Recharts draws its children once it has measured its box. */
function Ready({ onReady }: { onReady: () => void }): null {
  const isReported = useRef(false);
  useEffect(() => {
    if (isReported.current) return;
    isReported.current = true;
    onReady();
  });
  return null;
}
