import { expect, inject, test } from 'vitest';
import { openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { isAboutRows, startRecorder } from './statement-recorder.ts';

test('records what is sent meanwhile, with its parameters, and changes nothing of it', async () => {
  const recorder = await startRecorder(inject('serverUrl'));
  const { pool, close } = openWithPool(recorder.url);
  try {
    const bytes = Buffer.from([0, 1, 255]);
    const sent = await recorder.record(async () => {
      await pool.query('begin; commit');
      const { rows } = await pool.query('select $1::text as a, $2::bytea as b, $3::int as c', ['é', bytes, null]);
      expect(rows).toEqual([{ a: 'é', b: bytes, c: null }]);
      for (const value of [1, 2]) await pool.query({ name: 'kept', text: 'select $1::int', values: [value] });
    });
    await pool.query('select 2');
    expect(sent).toEqual([
      { text: 'begin; commit', values: [] },
      { text: 'select $1::text as a, $2::bytea as b, $3::int as c', values: ['é', bytes, null] },
      { text: 'select $1::int', values: ['1'] },
      { text: 'select $1::int', values: ['2'] },
    ]);
    expect(sent.map(isAboutRows)).toEqual([false, true, true, true]);
  } finally {
    await close();
    await recorder.close();
  }
});
