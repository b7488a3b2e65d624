import type { GoalId, Reading, Unmeasured, Work } from './goal.ts';
import type { Judged } from './judge.ts';

/** One row of the table, with every reading behind it. */
export interface MeasuredWork extends Work {
  id: GoalId;
  judged: Judged;
  /** The limit moved by more than 30 % in every run that was taken. */
  hasMoved: boolean;
  runs: (Reading | string | null)[][];
}

const HEAD = '| Goal | Work | Figure | Limit | Ratio | Range of rounds | Goal | Verdict |';

/** The measured works as one Markdown table, and below them what isn't measured. */
export function printTable(measured: MeasuredWork[], unmeasured: Unmeasured[]): string {
  return [HEAD, HEAD.replace(/[^|]+/g, '---'), ...measured.map(printRow), ...unmeasured.map(printUnmeasured)].join('\n');
}

function printUnmeasured({ id, work, goal, why }: Unmeasured): string {
  return `| ${[id, work, '–', '–', '–', '–', goal, why].join(' | ')} |`;
}

function printRow({ id, work, unit, beside, goal, judged, hasMoved }: MeasuredWork): string {
  const { figure, limit, ratio, range, verdict, holds } = judged;
  const times = beside === null ? '' : ' ×';
  const cells = [
    id,
    work,
    figure === null ? 'not built' : `${format(figure)} ${unit}`,
    limit === null ? '–' : `${format(limit)} ${unit} (${beside})`,
    ratio === null || beside === null ? '–' : `${format(ratio)} ×`,
    range === null ? '–' : `${format(range[0])}–${format(range[1])}${hasMoved ? ', limit moved' : ''}`,
    'most' in goal ? `≤ ${goal.most}${times}` : `≥ ${goal.least}${times}`,
    verdict === 'within noise' ? `${holds ? 'holds' : 'misses'}, within noise` : verdict,
  ];
  return `| ${cells.join(' | ')} |`;
}

function format(value: number): string {
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value
    .toFixed(Math.min(digits, 4))
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
}
