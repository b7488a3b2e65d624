import { inject } from 'vitest';

// What steers the simulated Invo finds it by the data folder, as in browser tests.
process.env['SHAREBOOK_DATA'] = inject('sharebook').data;
