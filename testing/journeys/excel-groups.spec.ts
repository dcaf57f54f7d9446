import type { Page } from '@playwright/test'
import { expect, test } from './portal.ts'
import { back, list, next, pick, createPlan } from './security-groups.ts'
import { structureBuilder, keyboard, uniqueSuffix, toContent } from './structure.ts'

const nameBox = (page: Page) => page.getByRole('textbox', { name: 'Security Group Name' })

test("[GRP-1] the breadcrumb, the table and 'Create Security Group'; names are sorted and searched", async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const [first, second] = [await made.group('Alpha'), await made.group('Beta')]
  await portal.signIn('admin', list)
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toHaveText('Security Groups')
  await expect(page.getByRole('button', { name: 'Create Security Group' })).toBeVisible()
  for (const name of ['Name', 'Status', 'Manage']) await expect(page.getByRole('columnheader', { name })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search security groups' }).fill(of)
  const names = page.getByRole('rowheader')
  await expect(names).toHaveText([first.Name, second.Name])
  await page.getByRole('button', { name: 'Name' }).click()
  await expect(names).toHaveText([second.Name, first.Name])
  await expect(
    page.getByRole('row', { name: first.Name }).getByRole('button', { name: 'Edit', exact: true }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0)
})

test('[GRP-1] [ROLE-3] only a superadmin deletes a group', async ({ page, portal, request }) => {
  const of = uniqueSuffix()
  const group = await (await structureBuilder(request, of)).group('Gone')
  await portal.signIn('superadmin', `${list}?search=${of}`)
  await page.getByRole('row', { name: group.Name }).getByRole('button', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: `Delete ${group.Name}?` })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(page.getByRole('row', { name: group.Name })).toHaveCount(0)
})

test("[GRP-2] clicking the status opens 'Edit Status' with Active and Archive, without Lock", async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  const group = await (await structureBuilder(request, of)).group('Shift')
  await portal.signIn('admin', `${list}?search=${of}`)
  const row = page.getByRole('row', { name: group.Name })
  await row.getByRole('button', { name: 'Edit Status' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Status' })
  await expect(dialog.getByRole('radio')).toHaveCount(2)
  await expect(dialog.getByRole('radio', { name: 'Active' })).toBeChecked()
  await expect(dialog.getByRole('radio', { name: 'Active' })).toBeFocused()
  await dialog.getByRole('radio', { name: 'Archive' }).click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(row).toContainText('ARCHIVED')
  await row.getByRole('button', { name: 'Edit Status' }).click()
  await dialog.getByRole('radio', { name: 'Active' }).click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(row).toContainText('ACTIVE')
})

test('[GRP-3] [GRP-4] [GRP-5] [GRP-6] [GRP-9] a group is created in three steps', async ({ page, portal, request }) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const { hotel, villa, bar, kitchen, budget, draft } = await createPlan(made)
  await portal.signIn('admin', list)
  await page.getByRole('button', { name: 'Create Security Group' }).click()
  const steps = page.getByRole('list', { name: 'Steps' })
  await expect(steps.getByRole('listitem')).toHaveText(['1. Areas', '2. Subareas', '3. Versions & Milestones', 'Done'])
  await expect(steps.locator('svg')).toBeVisible()
  await expect(steps.locator('[aria-current=step]')).toHaveText('1. Areas')
  await expect(page.getByRole('button', { name: 'Back to Security Groups' })).toBeVisible()
  await nameBox(page).fill(`Night ${of}`)
  await pick(page, /^Areas/, 'radio', hotel.Name)
  await expect(page.getByRole('group', { name: /^Subareas/ }).getByRole('checkbox')).toHaveCount(2)
  for (const option of ['All current and future', 'All current'])
    await expect(page.getByRole('radio', { name: option, exact: true })).toBeVisible()
  await pick(page, /^Subareas/, 'checkbox', kitchen.Name)
  await next(page)

  await expect(steps.locator('[aria-current=step]')).toHaveText('2. Subareas')
  await expect(nameBox(page)).toHaveValue(`Night ${of}`)
  await pick(page, /^Subareas/, 'radio', kitchen.Name)
  await expect(page.getByRole('checkbox', { name: hotel.Name })).toBeChecked()
  await pick(page, /^Subareas/, 'radio', bar.Name)
  await pick(page, /^Areas/, 'checkbox', villa.Name)
  await expect(page.getByRole('complementary', { name: 'Summary' })).toContainText(`${villa.Name} 1 subarea`)
  await next(page)

  await expect(steps.locator('[aria-current=step]')).toHaveText('3. Versions & Milestones')
  await expect(nameBox(page)).toHaveValue(`Night ${of}`)
  await pick(page, /^Versions/, 'radio', budget.Name)
  const milestones = page.getByRole('group', { name: /^Milestones/ })
  await expect(milestones.getByRole('checkbox')).toHaveCount(2)
  await milestones.getByRole('button', { name: 'Sort milestones descending' }).click()
  await expect(milestones.getByRole('checkbox').last()).toHaveAccessibleName(draft.Name)
  await milestones.getByRole('checkbox', { name: draft.Name }).click()
  for (const option of ['All current and future', 'All current'])
    await expect(page.getByRole('radio', { name: option, exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Create Security Group' }).click()

  await expect(page.getByRole('button', { name: 'Create Security Group' })).toBeVisible()
  await expect(page.getByRole('row', { name: `Night ${of}` })).toBeVisible()
  const saved = await made.groupNamed(`Night ${of}`)
  const pairs = saved?.PermissionGroupAreasSubAreas.map(({ B2SAreaId, B2SSubareaId }) => `${B2SAreaId} ${B2SSubareaId}`)
  expect(pairs?.toSorted()).toEqual([`${hotel.Id} ${kitchen.Id}`, `${villa.Id} ${bar.Id}`].toSorted())
  expect(saved?.B2SGroupVersionMilestones).toEqual([
    { B2SVersionId: budget.Id, B2SMilestoneId: draft.Id, B2SMilestoneAllCurrentAndFuture: false },
  ])
})

test('[GRP-7] Back moves one step, and neither Back nor a reload loses anything', async ({ page, portal, request }) => {
  const of = uniqueSuffix()
  const { hotel, bar, budget } = await createPlan(await structureBuilder(request, of))
  await portal.signIn('admin', list)
  await page.getByRole('button', { name: 'Create Security Group' }).click()
  await nameBox(page).fill(`Kept ${of}`)
  await pick(page, /^Areas/, 'radio', hotel.Name)
  await page.getByText('All current and future', { exact: true }).click()
  await next(page)
  await next(page)
  await pick(page, /^Versions/, 'radio', budget.Name)
  await page.getByText('All current', { exact: true }).click()
  await back(page)
  await back(page)
  await pick(page, /^Areas/, 'radio', hotel.Name)
  await expect(page.getByRole('radio', { name: 'All current and future', exact: true })).toBeChecked()
  await page.getByRole('button', { name: 'Back to Security Groups' }).click()
  await expect(page.getByText(`You have not saved the security group 'Kept ${of}'.`)).toBeVisible()

  await page.reload()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(nameBox(page)).toHaveValue(`Kept ${of}`)
  await next(page)
  await page.reload()
  await expect(page.locator('[aria-current=step]')).toHaveText('2. Subareas')
  await expect(nameBox(page)).toHaveValue(`Kept ${of}`)
  const summary = page.getByRole('complementary', { name: 'Summary' })
  await expect(summary).toContainText(`${hotel.Name} all current and future`)
  await expect(summary).toContainText(`${budget.Name} 2 milestones`)
  // The selection of the other view is shown, but can be changed only there.
  await pick(page, /^Subareas/, 'radio', bar.Name)
  await page.getByRole('button', { name: 'Start over' }).click()
  await expect(nameBox(page)).toHaveValue('')
})

test("[GRP-8] a failure is shown in a red list, in the server's words or as 'error occurred adding group'", async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  const taken = await (await structureBuilder(request, of)).group('Taken')
  portal.expectFailedCalls()
  await portal.signIn('admin', `${list}?group=new&step=version`)
  await nameBox(page).fill(taken.Name)
  await page.getByRole('button', { name: 'Create Security Group' }).click()
  const failures = page.getByRole('alert')
  await expect(failures).toHaveText(`There is already one with the name ${taken.Name}. Choose another name.`)
  await expect(failures).toBeFocused()
  await page.route('**/api/permission-groups', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ json: { error: 'no' } }) : route.continue(),
  )
  await page.getByRole('button', { name: 'Create Security Group' }).click()
  await expect(failures).toHaveText('error occurred adding group')
  await expect(nameBox(page)).toHaveValue(taken.Name)
})

