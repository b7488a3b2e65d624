import { expect, test } from 'vitest';
import { showControls } from './visible-text.ts';

test.each([
  ['Aurora Vale', 'Aurora Vale'],
  ['Zoë 李 🧑🏽‍🚀', 'Zoë 李 🧑🏽‍🚀'],
  ['Bo\r\n\0', 'Bo␍␊␀'],
  ['evil\u202Ecod.exe', 'evil[U+202E]cod.exe'],
  ['a\u200Bb\u200Dc', 'a[U+200B]b[U+200D]c'],
  ['a\u200D🚀', 'a[U+200D]🚀'],
  ['\uD800', '[U+D800]'],
  ['<script>', '<script>'],
  ['', ''],
])('%j is shown as %j', (text, shown) => {
  expect(showControls(text)).toBe(shown);
});
