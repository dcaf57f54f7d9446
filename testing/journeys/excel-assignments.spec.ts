import { expect, test } from './portal.ts'
import { structureBuilder, keyboard, uniqueSuffix, toContent } from './structure.ts'

test('[ASG-1] users are assigned to security groups, and unassigned with an undo', async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const [user, group] = [await made.user('Ana'), await made.group('Finance')]
  await portal.signIn('admin', '/excel/security/user-security-groups')
  await expect(page.getByRole('heading', { name: 'Users assigned to Security Groups' })).toBeVisible()
  await page.getByRole('button', { name: 'Create new assignment' }).click()
  await expect(page.getByRole('button', { name: 'Back to assignments' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search users' }).fill(of)
  await page.getByRole('radio', { name: user.name }).click()
  await page.getByRole('searchbox', { name: 'Search security groups' }).fill(of)
  await page.getByRole('checkbox', { name: group.Name }).click()
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Create new assignment' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search users' }).fill(of)
  const row = page.getByRole('row', { name: user.name })
  await expect(row).toContainText(`ASSIGNED TO ${group.Name}`)
  await expect(row.getByRole('button', { name: 'Edit' })).toBeVisible()
  await row.getByRole('button', { name: 'Unassign' }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText(group.Name)
})

test('[ASG-1] a user is assigned with the keyboard alone, in at most eight presses in addition to typing', async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of)
  const [user, group] = [await made.user('Kai'), await made.group('Keys')]
  await portal.signIn('admin', '/excel/security/user-security-groups')
  await expect(page.getByRole('button', { name: 'Create new assignment' })).toBeVisible()
  const { press, type, presses } = keyboard(page)
  await toContent(page)
  await press('Tab')
  await press('Enter')
  await expect(page.getByRole('searchbox', { name: 'Search users' })).toBeFocused()
  await type(user.name)
  await press('Enter')
  await expect(page.getByRole('searchbox').last()).toBeFocused()
  await type(group.Name)
  await press('Enter')
  await press('Control+Enter')
  await expect(page.getByRole('button', { name: 'Create new assignment' })).toBeVisible()
  expect(presses() + 2).toBeLessThanOrEqual(8)
  await page.getByRole('searchbox', { name: 'Search users' }).fill(of)
  await expect(page.getByRole('row', { name: user.name })).toContainText(group.Name)
})

for (const { id, byUser, byThing, make, title, remove, back } of [
  {
    id: 'ASG-2',
    byUser: '/excel/security/user-helper-tables',
    byThing: '/excel/helper-table-users',
    make: 'helperTable',
    title: 'Users assigned to Helper Tables',
    remove: 'Unassign',
    back: 'Back to links',
  },
  {
    id: 'ASG-3',
    byUser: '/excel/user-entities',
    byThing: '/excel/entity-users',
    make: 'entity',
    title: 'Link user to entities',
    remove: 'Delete',
    back: 'Back',
  },
] as const) {
  test(`[${id}] ${title}, and the same from the other side`, async ({ page, portal, request }) => {
    const of = uniqueSuffix()
    const made = await structureBuilder(request, of)
    const [user, other, thing] = [await made.user('Ana'), await made.user('Bea'), await made[make]('Rates')]
    await portal.signIn('admin', byUser)
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await page.getByRole('button', { name: 'Create new link' }).click()
    await expect(page.getByRole('button', { name: back, exact: true })).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search users' }).fill(of)
    await page.getByRole('radio', { name: user.name }).click()
    for (const option of ['Select all current', 'Select all current and future', 'Only selected'])
      await expect(page.getByRole('radio', { name: option, exact: true })).toBeVisible()
    await page
      .getByRole('group', { name: /^(Helper Tables|Entities)/ })
      .getByRole('searchbox')
      .fill(of)
    await page.getByRole('checkbox', { name: thing.Name }).click()
    await page.getByRole('button', { name: 'Create Link' }).click()
    await expect(page.getByRole('button', { name: /^Create new / })).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search users' }).fill(of)
    await expect(page.getByRole('row', { name: user.name })).toContainText(thing.Name)

    await page.goto(`${byThing}?search=${of}`)
    const row = page.getByRole('row', { name: thing.Name })
    await expect(row).toContainText(user.name)
    await row.getByRole('button', { name: 'Edit' }).click()
    await page.getByText('Select all current and future', { exact: true }).click()
    await page.getByRole('button', { name: 'Create Link' }).click()
    await expect(row).toContainText('All current and future')

    // An assignment to all users can be removed only where it was made.
    await page.goto(`${byUser}?search=${of}`)
    const otherRow = page.getByRole('row', { name: other.name })
    await expect(otherRow).toContainText(thing.Name)
    await expect(otherRow.getByRole('button', { name: remove })).toHaveCount(0)
    await page.goto(`${byThing}?search=${of}`)
    await row.getByRole('button', { name: remove }).click()
    await expect(row).toHaveCount(0)
  })
}

test("[UX-TABLES-2] 'See as' shows what a person may use, and through which group", async ({ page, portal }) => {
  await portal.signIn('admin', '/excel/security/user-security-groups')
  await page
    .getByRole('row', { name: /Ulla Berg/ })
    .getByRole('button', { name: 'More actions' })
    .click()
  await page.getByRole('menuitem', { name: 'See as Ulla Berg' }).click()
  const drawer = page.getByRole('dialog', { name: 'See as Ulla Berg' })
  await expect(drawer).toContainText('North quay / Fresh fish')
  await expect(drawer).toContainText('Quay planners: all subareas of North quay, current and future')
  await drawer.getByRole('searchbox').fill('Q1')
  await expect(drawer).toContainText('read only')
  await expect(drawer.getByText('North quay / Fresh fish')).toHaveCount(0)
})
