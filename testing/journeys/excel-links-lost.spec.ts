/** Unsaved links are never lost without a question. */
import { expect, test } from './portal.ts'
import { structureBuilder, uniqueSuffix } from './structure.ts'

test('[LINK-3] unsaved changes are never lost without a question', async ({ page, portal, request }) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const [first, second, bar] = [await made.area('First'), await made.area('Second'), await made.subarea('Bar')]
  await portal.signIn('admin', `/excel/subareas/link?edit=${first.Id}`)
  const areas = page.getByRole('group', { name: /^Areas/ })
  const subareas = page.getByRole('group', { name: /^Subareas/ })
  await subareas.getByRole('searchbox').fill(of)
  await subareas.getByRole('checkbox', { name: bar.Name }).click()
  await areas.getByRole('searchbox').fill(of)
  await areas.getByRole('radio', { name: second.Name }).click()
  await expect(subareas.getByRole('checkbox', { name: bar.Name })).not.toBeChecked()
  await areas.getByRole('radio', { name: first.Name }).click()
  await expect(subareas.getByRole('checkbox', { name: bar.Name })).toBeChecked()
  await page.getByRole('button', { name: 'Back to links' }).click()
  await expect(page.getByText('You have changes that are not saved.')).toBeVisible()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(subareas.getByRole('checkbox', { name: bar.Name })).toBeChecked()
})

test('[LINK-3] neither by a link, the back button, another organisation nor by closing the tab', async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const [area, bar] = [await made.area('Hotel'), await made.subarea('Bar')]
  await portal.signIn('superadmin', `/excel/subareas/link?search=${of}`)
  await page.getByRole('button', { name: 'Create new link' }).click()
  await page
    .getByRole('group', { name: /^Areas/ })
    .getByRole('radio', { name: area.Name })
    .click()
  const box = page.getByRole('group', { name: /^Subareas/ }).getByRole('checkbox', { name: bar.Name })
  await box.click()
  const question = page.getByText('You have changes that are not saved.')
  const stay = async () => {
    await expect(question).toBeVisible()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await expect(question).toHaveCount(0)
    await expect(box).toBeChecked()
  }
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
  await stay()
  await page.goBack()
  await stay()
  await page.getByRole('combobox', { name: 'Organisation' }).click()
  await page.getByRole('option', { name: 'Summit Foods' }).click()
  await stay()
  page.once('dialog', (dialog) => void dialog.accept())
  const closing = page.waitForEvent('dialog')
  await page.reload()
  expect((await closing).type()).toBe('beforeunload')

  await expect(page).toHaveTitle(/Harbour Trading/)
  await page
    .getByRole('group', { name: /^Subareas/ })
    .getByRole('checkbox', { name: bar.Name })
    .click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(page).toHaveTitle(/^Home - /)
})

test('[LINK-3] selections during a save stay, and the editor stays open', async ({ page, portal, request }) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const [first, second, bar] = [await made.area('First'), await made.area('Second'), await made.subarea('Bar')]
  await portal.signIn('admin', `/excel/subareas/link?edit=${first.Id}`)
  const areas = page.getByRole('group', { name: /^Areas/ })
  const box = page.getByRole('group', { name: /^Subareas/ }).getByRole('checkbox', { name: bar.Name })
  await areas.getByRole('searchbox').fill(of)
  await box.click()
  const held = Promise.withResolvers<void>()
  await page.route('**/api/areas/*/subareas', async (route) => {
    await held.promise
    await route.continue()
  })
  const saving = page.waitForRequest((sent) => sent.method() === 'PUT')
  await page.keyboard.press('Control+Enter')
  await saving
  await areas.getByRole('radio', { name: second.Name }).click()
  await box.click()
  held.resolve()
  await expect(areas.getByRole('radio', { name: second.Name })).toBeVisible()
  await expect(page.getByText(`${first.Name} is saved.`)).toBeAttached()
  await expect(box).toBeChecked()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('button', { name: 'Create new link' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search areas' }).fill(of)
  for (const { Name } of [first, second]) await expect(page.getByRole('row', { name: Name })).toContainText(bar.Name)
})

test('[LINK-1] Unlink happens once however often it is pressed, and a failed Undo is shown although nothing is linked any more', async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const [area, bar] = [await made.area('Hotel'), await made.subarea('Bar')]
  await made.link(area.Id, bar.Id)
  portal.expectFailedCalls()
  await portal.signIn('admin', `/excel/subareas/link?search=${of}`)
  let saves = 0
  await page.route('**/api/areas/*/subareas', (route) => {
    saves += 1
    return saves === 1
      ? route.continue()
      : route.fulfill({ status: 500, json: { message: 'The store is away.', code: 'bug', statusCode: 500 } })
  })
  const row = page.getByRole('row', { name: area.Name })
  await row.getByRole('button', { name: 'Unlink' }).dblclick()
  await expect(page.getByText(`None of the areas matches '${of}'.`)).toBeVisible()
  expect(saves).toBe(1)
  await expect(page.locator('section:focus')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('The store is away.')).toBeVisible()
})

test('[LINK-3] on a phone the question covers the sidebar', async ({ page, portal, request }) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const [area, bar] = [await made.area('Hotel'), await made.subarea('Bar')]
  await page.setViewportSize({ width: 360, height: 740 })
  await portal.signIn('admin', `/excel/subareas/link?edit=${area.Id}`)
  const subareas = page.getByRole('group', { name: /^Subareas/ })
  await subareas.getByRole('searchbox').fill(of)
  await subareas.getByRole('checkbox', { name: bar.Name }).click()
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(page).toHaveURL('/home')
})
