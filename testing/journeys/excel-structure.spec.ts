/** The planning structure on screen. Every name has a unique suffix, because journeys run in parallel on one server. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { apiAs } from './people.ts'
import { expect, test } from './portal.ts'

const uniqueSuffix = () => randomUUID().slice(0, 6)
const row = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
const button = (place: Page | Locator, name: string): Locator => place.getByRole('button', { name, exact: true })

/** Moves the focus from the loaded page to the first element of its content by keyboard. */
async function toTheContent(page: Page): Promise<number> {
  await expect(button(page, 'Export CSV')).toBeVisible()
  const presses = ['Tab', 'Enter', 'Tab', 'Enter']
  for (const key of presses) await page.keyboard.press(key)
  await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeFocused()
  return presses.length
}

async function addAll(page: Page, adding: string, names: readonly string[]): Promise<void> {
  await button(page, adding).click()
  const dialog = page.getByRole('dialog', { name: adding })
  await dialog.getByLabel('Names').fill(names.join('\n'))
  await button(dialog, 'Add').click()
  await expect(dialog).toBeHidden()
}

async function find(page: Page, list: string, term: string): Promise<void> {
  await page.getByRole('searchbox', { name: `Search ${list}` }).fill(term.toUpperCase())
  await page.waitForURL((url) => url.searchParams.get('search') === term)
  // Otherwise rows that disappear would move the row during the click.
  await expect(page.getByRole('rowheader').filter({ hasNotText: term })).toHaveCount(0)
}

test('[AREA-1] [AREA-2] [AREA-3] areas are added, found, sorted, renamed, archived and restored', async ({
  page,
  portal,
}) => {
  const m = uniqueSuffix()
  portal.expectFailedCalls()
  await portal.signIn('admin', '/excel/areas')
  await addAll(page, 'Add new Area(s)', [` Alpha ${m}`, '', `Beta ${m}  `])

  await button(page, 'Add new Area(s)').click()
  const dialog = page.getByRole('dialog', { name: 'Add new Area(s)' })
  await dialog.getByLabel('Names').fill(`Gamma ${m}\nbeta ${m}`)
  await expect(dialog.getByText('2 names')).toBeVisible()
  await button(dialog, 'Add').click()
  await expect(dialog.getByRole('alert')).toHaveText(
    `beta ${m}: There is already one with the name beta ${m}. Choose another name.`,
  )
  await expect(dialog.getByLabel('Names')).toHaveValue(`beta ${m}`)
  await button(dialog, 'Cancel').click()
  await button(dialog, 'Discard changes').click()

  await find(page, 'areas', m)
  await expect(page.getByText('3 areas match')).toBeVisible()
  const names = page.getByRole('rowheader')
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(names).toHaveText([`Alpha ${m}`, `Beta ${m}`, `Gamma ${m}`])
  await button(page, 'Name').click()
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending')
  await expect(names).toHaveText([`Gamma ${m}`, `Beta ${m}`, `Alpha ${m}`])
  await page.reload()
  await expect(names).toHaveText([`Gamma ${m}`, `Beta ${m}`, `Alpha ${m}`])

  await button(row(page, `Beta ${m}`), 'Edit').click()
  const edit = page.getByRole('dialog', { name: `Edit Beta ${m}` })
  await expect(edit.getByRole('radio')).toHaveCount(2)
  await edit.getByLabel('Name').fill(`Delta ${m}`)
  await edit.getByRole('radio', { name: 'Archive' }).check()
  await button(edit, 'Apply').click()
  await expect(row(page, `Delta ${m}`)).toContainText('ARCHIVED')
  await button(page, 'Undo').click()
  await expect(row(page, `Delta ${m}`)).toContainText('ACTIVE')
})

test('[AREA-4] [ROLE-3] an admin has Edit but no Delete, and the API refuses a delete', async ({
  page,
  portal,
  request,
}) => {
  const { headers, post } = await apiAs(request, 'admin@demo.example')
  const { Id } = await post<{ Id: string }>('/areas', { name: `Lasting ${uniqueSuffix()}` })
  expect((await request.delete(`/api/areas/${Id}`, { headers })).status()).toBe(403)
  await portal.signIn('admin', '/excel/areas')
  for (const path of ['/excel/areas', '/excel/subareas', '/excel/versions', '/excel/helper-tables']) {
    await page.goto(path)
    await expect(button(page, 'Edit').first()).toBeVisible()
    await expect(button(page, 'Delete')).toHaveCount(0)
  }
})

