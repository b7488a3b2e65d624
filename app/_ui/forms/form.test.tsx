import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PasswordField, type PasswordRequest } from './form.tsx';

const REQUEST: PasswordRequest = { kind: 'password', sentence: 'Enter your password to continue.', asksCode: false, wrong: null };

test('a form whose password isn’t fresh has the field from the start, and a browser sends nothing while it is empty', () => {
  const html = renderToStaticMarkup(<PasswordField result={{ kind: 'idle' }} request={REQUEST} />);
  expect(html).toContain('Enter your password to continue.');
  expect(html).toMatch(/<input[^>]*required=""[^>]*name="password"/);
  expect(html).not.toContain('name="code"');
  const withCode = renderToStaticMarkup(<PasswordField result={{ kind: 'idle' }} request={{ ...REQUEST, asksCode: true }} />);
  expect(withCode).toMatch(/<input[^>]*required=""[^>]*name="code"/);
});

test('a form has no field for a password that is fresh, or that its action just accepted', () => {
  expect(renderToStaticMarkup(<PasswordField result={{ kind: 'idle' }} />)).toBe('');
  expect(renderToStaticMarkup(<PasswordField result={{ kind: 'done', sentence: 'Saved.' }} request={REQUEST} />)).toBe('');
  expect(renderToStaticMarkup(<PasswordField result={{ kind: 'refused', sentence: 'Reload.' }} request={REQUEST} />)).toBe('');
});

test('a wrong password is reported at the field, which stays', () => {
  const wrong = { ...REQUEST, sentence: 'Incorrect password. Nothing was changed.', wrong: 'password' as const };
  const html = renderToStaticMarkup(<PasswordField result={wrong} request={REQUEST} />);
  expect(html).toContain('Incorrect password.');
  expect(html).not.toContain('Enter your password to continue.');
});
