import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { findConnector } from './find-runs.ts'
import { expect, test } from './portal.ts'

// These tests are read-only.
test.describe.configure({ mode: 'parallel' })

/** Drawers and dialogs over the dashboard, by the end of their path. */
const screens: Record<string, (page: Page) => Promise<unknown>> = {
  '': (page) => expect(page.getByRole('article').first()).toBeVisible(),
  '?layout=table': (page) => expect(page.getByRole('table').first()).toBeVisible(),
  '?connector=ID': (page) => expect(page.getByRole('table', { name: 'Runs, latest first' })).toBeVisible(),
  '?connector=ID&view=tables': (page) =>
    expect(page.getByRole('table', { name: 'Tables of the connector' })).toBeVisible(),
  '?connector=ID&view=rules': (page) =>
    expect(page.getByRole('table', { name: 'Filters and masks of the tables' })).toBeVisible(),
  '?connector=ID&view=charts': (page) => expect(page.getByRole('slider').first()).toBeAttached(),
  '?connector=OLD&view=changes': (page) => expect(page.getByRole('dialog').getByRole('table').first()).toBeVisible(),
  '?connector=ID&view=incidents': (page) => expect(page.getByRole('dialog')).toContainText(/incident/i),
  '?connector=ID&view=reload': (page) => expect(page.getByRole('checkbox').first()).toBeVisible(),
  '?connector=ID&run=RUN': (page) => expect(page.getByRole('region', { name: 'Timeline' })).toBeVisible(),
  '?connector=OLD&run=FAULT': (page) => expect(page.getByRole('link', { name: 'Reconnect' })).toBeVisible(),
}

for (const [end, ready] of Object.entries(screens)) {
  test(`'…/refresh${end}' has no accessibility violation, wide and narrow, light and dark`, async ({
    page,
    portal,
    request,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const shop = await findConnector(request, 'Web shop')
    const old = await findConnector(request, 'Old shop archive')
    const path = `/connectors/postgres/refresh${end}`
      .replace('ID', shop.Id)
      .replace('RUN', shop.Log?.RunId ?? '')
      .replace('OLD', old.Id)
      .replace('FAULT', old.Log?.RunId ?? '')
    await portal.signIn('admin', path)
    await ready(page)
    await expectAccessible(page, ready)
  })
}

test(`'…/refresh?connector=ID&view=rules' with the rules of a table has no accessibility violation, and the keyboard sets them`, async ({
  page,
  portal,
  request,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const shop = await findConnector(request, 'Web shop')
  await portal.signIn('admin', `/connectors/postgres/refresh?connector=${shop.Id}&view=rules`)
  const drawer = page.getByRole('dialog')
  await drawer
    .getByRole('button', { name: /^Change the filter and masks of/u })
    .first()
    .press('Enter')
  await drawer.getByRole('button', { name: 'Add a condition' }).press('Enter')
  await drawer.getByLabel('Comparison of condition 1').selectOption('is one of')
  await drawer.getByLabel('Value of condition 1').fill('1\n2')
  await drawer.getByRole('button', { name: 'Add a condition' }).press('Enter')
  await drawer.getByRole('button', { name: 'Add a column' }).press('Enter')
  await expect(drawer).toContainText(/Only rows where \S+ is one of ‘1’, ‘2’/u)
  await expectAccessible(page, () => expect(drawer.getByLabel('Column of masked column 1')).toBeVisible())
})