test('[AREA-4] a superadmin deletes after a confirmation that names what else is deleted', async ({
  page,
  portal,
  request,
}) => {
  const name = `short-lived ${uniqueSuffix()}`
  await (await apiAs(request, 'admin@demo.example')).post('/areas', { name })
  await portal.signIn('superadmin', '/excel/areas')
  await find(page, 'areas', name)
  await button(row(page, name), 'Delete').click()
  const dialog = page.getByRole('dialog', { name: `Delete ${name}?` })
  await expect(dialog).toContainText(/security groups? grants? it/u)
  await button(dialog, 'Delete').click()
  await expect(page.getByText(`None of the areas matches '${name}'.`)).toBeVisible()
})

test('[VER-1] [VER-2] [VER-3] [UX-TABLES-3] a version shows both table names and its milestones; it can be locked', async ({
  page,
  portal,
}) => {
  const m = uniqueSuffix()
  await portal.signIn('admin', '/excel/versions')
  await expect(page.getByRole('columnheader')).toHaveText([
    'Name',
    'Excel Table Name',
    'SQL Table Name',
    'Status',
    'Manage',
  ])
  await button(page, 'Add new Version(s)').click()
  const dialog = page.getByRole('dialog', { name: 'Add new Version(s)' })
  await dialog.getByLabel('Names').fill(`Plan ${m}\nPlan of the long year ${m}`)
  await expect(dialog.getByText(`B2SPlan${m}`)).toBeVisible()
  await expect(dialog.getByText(`Plan${m}SQLLoader`)).toBeVisible()
  await button(dialog, 'Add').click()
  await expect(dialog).toBeHidden()

  await find(page, 'versions', m)
  const long = `Planofthelongyear${m}`.slice(0, 20)
  await expect(row(page, `Plan of the long year ${m}`)).toContainText(`B2S${long}...`)
  await expect(row(page, `Plan of the long year ${m}`)).toContainText(`${long}...SQLLoader`)
  const plan = row(page, `Plan ${m}`)
  await button(plan, 'Add Milestone').click()
  const adding = page.getByRole('dialog', { name: 'Add Milestone' })
  await adding.getByLabel('Names').fill('June\nJuly')
  await button(adding, 'Add').click()
  const milestones = page.getByRole('row', { name: /^Milestone / })
  await expect(milestones).toHaveText([/^Milestone July/, /^Milestone June/])
  await expect(button(plan, '2 milestones')).toHaveAttribute('aria-expanded', 'true')
  await button(plan, '2 milestones').click()
  await expect(milestones).toHaveCount(0)
  await button(plan, '2 milestones').click()

  for (const [place, name] of [
    [milestones.first(), 'July'],
    [plan, `Plan ${m}`],
  ] as const) {
    await button(place, 'Edit').click()
    const edit = page.getByRole('dialog', { name: `Edit ${name}` })
    await expect(edit.getByRole('radio')).toHaveCount(3)
    await edit.getByRole('radio', { name: 'Lock' }).check()
    await button(edit, 'Apply').click()
    await expect(place).toContainText('LOCKED')
  }
})

test('[VER-3] the copy button copies the full name, and two versions with the same table are refused at the field', async ({
  page,
  portal,
  context,
}) => {
  const m = uniqueSuffix()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  portal.expectFailedCalls()
  await portal.signIn('admin', '/excel/versions')
  await addAll(page, 'Add new Version(s)', [`Outlook of a long year ${m}`, `Other ${m}`])
  await find(page, 'versions', m)
  await button(page, `Copy SQL Table Name of Outlook of a long year ${m}`).click()
  await expect(button(page, `Copied SQL Table Name of Outlook of a long year ${m}`)).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`B2SOutlookofalongyear${m}`)
  await button(row(page, `Other ${m}`), 'Edit').click()
  const edit = page.getByRole('dialog', { name: `Edit Other ${m}` })
  await edit.getByLabel('Name').fill(`Outlook of along year ${m}`)
  await button(edit, 'Apply').click()
  await expect(
    edit.getByText(`The table B2SOutlookofalongyear${m} would then belong to two`, { exact: false }),
  ).toBeVisible()
  await expect(edit.getByLabel('Name')).toBeFocused()
})

