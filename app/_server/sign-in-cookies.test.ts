import { expect, test } from 'vitest';
import { signBrowserCookie, verifyBrowserCookie } from './sign-in-cookies.ts';

const SECRET = 'a secret of at least thirty-two characters';

test('the mark of a browser counts for the email it was made for, in any case, and for no other', () => {
  const mark = signBrowserCookie('ada@studio.example', SECRET);
  expect(verifyBrowserCookie(mark, ' Ada@Studio.example', SECRET)).toBe(true);
  expect(verifyBrowserCookie(mark, 'bo@studio.example', SECRET)).toBe(false);
  expect(verifyBrowserCookie(mark, 'ada@studio.example', 'another secret of thirty-two characters')).toBe(false);
  expect(mark).not.toContain('ada');
});

test('each mark is another one, so that the attempts of two browsers count apart', () => {
  expect(signBrowserCookie('ada@studio.example', SECRET)).not.toBe(signBrowserCookie('ada@studio.example', SECRET));
});

test.each(['', '.', 'made-up', 'made-up.', '.bWFkZQ', `${'a'.repeat(22)}.${'b'.repeat(43)}`])('%j is no mark of ours', (mark) => {
  expect(verifyBrowserCookie(mark, 'ada@studio.example', SECRET)).toBe(false);
});
