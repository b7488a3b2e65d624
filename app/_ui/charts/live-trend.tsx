import { clsx } from 'clsx';
import { useRouter } from 'next/navigation';
import { type MouseEvent, type PointerEvent, type ReactElement, useEffect, useRef } from 'react';
import {
  Bar,
  type BarShapeProps,
  CartesianGrid,
  ComposedChart,
  type DotItemDotProps,
  Line,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  useActiveTooltipLabel,
  XAxis,
  type XAxisTickContentProps,
  YAxis,
  ZIndexLayer,
} from 'recharts';
import { negateMoney } from '#lib/core/money.ts';
import { formatMonth } from '../figures/format.ts';
import {
  drawingOf,
  formatTrendMonth,
  heightOf,
  labelOf,
  PLOT,
  type Scale,
  scaleOf,
  TREND_HEIGHT,
  type TrendMonth,
} from './chart-series.ts';
import { ChartTip, type LiveChartProps } from './chart-tip.tsx';
import styles from './charts.module.css';

/** The trend by Recharts: the same months on the same scale as its placeholder. */
export function LiveTrend({ months, label, width, height, startAt }: LiveChartProps & { months: TrendMonth[] }): ReactElement {
  const scale = scaleOf(months);
  const points = months.map((month) => ({ ...month, ...(drawingOf(month) ?? { gross: null, reversed: null, net: null }) }));
  return (
    <ResponsiveContainer width="100%" height={height} initialDimension={{ width, height }}>
      <ComposedChart
        data={points}
        margin={{ top: PLOT.top, right: 0, bottom: 0, left: 0 }}
        stackOffset="sign"
        barCategoryGap="24%"
        aria-label={`${label}. Press the left and right arrow keys to move between months, Enter to open one.`}
      >
        <defs>
          <pattern id="still-open-live" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="3" height="6" className={styles.hatch} />
          </pattern>
        </defs>
        <ActiveBand months={months} />
        <CartesianGrid vertical={false} horizontalPoints={scale.ticks.map((tick) => heightOf(tick, scale))} stroke="var(--line)" />
        <ReferenceLine y={0} stroke="var(--line-strong)" zIndex={-50} />
        <XAxis
          dataKey="month"
          height={PLOT.foot}
          interval={0}
          axisLine={false}
          tickLine={false}
          tick={<MonthName months={months} scale={scale} />}
        />
        <YAxis hide width={0} domain={[scale.min, scale.max]} ticks={scale.ticks} allowDataOverflow />
        <Tooltip
          content={<MonthTip months={months} />}
          cursor={false}
          filterNull={false}
          isAnimationActive={false}
          {...(startAt >= 0 ? { defaultIndex: startAt } : {})}
        />
        <Bar dataKey="gross" stackId="month" shape={drawGross} activeBar={false} isAnimationActive={false} />
        <Bar dataKey="reversed" stackId="month" shape={drawReversed} activeBar={false} isAnimationActive={false} />
        <Line
          dataKey="net"
          shape={({ points = [] }) => <NetSegments points={points} months={months} />}
          dot={drawPoint}
          activeDot={false}
          isAnimationActive={false}
        />
        <MonthLinks months={months} />
      </ComposedChart>
    </ResponsiveContainer>
  );
}

/** The figures of one month of the trend. */
function MonthTip({ months, active, label }: Partial<TooltipContentProps> & { months: TrendMonth[] }): ReactElement | null {
  const month = months.find((each) => each.month === label);
  if (!active || !month) return null;
  const { figures } = month;
  return (
    <ChartTip
      title={formatMonth(month.month)}
      note={month.word}
      figures={
        figures === null
          ? []
          : [
              { label: 'Gross', amount: figures.gross_attributed_usd },
              { label: 'Reversed', amount: negateMoney(figures.reversed_attributed_usd) },
              { label: 'Net attributed', amount: figures.net_attributed_usd },
            ]
      }
    />
  );
}

const BENEATH_ALL = -200;

/** The highlight behind the month whose figures are shown. */
function ActiveBand({ months }: { months: TrendMonth[] }): ReactElement | null {
  const shown = useActiveTooltipLabel();
  const place = months.findIndex(({ month }) => month === shown);
  if (place < 0) return null;
  return (
    <ZIndexLayer zIndex={BENEATH_ALL}>
      <rect
        x={`${(place * 100) / months.length}%`}
        y={PLOT.top - 6}
        width={`${100 / months.length}%`}
        height={TREND_HEIGHT - PLOT.top + 6}
        rx="6"
        fill="var(--accent-soft)"
      />
    </ZIndexLayer>
  );
}

