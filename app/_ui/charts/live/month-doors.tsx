import { useRouter } from 'next/navigation';
import { type MouseEvent, type PointerEvent, type ReactElement, useEffect, useRef } from 'react';
import { useActiveTooltipLabel, ZIndexLayer } from 'recharts';
import { PLOT, sentenceOf, TREND_HEIGHT, type TrendMonth } from '../trend-month.ts';

const ABOVE_ALL = 3000;

/**
 * Over each month of the chart a link to it. By pointer it opens at once, by finger on the second tap (the first shows the figures), by
 * keyboard with enter.
 */
export function MonthDoors({ months }: { months: TrendMonth[] }): ReactElement {
  const router = useRouter();
  const shown = useActiveTooltipLabel();
  const shownAtPress = useRef<{ isTouch: boolean; shown: unknown }>({ isTouch: false, shown: undefined });
  const doors = useRef<SVGGElement>(null);
  const open = (href: string): void =>
    router.push(href, { scroll: new URL(href, window.location.href).pathname !== window.location.pathname });
  useEffect(() => {
    const chart = doors.current?.ownerSVGElement;
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
        ref={doors}
        onPointerDown={(event: PointerEvent) => {
          shownAtPress.current = { isTouch: event.pointerType === 'touch', shown };
        }}
      >
        {months.map((month, place) => (
          <a
            key={month.month}
            href={month.href}
            tabIndex={-1}
            aria-label={sentenceOf(month)}
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
