import { expect, test } from '../fixtures.ts';
import { DEMO } from '../pages/demo-people.ts';
import { confirmIban, confirmSenders } from '../pages/payment-requests.ts';
import { PayoutPages } from '../pages/payout-pages.ts';
import { look, post } from '../pages/payout-requests.ts';

test.use({ role: null, world: 'few-clicks' });

/** From the sign-in page to the closed run, for both people together, without the answers to open items. */
const CLICKS_MAX = 12;
const CLICKS_PER_FILE_MAX = 2;
/** Halcyon Drift, who earned 13.50 in October: paid by SEPA, so that the run has two files. */
const SEPA_RECIPIENT = 9009;

test('two people close and pay a month with few clicks and one password', { tag: '@proof' }, async ({ page, pageOf }) => {
  test.setTimeout(240_000);
  const [preparer, approver] = [await pageOf('finance'), await pageOf('admin')];
  await confirmSenders(preparer, approver);
  await confirmIban(preparer, approver, SEPA_RECIPIENT, 'DE89370400440532013000');
  const [fiona, ada] = [new PayoutPages(page), new PayoutPages(await pageOf(null))];
  let files = 0;

  await test.step('Fiona starts the run from her first page, answers its items and submits it', async () => {
    await page.goto('/sign-in');
    await fiona.click(page.getByRole('button', { name: DEMO.finance.name }));
    await fiona.click(page.getByRole('link', { name: 'Start payout run' }));
    await fiona.click(page.getByRole('button', { name: 'Start payout run' }));
    await expect(page.getByRole('link', { name: /^Open run/ })).toBeVisible();
    // The rate is an answer to an item, too.
    const runId = (await look(preparer, '/demo/payouts/1')).hidden('runId');
    await post(preparer, '/demo/payouts/1', 'setRateAction', { game: 'demo', runId, rate: '1.25', source: 'ECB, 25 November 2026' });
    await page.reload();
    await fiona.answer();
    await fiona.submit();
  });

  await test.step('Ada approves it from hers, where the password is requested before she presses anything', async () => {
    await ada.page.goto('/sign-in');
    await ada.click(ada.page.getByRole('button', { name: DEMO.admin.name }));
    await ada.click(ada.page.getByRole('link', { name: 'Review run' }));
    // Once for the whole month. A form that requested it again would send nothing, and the story would fail.
    await ada.page.getByLabel('Your password').fill('simulated data only');
    await ada.click(ada.page.getByRole('button', { name: /^Approve \$/ }));
    await expect(ada.page).toHaveURL('/demo/payouts/1/payments');
  });

  await test.step('She creates the files, and downloads and hands over each without another password', async () => {
    await ada.click(ada.page.getByRole('button', { name: /^Create files for \d+ payments$/ }));
    const cards = ada.page.getByRole('region', { name: /^File \d+,/ });
    await expect(cards).toHaveCount(2);
    files = await cards.count();
    await expect(ada.page.getByLabel('Your password')).toHaveCount(0);
    for (const card of await cards.all()) {
      await Promise.all([ada.page.waitForEvent('download'), ada.click(card.getByRole('button', { name: /^Download demo-/ }))]);
      await ada.click(card.getByRole('button', { name: /^Record hand-over of file \d+$/ }));
      await expect(card.getByText('Handed over', { exact: true }).first()).toBeVisible();
    }
  });

  await test.step('She records what the demo bank reports, and closes the run', async () => {
    const link = ada.page.getByRole('link', { name: 'Download the demo bank’s report' });
    const [report] = await Promise.all([ada.page.waitForEvent('download'), ada.click(link)]);
    const card = ada.page.getByRole('region', { name: 'Add report' });
    const field = card.getByLabel('Report', { exact: true });
    const [chooser] = await Promise.all([ada.page.waitForEvent('filechooser'), ada.click(field)]);
    await chooser.setFiles(await report.path());
    await ada.click(card.getByRole('button', { name: 'Record report' }));
    await expect(card.getByText(/^Recorded as/)).toBeVisible();
    await ada.click(ada.page.getByRole('button', { name: 'Close run 1' }));
    await expect(ada.page.getByText('Closed', { exact: true }).first()).toBeVisible();
  });

  const clicks = fiona.clicks - fiona.answers + ada.clicks;
  expect(clicks, `${files} payment files`).toBeLessThanOrEqual(CLICKS_MAX + CLICKS_PER_FILE_MAX * files);
});
