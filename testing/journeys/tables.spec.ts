/** The table that all lists use: its actions, its header, and how each person wants to see it. */
import type { Locator, Page } from '@playwright/test'
import { enterPassword, makePerson, type Person } from './people.ts'
import { expect, test } from './portal.ts'

const usersPath = '/admin/security/users?layout=table'
const usersTable = (page: Page) => page.getByRole('table', { name: 'Users' })

async function openUsersAs(page: Page, person: Person) {
  await enterPassword(page, person)
  await page.waitForURL('**/home')
  await page.goto(usersPath)
  await expect(usersTable(page)).toBeVisible()
}

const borderOf = (button: Locator) => button.evaluate((element) => getComputedStyle(element).borderTopColor)
const quiet = 'rgba(0, 0, 0, 0)'

test('[UX-TABLES-1] the actions of a row are quiet until it is hovered or has the focus, and never move', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin', usersPath)
  const edit = (name: string) => page.getByRole('row', { name }).getByRole('button', { name: 'Edit' })
  const [ulla, gareth] = [edit('Ulla Berg'), edit('Gareth Pike')]
  await page.mouse.move(0, 0)
  await expect(ulla).toBeVisible()
  expect([await borderOf(ulla), await borderOf(gareth)]).toEqual([quiet, quiet])
  // Otherwise hovering would scroll the page.
  await ulla.scrollIntoViewIfNeeded()
  const before = await ulla.boundingBox()
  await page.getByRole('row', { name: 'Ulla Berg' }).hover()
  await expect.poll(() => borderOf(ulla)).not.toBe(quiet)
  expect(await borderOf(gareth)).toBe(quiet)
  expect(await ulla.boundingBox()).toEqual(before)
  await page.mouse.move(0, 0)
  await gareth.focus()
  await expect.poll(() => borderOf(gareth)).not.toBe(quiet)
  expect((await gareth.boundingBox())?.x, 'the buttons of all rows are aligned').toBe(before?.x)
})

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 800 } })

  test('[UX-TABLES-1] the actions of a row are always there', async ({ page, portal }) => {
    await portal.signIn('admin', usersPath)
    const edit = page.getByRole('row', { name: 'Ulla Berg' }).getByRole('button', { name: 'Edit' })
    await expect(edit).toBeVisible()
    expect(await borderOf(edit)).not.toBe(quiet)
  })
})

test('[UX-TABLES-1] the header of a long table stays below the header of the page', async ({ page, portal }) => {
  await page.setViewportSize({ width: 1280, height: 480 })
  await portal.signIn('admin', '/excel/subareas')
  const header = page.getByRole('columnheader', { name: 'Name' })
  const last = page.getByRole('row').last()
  await expect(last).not.toBeInViewport()
  await last.scrollIntoViewIfNeeded()
  await expect(header).toBeInViewport()
  const [bar, at] = [await page.getByRole('banner').boundingBox(), await header.boundingBox()]
  expect(Math.abs((at?.y ?? 0) - ((bar?.y ?? 0) + (bar?.height ?? 0)))).toBeLessThanOrEqual(1)
})

test('[UX-TABLES-4] density and columns are remembered on the server, by person', async ({
  page,
  request,
  browser,
  portal,
}) => {
  portal.expectFailedCalls()
  const person = await makePerson(request, 'Tess', 'admin')
  await openUsersAs(page, person)
  const row = (of: Page) => of.getByRole('row', { name: 'Tess Tester' }).filter({ hasText: person.emailAddress })
  const heightOf = async (of: Page) => Math.round((await row(of).boundingBox())?.height ?? 0)
  const choose = async (role: 'menuitemradio' | 'menuitemcheckbox' | 'menuitem', name: string) => {
    const menu = page.getByRole('menu')
    if (!(await menu.isVisible())) await page.getByRole('button', { name: 'Density and columns of Users' }).click()
    const saved = page.waitForResponse((reply) => reply.request().method() === 'PUT')
    await menu.getByRole(role, { name }).click()
    await saved
  }
  const headers = ['Name', 'Role', 'Status', 'Second factor', 'Last sign-in', 'Manage']
  const comfortable = await heightOf(page)
  await expect(usersTable(page).getByRole('columnheader')).toHaveText(['Select all', ...headers])

  await choose('menuitemradio', 'Compact')
  await expect.poll(() => heightOf(page)).toBeLessThan(comfortable)
  await choose('menuitemcheckbox', 'Second factor')
  await choose('menuitemcheckbox', 'Security groups')
  const chosen = ['Name', 'Role', 'Status', 'Last sign-in', 'Security groups', 'Manage']
  await expect(usersTable(page).getByRole('columnheader')).toHaveText(['Select all', ...chosen])

  const elsewhere = await browser.newPage()
  await openUsersAs(elsewhere, person)
  await expect(usersTable(elsewhere).getByRole('columnheader')).toHaveText(['Select all', ...chosen])
  expect(await heightOf(elsewhere)).toBeLessThan(comfortable)
  await elsewhere.close()

  const another = await browser.newPage()
  await openUsersAs(another, await makePerson(request, 'Toni', 'admin'))
  await expect(usersTable(another).getByRole('columnheader')).toHaveText(['Select all', ...headers])
  expect(await heightOf(another)).toBe(comfortable)
  await another.close()

  await choose('menuitem', 'Show the default columns')
  await expect(usersTable(page).getByRole('columnheader')).toHaveText(['Select all', ...headers])
})

test('[UX-USERS-2] by keyboard alone people are selected, locked and activated again', async ({
  page,
  request,
  portal,
}) => {
  portal.expectFailedCalls()
  const mark = `Key${Date.now().toString(36)}`
  for (const name of ['Ann', 'Bea', 'Cia']) await makePerson(request, `${name}${mark}`)
  await portal.signIn('otherAdmin', `${usersPath}&search=${mark.toLowerCase()}`)
  const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}${mark} Tester` })
  await select('Ann').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(select('Cia')).toBeFocused()
  await page.keyboard.press('Space')
  const bar = page.getByRole('group', { name: 'Selected users' })
  await expect(bar).toContainText('2 selected')
  const act = async (action: 'Lock' | 'Activate') => {
    await bar.getByRole('button', { name: action }).press('Enter')
    const dialog = page.getByRole('dialog', { name: `${action} 2 users?` })
    await expect(dialog.getByRole('listitem')).toHaveText([new RegExp(`^Ann${mark}`), new RegExp(`^Cia${mark}`)])
    // Locking is not the default.
    if (action === 'Lock') {
      await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
      await page.keyboard.press('Tab')
    }
    await expect(dialog.getByRole('button', { name: action })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
  }
  const statusOf = (name: string) => page.getByRole('row', { name: `${name}${mark}` })
  await act('Lock')
  for (const [name, status] of [
    ['Ann', 'LOCKED'],
    ['Bea', 'ACTIVE'],
    ['Cia', 'LOCKED'],
  ] as const)
    await expect(statusOf(name)).toContainText(status)
  for (const name of ['Ann', 'Cia']) await select(name).press('Space')
  await act('Activate')
  await expect(statusOf('Ann')).toContainText('ACTIVE')
})