test('[GRP-3] a group is created with the keyboard alone, in at most eighteen presses in addition to typing', async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const { hotel, kitchen, budget, final } = await createPlan(made)
  await portal.signIn('admin', list)
  await expect(page.getByRole('button', { name: 'Create Security Group' })).toBeVisible()
  const { press, type, presses } = keyboard(page)
  const focused = (label: string) => expect(page.getByRole('searchbox', { name: label })).toBeFocused()
  await toContent(page)
  await press('Tab')
  await press('Enter')
  await expect(nameBox(page)).toBeFocused()
  await type(`Keys ${of}`)
  await press('Tab', 2)
  await focused('Search areas')
  await type(hotel.Name)
  await press('Enter')
  await focused('Search subareas')
  await type(kitchen.Name)
  await press('Enter')
  await press('Control+Enter')
  await expect(page.locator('[aria-current=step]')).toHaveText('2. Subareas')
  await press('Control+Enter')
  await expect(page.locator('[aria-current=step]')).toHaveText('3. Versions & Milestones')
  await press('Tab', 3)
  await focused('Search versions')
  await type(budget.Name)
  await press('Enter')
  await focused('Search milestones')
  await type(final.Name)
  await press('Enter')
  await press('Control+Enter')
  await expect(page.getByRole('row', { name: `Keys ${of}` })).toBeVisible()
  // Including the two from the address bar over the skip link to the content.
  expect(presses() + 2).toBeLessThanOrEqual(18)
  expect((await made.groupNamed(`Keys ${of}`))?.B2SGroupVersionMilestones).toMatchObject([{ B2SMilestoneId: final.Id }])
})

test('[GATE-8] [ROLE-3] a user sees the groups but cannot change them', async ({ page, portal }) => {
  await portal.signIn('user', list)
  await expect(page.getByRole('row', { name: /Quay planners/ })).toBeVisible()
  for (const name of ['Create Security Group', 'Edit', 'Edit Status', 'More actions', 'Delete'])
    await expect(page.getByRole('button', { name })).toHaveCount(0)
  await page.goto(`${list}?group=new&step=area`)
  await expect(page.getByRole('row', { name: /Quay planners/ })).toBeVisible()
})
