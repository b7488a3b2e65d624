import fs from 'node:fs';
import { describe, expect, test } from 'vitest';

// WCAG 2.2, 1.4.3: 4.5 between text and what is behind it. 1.4.11: 3 for what outlines a control or draws a figure.

const css = fs.readFileSync('app/globals.css', 'utf8');
const sheets = fs.globSync('app/**/*.css').map((file) => fs.readFileSync(file, 'utf8'));

/** Colours of text, and what lies behind them. Each text may stand on each of these surfaces. */
const TEXTS = ['ink', 'ink-2', 'ink-3', 'accent', 'accent-strong', 'good', 'wait', 'bad'];
const SURFACES = ['paper', 'ground', 'sunken', 'accent-soft', 'good-soft', 'wait-soft', 'bad-soft'];
/** Text on a filled button, mark or bar. */
const FILLED = [
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
];
/** Drawn and not read: outlines of controls, and lines that separate what is apart without them. */
const OUTLINES = ['line-control'];
const DECORATION = ['line', 'line-strong', 'bar-1', 'bar-2', 'bar-neg', 'backdrop'];

describe.each(['light', 'dark'] as const)('in %s colours', (theme) => {
  test.each(TEXTS)('%s is readable on every surface', (text) => {
    const ratios = Object.fromEntries(SURFACES.map((surface) => [surface, contrast(colour(text, theme), colour(surface, theme))]));
    expect(Object.entries(ratios).filter(([, ratio]) => ratio < 4.5)).toEqual([]);
  });

  test.each(FILLED)('%s is readable on %s', (text, fill) => {
    expect(contrast(colour(text, theme), colour(fill, theme))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(OUTLINES)('%s shows where a control is', (line) => {
    for (const surface of ['paper', 'ground', 'sunken'])
      expect(contrast(colour(line, theme), colour(surface, theme)), surface).toBeGreaterThanOrEqual(3);
  });
});

test('every colour that a style sheet names is among those compared', () => {
  const known = [...TEXTS, ...SURFACES, ...FILLED.flat(), ...OUTLINES, ...DECORATION];
  const named = sheets.flatMap((sheet) =>
    [...sheet.matchAll(/(?:^|[\s;{])(?:color|background|background-color):([^;}]*)/g)].flatMap(([, value = '']) =>
      [...value.matchAll(/var\(--([a-z0-9-]+)\)/g)].map(([, name]) => name),
    ),
  );
  expect(named.length).toBeGreaterThan(100);
  expect([...new Set(named)].filter((name) => !known.includes(name ?? ''))).toEqual([]);
});

test('no text is paler than its token', () => {
  // Inside @keyframes, four spaces in, something comes and goes.
  expect(sheets.flatMap((sheet) => sheet.match(/^ {2}opacity: 0?\.\d+/gm) ?? [])).toEqual([]);
  const paler = sheets.flatMap((sheet) =>
    [...sheet.matchAll(/(?:^|[\s;{])color:\s*(?:#|rgb|hsl|color-mix)[^;}]*/g)].map(([match]) => match.trim()),
  );
  expect(paler).toEqual([]);
});

/** The red, green and blue of a token. */
function colour(token: string, theme: 'light' | 'dark'): [number, number, number] {
  const [, light = '', dark = ''] = new RegExp(`--${token}: light-dark\\(var\\(--([\\w-]+)\\), var\\(--([\\w-]+)\\)\\)`).exec(css) ?? [];
  const hex = new RegExp(`--${theme === 'light' ? light : dark}: #([0-9a-f]{6})`).exec(css)?.[1];
  if (!hex) throw new Error(`${token} has no colour.`);
  return [0, 2, 4].map((index) => Number.parseInt(hex.slice(index, index + 2), 16)) as [number, number, number];
}

function contrast(one: [number, number, number], other: [number, number, number]): number {
  const [bright = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return Math.round(((bright + 0.05) / (dark + 0.05)) * 100) / 100;
}

function luminance(channels: [number, number, number]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
