import { readFile } from 'node:fs/promises'
import type { Area } from '@tributary/contract/planning-records'
import { expect, test } from './portal.ts'
import { structureBuilder, keyboard, uniqueSuffix, toContent } from './structure.ts'

test('[LINK-1] areas are listed with their linked subareas; Unlink removes them, and Undo restores them', async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const [area, bar, kitchen] = [await made.area('Hotel'), await made.subarea('Bar'), await made.subarea('Kitchen')]
  await made.link(area.Id, bar.Id)
  await made.link(area.Id, kitchen.Id)
  await portal.signIn('admin', `/excel/subareas/link?search=${of}`)
  const row = page.getByRole('row', { name: area.Name })
  await expect(row).toContainText(`${bar.Name}, ${kitchen.Name}`)
  await expect(row.getByRole('button', { name: 'Edit' })).toBeVisible()
  await row.getByRole('button', { name: 'Unlink' }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText(`${bar.Name}, ${kitchen.Name}`)
})

test("[LINK-2] [LINK-3] 'Create new link' opens areas as radios and subareas as checkboxes, and 'Create Link' saves", async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const [area, bar, kitchen] = [await made.area('Hotel'), await made.subarea('Bar'), await made.subarea('Kitchen')]
  await portal.signIn('admin', '/excel/subareas/link')
  await page.getByRole('button', { name: 'Create new link' }).click()
  const areas = page.getByRole('group', { name: /^Areas/ })
  const subareas = page.getByRole('group', { name: /^Subareas/ })
  await areas.getByRole('searchbox').fill(of)
  await areas.getByRole('radio', { name: area.Name }).click()
  for (const option of ['Select all current', 'Select all current and future', 'Only selected'])
    await expect(subareas.getByRole('radio', { name: option, exact: true })).toBeVisible()
  await subareas.getByRole('searchbox').fill(of)
  await expect(subareas.getByRole('checkbox')).toHaveCount(2)
  await subareas.getByRole('button', { name: 'Sort subareas descending' }).click()
  await expect(subareas.getByRole('checkbox').first()).toHaveAccessibleName(kitchen.Name)
  await subareas.getByRole('checkbox', { name: bar.Name }).click()
  await expect(page.getByText('1 change', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Create Link' }).click()
  await expect(page.getByRole('button', { name: 'Create new link' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search areas' }).fill(of)
  await expect(page.getByRole('row', { name: area.Name })).toContainText(bar.Name)
  await page.getByRole('row', { name: area.Name }).getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Back to links' }).click()
  await expect(page.getByRole('button', { name: 'Create new link' })).toBeVisible()
})

test('[LINK-4] if two users save the same links, the later one sees the conflict and the other’s links, and saves both', async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const [area, bar, kitchen] = [await made.area('Hotel'), await made.subarea('Bar'), await made.subarea('Kitchen')]
  portal.expectFailedCalls()
  await portal.signIn('admin', `/excel/subareas/link?edit=${area.Id}`)
  const subareas = page.getByRole('group', { name: /^Subareas/ })
  await subareas.getByRole('searchbox').fill(of)
  await subareas.getByRole('checkbox', { name: bar.Name }).click()
  await made.link(area.Id, kitchen.Id)
  await page.getByRole('button', { name: 'Create Link' }).click()
  await expect(page.getByRole('alert')).toContainText(`added ${kitchen.Name}`)
  await expect(subareas.getByRole('checkbox', { name: kitchen.Name })).toBeChecked()
  await expect(subareas.getByRole('checkbox', { name: bar.Name })).toBeChecked()
  await page.getByRole('button', { name: 'Create Link' }).click()
  await expect(page.getByRole('button', { name: 'Create new link' })).toBeVisible()
  const saved = await made.api.get<Area[]>(`/areas?search=${of}`)
  expect(saved[0]?.Subareas.map(({ Name }) => Name)).toEqual([bar.Name, kitchen.Name])
})

test("[LINK-5] 'Select all current and future' shows all ticked and read-only, and includes subareas that are created later", async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of, 'admin@other.example')
  const [area, bar] = [await made.area('Hotel'), await made.subarea('Bar')]
  await portal.signIn('otherAdmin', `/excel/subareas/link?edit=${area.Id}`)
  const subareas = page.getByRole('group', { name: /^Subareas/ })
  await subareas.getByText('Select all current and future', { exact: true }).click()
  await expect(page.getByText('New ones are included automatically.')).toBeVisible()
  await subareas.getByRole('searchbox').fill(of)
  const box = subareas.getByRole('checkbox', { name: bar.Name })
  await expect(box).toBeChecked()
  await box.press(' ')
  await expect(box).toBeChecked()
  await page.getByRole('button', { name: 'Create Link' }).click()
  const review = page.getByRole('dialog', { name: /changes$/ })
  await expect(review.or(page.getByRole('button', { name: 'Create new link' })).first()).toBeVisible()
  if (await review.isVisible()) await review.getByRole('button', { name: 'Create Link' }).click()
  await expect(page.getByRole('button', { name: 'Create new link' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search areas' }).fill(of)
  await expect(page.getByRole('row', { name: area.Name })).toContainText('All current and future')
  const later = await made.subarea('Later')
  const [saved] = await made.api.get<Area[]>(`/areas?search=${of}`)
  expect(saved?.Subareas.map(({ Name }) => Name)).toContain(later.Name)
  await page.getByRole('row', { name: area.Name }).getByRole('button', { name: 'Unlink' }).click()
  await expect(page.getByRole('row', { name: area.Name })).toHaveCount(0)
})

test('[LINK-6] the same links from the subarea’s side', async ({ page, portal, request }) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const [hotel, villa, bar] = [await made.area('Hotel'), await made.area('Villa'), await made.subarea('Bar')]
  await made.link(hotel.Id, bar.Id)
  await portal.signIn('admin', `/excel/subarea-areas?search=${of}`)
  const row = page.getByRole('row', { name: bar.Name })
  await expect(row).toContainText(hotel.Name)
  await row.getByRole('button', { name: 'Edit' }).click()
  const areas = page.getByRole('group', { name: /^Areas/ })
  await areas.getByRole('searchbox').fill(of)
  await areas.getByRole('checkbox', { name: villa.Name }).click()
  await page.getByRole('button', { name: 'Create Link' }).click()
  await expect(row).toContainText(villa.Name)
  await page.getByRole('link', { name: 'By area' }).click()
  await page.getByRole('searchbox', { name: 'Search areas' }).fill(of)
  await expect(page.getByRole('row', { name: villa.Name })).toContainText(bar.Name)
})

test('[LINK-1] the matrix shows the links, is navigated by arrow keys, and exports a spreadsheet without formulas', async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const [area, bar] = [await made.area('=Hotel'), await made.subarea('Bar')]
  await made.link(area.Id, bar.Id)
  await portal.signIn('admin', `/excel/subareas/link?view=matrix&search=${of}`)
  const grid = page.getByRole('grid', { name: 'Areas and subareas' })
  await grid.getByRole('gridcell').first().focus()
  await page.keyboard.press('Control+End')
  const last = page.locator('[role=gridcell]:focus')
  await expect(last).toHaveAccessibleName(new RegExp(`^${area.Name.replace('=', '\\=')}, `))
  await page.keyboard.press('ArrowLeft')
  await expect(last).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  const [head = '', line = ''] = text.split('\r\n')
  expect(line.startsWith(`'=Hotel ${of},`)).toBe(true)
  expect(line.split(',')[head.split(',').indexOf(bar.Name)]).toBe('x')
})

test('[LINK-3] an area is linked with the keyboard alone, in at most ten presses in addition to typing', async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const [area, bar] = [await made.area('Hotel'), await made.subarea('Bar')]
  await portal.signIn('admin', '/excel/subareas/link')
  await expect(page.getByRole('button', { name: 'Create new link' })).toBeVisible()
  const { press, type, presses } = keyboard(page)
  await toContent(page)
  await press('Tab')
  await press('Enter')
  await expect(page.getByRole('searchbox', { name: 'Search areas' })).toBeFocused()
  await type(area.Name)
  await press('Enter')
  await expect(page.getByRole('searchbox', { name: 'Search subareas' })).toBeFocused()
  await type(bar.Name)
  await press('Enter')
  await press('Control+Enter')
  await expect(page.getByRole('button', { name: 'Create new link' })).toBeVisible()
  // Including the two from the address bar over the skip link to the content.
  expect(presses() + 2).toBeLessThanOrEqual(10)
  const [saved] = await made.api.get<Area[]>(`/areas?search=${of}`)
  expect(saved?.Subareas.map(({ Name }) => Name)).toEqual([bar.Name])
})

test('[GATE-8] [ROLE-3] a user reads the links but cannot change them; assignments are refused', async ({
  page,
  portal,
}) => {
  await portal.signIn('user', '/excel/subareas/link')
  await expect(page.getByRole('row', { name: /North quay/ })).toBeVisible()
  for (const name of ['Create new link', 'Edit', 'Unlink'])
    await expect(page.getByRole('button', { name })).toHaveCount(0)
  await page.goto('/excel/subareas/link?edit=new')
  await expect(page.getByRole('button', { name: 'Create Link' })).toHaveCount(0)
  for (const path of ['/excel/security/user-security-groups', '/excel/user-entities', '/excel/helper-table-users']) {
    await page.goto(path)
    await expect(page.getByText('You do not have permission to see this.')).toBeVisible()
  }
})

test('[GATE-8] a guest sees neither links nor groups', async ({ page, portal }) => {
  await portal.signIn('guest', '/excel/subareas/link')
  await expect(page.getByText('You do not have permission to see this.')).toBeVisible()
  await page.goto('/excel/security/security-groups')
  await expect(page.getByText('You do not have permission to see this.')).toBeVisible()
})

test('[UX-EXCEL-2] a pane in which nothing can be ticked looks disabled and says why, until it is enabled', async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const [area, bar] = [await made.area('Hotel'), await made.subarea('Bar')]
  await portal.signIn('admin', '/excel/subareas/link?edit=new')
  const areas = page.getByRole('group', { name: /^Areas/ })
  const subareas = page.getByRole('group', { name: /^Subareas/ })
  const look = () =>
    subareas.evaluate((pane) => {
      const { backgroundColor, borderStyle, boxShadow } = getComputedStyle(pane)
      return { backgroundColor, borderStyle, boxShadow }
    })
  await expect(subareas).toContainText('Choose one of the areas first.')
  await expect(subareas.getByRole('checkbox')).toHaveCount(0)
  const waiting = await look()
  await areas.getByRole('searchbox').fill(of)
  await areas.getByRole('radio', { name: area.Name }).click()
  await subareas.getByRole('searchbox').fill(of)
  const box = subareas.getByRole('checkbox', { name: bar.Name })
  await expect(box).toBeEnabled()
  const open = await look()
  for (const part of ['backgroundColor', 'borderStyle', 'boxShadow'] as const)
    expect([part, open[part]]).not.toEqual([part, waiting[part]])
  // A choice of all entries disables the list, although the pane is in use.
  const row = () => box.evaluate((input) => getComputedStyle(input.closest('label') ?? input).cursor)
  expect(await row()).toBe('pointer')
  await subareas.getByRole('radio', { name: 'Select all current and future' }).click()
  await expect(page.getByText('New ones are included automatically.')).toBeVisible()
  await expect(box).toBeDisabled()
  expect(await row()).toBe('not-allowed')
  expect(await look()).toEqual(open)
})
