import type { Page } from '@playwright/test'
import { expect, test } from './portal.ts'
import { list, next, pick, createPlan } from './security-groups.ts'
import { structureBuilder, uniqueSuffix } from './structure.ts'

const nameBox = (page: Page) => page.getByRole('textbox', { name: 'Security Group Name' })

test('editing starts from the current grants, and shows who gains and loses access before saving', async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const { hotel, bar, kitchen } = await createPlan(made)
  const grants = { areas: [{ areaId: hotel.Id, subareaId: bar.Id, allAreas: false, allSubareas: false }], versions: [] }
  const group = await made.api.post<{ Id: string }>('/permission-groups', { name: `Bar ${of}`, grants })
  const user = await made.user('Ana')
  await made.api.post(`/users/${user.Id}/link-to-group`, { groupId: group.Id })
  await portal.signIn('admin', `${list}?search=${of}`)
  await page
    .getByRole('row', { name: `Bar ${of}` })
    .getByRole('button', { name: 'Edit', exact: true })
    .click()
  await expect(nameBox(page)).toHaveValue(`Bar ${of}`)
  await pick(page, /^Areas/, 'radio', hotel.Name)
  await pick(page, /^Subareas/, 'checkbox', kitchen.Name)
  await pick(page, /^Subareas/, 'checkbox', bar.Name)
  await next(page)
  await next(page)
  await page.getByRole('button', { name: 'Save Security Group' }).click()
  const effects = page.getByRole('dialog', { name: 'Who gains and who loses' })
  await expect(effects).toContainText(user.name)
  await expect(effects).toContainText(`Gains 1: ${hotel.Name} / ${kitchen.Name}`)
  await expect(effects).toContainText(`Loses 1: ${hotel.Name} / ${bar.Name}`)
  await effects.getByRole('button', { name: 'Save Security Group' }).click()
  await expect(page.getByRole('button', { name: 'Create Security Group' })).toBeVisible()
  const saved = await made.groupNamed(`Bar ${of}`)
  expect(saved?.PermissionGroupAreasSubAreas.map(({ B2SSubareaId }) => B2SSubareaId)).toEqual([kitchen.Id])
})

test('if two users save the same group, the later one sees the conflict and saves on top of the other’s change', async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const { hotel, bar, kitchen } = await createPlan(made)
  const group = await made.group('Both')
  portal.expectFailedCalls()
  await portal.signIn('admin', `${list}?group=${group.Id}&step=area`)
  await pick(page, /^Areas/, 'radio', hotel.Name)
  await pick(page, /^Subareas/, 'checkbox', bar.Name)
  await made.api.post('/permission-groups/area-subarea', { groupId: group.Id, areaId: hotel.Id, subAreaId: kitchen.Id })
  await next(page)
  await next(page)
  await page.getByRole('button', { name: 'Save Security Group' }).click()
  await expect(page.getByRole('alert')).toContainText(`added ${hotel.Name} / ${kitchen.Name}`)
  await expect(page.getByRole('complementary', { name: 'Summary' })).toContainText(`${hotel.Name} 2 subareas`)
  await page.getByRole('button', { name: 'Save Security Group' }).click()
  await expect(page.getByRole('button', { name: 'Create Security Group' })).toBeVisible()
  expect((await made.groupNamed(group.Name))?.PermissionGroupAreasSubAreas).toHaveLength(2)
})

test('a duplicate grants the same under another name', async ({ page, portal, request }) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const { hotel } = await createPlan(made)
  const grants = { areas: [{ areaId: hotel.Id, subareaId: null, allAreas: false, allSubareas: true }], versions: [] }
  await made.api.post('/permission-groups', { name: `Bar ${of}`, grants })
  await portal.signIn('admin', `${list}?search=${of}`)
  await page
    .getByRole('row', { name: `Bar ${of}` })
    .getByRole('button', { name: 'More actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(nameBox(page)).toHaveValue(`Bar ${of} copy`)
  await next(page)
  await next(page)
  await page.getByRole('button', { name: 'Create Security Group' }).click()
  await expect(page.getByRole('row', { name: `Bar ${of} copy` })).toBeVisible()
  expect((await made.groupNamed(`Bar ${of} copy`))?.PermissionGroupAreasSubAreas).toMatchObject([
    { B2SAreaId: hotel.Id, B2SSubareaId: null, B2SSubAreaAllCurrentAndFuture: true },
  ])
})