test('[HELP-1] [HELP-2] a helper table is named after its letters and digits, locked, archived and restored', async ({
  page,
  portal,
}) => {
  const m = uniqueSuffix().replaceAll(/\d/g, 'x')
  await portal.signIn('admin', '/excel/helper-tables')
  await expect(page.getByRole('columnheader')).toHaveText([
    'Name',
    'Excel Table Name',
    'SQL Table Name',
    'Status',
    'Manage',
  ])
  await addAll(page, 'Add new Helper Table(s)', [`1st ${m}-list!`, `Rates ${m}`])
  await find(page, 'helper tables', m)
  const table = row(page, `1st ${m}-list!`)
  await expect(table).toContainText(`B2Sst${m}list`)
  await expect(table).toContainText(`st${m}listSQLLoader`)
  for (const [choice, word] of [
    ['Lock', 'LOCKED'],
    ['Archive', 'ARCHIVED'],
    ['Active', 'ACTIVE'],
  ] as const) {
    await button(table, 'Edit').click()
    await page.getByRole('radio', { name: choice }).check()
    await button(page, 'Apply').click()
    await expect(table).toContainText(word)
  }
})

test('[ENT-1] [ENT-2] [ENT-3] entities of the organisation: one name is added, edited, deleted; each is ACTIVE', async ({
  page,
  portal,
}) => {
  const m = uniqueSuffix()
  await portal.signIn('admin', '/excel/security/entities')
  await expect(page.getByRole('heading', { level: 1, name: 'Entities for organisation Harbour Trading' })).toBeVisible()
  await expect(page.getByRole('columnheader')).toHaveText(['Name', 'Status', 'Manage'])
  await button(page, 'Add Entity').click()
  await page.getByLabel('Entity Name').fill(`Harbour ${m}`)
  await button(page, 'Add').click()
  await find(page, 'entities', m)
  await expect(row(page, `Harbour ${m}`)).toContainText('ACTIVE')
  await button(row(page, `Harbour ${m}`), 'Edit').click()
  await expect(page.getByRole('dialog').getByRole('radio')).toHaveCount(0)
  await page.getByLabel('Entity Name').fill(`Haven ${m}`)
  await button(page, 'Apply').click()
  await button(row(page, `Haven ${m}`), 'Delete').click()
  await button(page.getByRole('dialog', { name: `Delete Haven ${m}?` }), 'Delete').click()
  await expect(page.getByText(`None of the entities matches '${m}'.`)).toBeVisible()
})

test('with the keyboard alone: five areas, a version with a milestone, a helper table', async ({ page, portal }) => {
  const m = uniqueSuffix()
  await portal.signIn('admin', '/excel/areas')
  await page.reload()
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key)
    return keys.length
  }
  const names = [1, 2, 3, 4, 5].map((n) => `Key ${n} ${m}`)
  let presses = await toTheContent(page)
  await page.keyboard.type(names.join('\n'))
  presses += await press('Control+Enter')
  await expect(page.getByText('5 areas are added.')).toBeVisible()
  expect(presses).toBeLessThanOrEqual(5)

  await page.goto('/excel/versions')
  presses = await toTheContent(page)
  await page.keyboard.type(`Key ${m}`)
  presses += await press('Control+Enter')
  await expect(button(row(page, `Key ${m}`), 'Add Milestone')).toBeFocused()
  presses += await press('Enter')
  await expect(page.getByRole('dialog', { name: 'Add Milestone' }).getByLabel('Names')).toBeFocused()
  await page.keyboard.type('June')
  presses += await press('Control+Enter')
  await expect(page.getByRole('row', { name: /^Milestone June / })).toBeVisible()
  await expect(button(row(page, `Key ${m}`), 'Add Milestone')).toBeFocused()
  expect(presses).toBeLessThanOrEqual(8)

  await page.goto('/excel/helper-tables')
  presses = await toTheContent(page)
  await page.keyboard.type(`Table ${m}`)
  presses += await press('Control+Enter')
  await expect(page.getByText(`Table ${m} is added.`)).toBeVisible()
  expect(presses).toBeLessThanOrEqual(5)
})

test('an export contains the search results, and no cell is a formula', async ({ page, portal }) => {
  const m = uniqueSuffix()
  await portal.signIn('admin', '/excel/subareas')
  await addAll(page, 'Add new Subarea(s)', [`=1+1 ${m}`, `Bar, "${m}"`])
  await find(page, 'subareas', m)
  await expect(page.getByText('2 subareas match')).toBeVisible()
  const downloading = page.waitForEvent('download')
  await button(page, 'Export CSV').click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^harbour-trading-subareas-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
  expect(lines.slice(1, -1).toSorted()).toEqual([
    expect.stringMatching(`^"Bar, ""${m}""",.*,ACTIVE$`),
    expect.stringMatching(`^'=1\\+1 ${m},.*,ACTIVE$`),
  ])
})
