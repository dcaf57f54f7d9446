/** From an empty planning structure to the first load, along the structure map. */
import type { Page } from '@playwright/test'
import writeWorkbook from 'write-excel-file/node'
import { countClicks, reportJob } from './measured-job.ts'
import { signInToNewOrganisation } from './people.ts'
import { expect, test } from './portal.ts'

/** Adds records by their dialogs, and goes to what the structure map names as next. */
function stepsOf(page: Page) {
  const dialog = page.getByRole('dialog')
  return {
    async add(button: string, name: string): Promise<void> {
      await page.getByRole('button', { name: button }).click()
      await dialog.getByRole('textbox').first().fill(name)
      await dialog.getByRole('button', { name: /^Add/u }).click()
      await expect(dialog).toBeHidden()
    },
    async next(): Promise<void> {
      await page
        .getByRole('navigation', { name: /sections$/u })
        .getByRole('link', { name: 'Map' })
        .click()
      await page
        .locator('main')
        .getByRole('link', { name: /^(?:Go to the next step|Load a sheet)$/u })
        .click()
    },
  }
}

async function workbook() {
  const rows = [
    ['Entity', 'Area', 'Subarea', 'Milestone', 'Amount'],
    ['North Ltd', 'North', 'Wages', 'Draft', 12.5],
  ]
  const data = rows.map((row) => row.map((value) => ({ value })))
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { name: 'budget.xlsx', mimeType, buffer: await writeWorkbook(data, { sheet: 'Plan' }).toBuffer() }
}

test('[UX-HOME-23] an administrator gets from an empty structure to the first load, each page leading to the next', async ({
  page,
  portal,
  request,
}) => {
  portal.expectFailedCalls()
  const counter = await countClicks(page)
  await signInToNewOrganisation(page, request)
  const job = counter.start()
  const steps = stepsOf(page)
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  await page.getByRole('link', { name: 'Create areas' }).click()
  await steps.add('Add new Area(s)', 'North')
  await steps.next()
  await steps.add('Add new Subarea(s)', 'Wages')
  await steps.next()
  await page
    .getByRole('group', { name: /^Subareas/ })
    .getByRole('checkbox', { name: 'Wages' })
    .click()
  await button('Create Link').click()
  await expect(button('Create new link')).toBeVisible()
  await steps.next()
  await steps.add('Add new Version(s)', 'Budget')
  await steps.next()
  await steps.add('Add Milestone', 'Draft')
  await steps.next()
  await button('Synchronise').click()
  await expect(page.getByRole('table', { name: 'Tables' }).getByRole('row', { name: /Version/u })).toBeVisible()
  await steps.next()
  await button('Create Security Group').click()
  await page.getByRole('textbox', { name: 'Security Group Name' }).fill('Planners')
  await page
    .getByRole('group', { name: /^Areas/ })
    .getByRole('radio', { name: 'North' })
    .click()
  await page
    .getByRole('group', { name: /^Subareas/ })
    .getByRole('checkbox', { name: 'Wages' })
    .click()
  await button('Next').click()
  await button('Next').click()
  await page
    .getByRole('group', { name: /^Versions/ })
    .getByRole('radio', { name: 'Budget' })
    .click()
  await page
    .getByRole('group', { name: /^Milestones/ })
    .getByRole('checkbox', { name: 'Draft' })
    .click()
  await button('Create Security Group').click()
  await expect(page.getByRole('row', { name: 'Planners' })).toBeVisible()
  await steps.next()
  await page
    .getByRole('group', { name: /^Users/ })
    .getByRole('radio', { name: 'Nia Planner' })
    .click()
  await page
    .getByRole('group', { name: /^Security Groups/ })
    .getByRole('checkbox', { name: 'Planners' })
    .click()
  await button(/^Assign$/u).click()
  await expect(button(/^Assign$/u)).toBeHidden()
  await steps.next()
  await steps.add('Add Entity', 'North Ltd')
  await steps.next()
  await page
    .getByRole('group', { name: /^Users/ })
    .getByRole('radio', { name: 'Nia Planner' })
    .click()
  await page
    .getByRole('group', { name: /^Entities/ })
    .getByRole('checkbox', { name: 'North Ltd' })
    .click()
  await button('Create Link').click()
  await expect(button('Create Link')).toBeHidden()
  await steps.next()
  await page.getByLabel('File to load').setInputFiles(await workbook())
  await page.getByLabel('Table', { exact: true }).selectOption({ label: 'Budget' })
  await button('Check').click()
  await button('Load 1 row').click()
  await expect(page.getByRole('region', { name: 'Receipt for Budget' })).toBeVisible()
  reportJob('From an empty structure to the first load', job)
  expect(job.clicks()).toBeLessThanOrEqual(60)
})