const ABOVE_ALL = 3000;

/**
 * A link over each month. A click opens it, and so does the second tap (the first shows the figures) or Enter.
 */
function MonthLinks({ months }: { months: TrendMonth[] }): ReactElement {
  const router = useRouter();
  const shown = useActiveTooltipLabel();
  const shownAtPress = useRef<{ isTouch: boolean; shown: unknown }>({ isTouch: false, shown: undefined });
  const links = useRef<SVGGElement>(null);
  const open = (href: string): void =>
    router.push(href, { scroll: new URL(href, window.location.href).pathname !== window.location.pathname });
  useEffect(() => {
    const chart = links.current?.ownerSVGElement;
    const onKeyDown = (event: KeyboardEvent): void => {
      const month = months.find((each) => each.month === shown);
      if (event.key === 'Enter' && month) open(month.href);
    };
    chart?.addEventListener('keydown', onKeyDown);
    return () => chart?.removeEventListener('keydown', onKeyDown);
  });
  return (
    <ZIndexLayer zIndex={ABOVE_ALL}>
      <g
        ref={links}
        onPointerDown={(event: PointerEvent) => {
          shownAtPress.current = { isTouch: event.pointerType === 'touch', shown };
        }}
      >
        {months.map((month, place) => (
          <a
            key={month.month}
            href={month.href}
            tabIndex={-1}
            aria-label={formatTrendMonth(month)}
            onClick={(event: MouseEvent) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              if (!shownAtPress.current.isTouch || shownAtPress.current.shown === month.month) open(month.href);
            }}
          >
            <rect
              x={`${(place * 100) / months.length}%`}
              y={PLOT.top - 6}
              width={`${100 / months.length}%`}
              height={TREND_HEIGHT - PLOT.top + 6}
              fill="transparent"
            />
          </a>
        ))}
      </g>
    </ZIndexLayer>
  );
}

/** The bar of a month’s gross; hatched while it is open. */
function drawGross({ x, width, payload, ...span }: BarShapeProps): ReactElement {
  const { isOpen } = payload as TrendMonth;
  return (
    <rect
      x={x}
      width={width}
      {...upright(span)}
      rx="2"
      {...(isOpen ? { fill: 'url(#still-open-live)', className: styles.open } : { className: styles.gross })}
    />
  );
}

/** The bar of a month’s reversed amount, below zero. */
function drawReversed({ x, width, payload, ...span }: BarShapeProps): ReactElement {
  const { isOpen } = payload as TrendMonth;
  return <rect x={x} width={width} {...upright(span)} rx="2" className={clsx(styles.reversed, isOpen && styles.faint)} />;
}

/** The net from month to month; it breaks where a month has no figures and is dashed into an open month. */
function NetSegments({ points, months }: { points: readonly Point[]; months: TrendMonth[] }): ReactElement {
  return (
    <g className={styles.net}>
      {points.map((point, place) => {
        const before = points[place - 1];
        const month = months[place];
        if (!month || !before || before.y === null || point.y === null) return null;
        return (
          <line
            key={month.month}
            x1={before.x ?? 0}
            y1={before.y}
            x2={point.x ?? 0}
            y2={point.y}
            className={clsx(styles.line, month.isOpen && styles.dashed)}
          />
        );
      })}
    </g>
  );
}

interface Point {
  x: number | null;
  y: number | null;
}

/** The net of one month; nothing where the series breaks. */
function drawPoint({ key, cx, cy, value }: DotItemDotProps): ReactElement {
  return value === null || cx === undefined || cy === undefined ? (
    <g key={key} />
  ) : (
    <circle key={key} cx={cx} cy={cy} r="3" className={styles.point} />
  );
}

/** The label of a month, and the dash of one without figures. */
function MonthName({
  x = 0,
  index = 0,
  months,
  scale,
}: Partial<XAxisTickContentProps> & { months: TrendMonth[]; scale: Scale }): ReactElement | null {
  const month = months[index];
  if (!month) return null;
  const label = labelOf(index, months.length);
  return (
    <g>
      {label !== 'none' && (
        <text x={x} y={heightOf(scale.min, scale) + 17} textAnchor="middle" className={clsx(styles.label, label === 'wide' && styles.wide)}>
          {formatMonth(month.month, 'short')}
        </text>
      )}
      {month.figures === null && (
        <text x={x} y={heightOf(0, scale) - 6} textAnchor="middle" className={styles.missing}>
          –
        </text>
      )}
    </g>
  );
}

function upright({ y, height }: { y: number; height: number }): { y: number; height: number } {
  return { y: Math.min(y, y + height), height: Math.abs(height) };
}
