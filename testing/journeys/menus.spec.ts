/** Popovers are lazy-loaded at their first use. The first press must have the same effect as every later one. */
import { expect, fillSignIn, password, test, themeButton } from './portal.ts'

test('the first press of the theme button opens its menu next to it, with keyboard navigation through it and back', async ({
  page,
  portal,
}) => {
  await portal.signIn('user')
  const button = themeButton(page)
  await button.focus()
  await page.keyboard.press('Enter')
  const menu = page.getByRole('menu')
  await expect(menu).toBeVisible()
  const [at, under] = [await button.boundingBox(), await menu.boundingBox()]
  expect(under?.y).toBeGreaterThanOrEqual((at?.y ?? 0) + (at?.height ?? 0))
  expect(under?.y).toBeLessThan((at?.y ?? 0) + (at?.height ?? 0) + 20)
  await expect(page.getByRole('menuitem', { name: 'Light' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expect(menu).toHaveCount(0)
  await expect(button).toBeFocused()
  await expect(button).toHaveAccessibleName('Theme: dark')
  await page.goto('/profile')
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('Light')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Theme: light' })).toBeVisible()
})

test('an early press is not lost when the page that waits for the organisations is replaced', async ({ page }) => {
  let go: () => void = () => {}
  const held = new Promise<void>((resolve) => (go = resolve))
  await page.route(/\/api\/organisations(?:\?|$)/u, async (route) => {
    await held
    await route.fallback()
  })
  await page.goto('/home')
  await fillSignIn(page, 'user@demo.example', password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('banner')).toBeVisible()
  const button = themeButton(page)
  await expect(button).toHaveCount(0)
  go()
  await button.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Light' })).toBeFocused()
})

for (const how of ['click', 'key'] as const) {
  test(`the list of organisations opens at the first ${how}, has the focus, and is navigated by keyboard`, async ({
    page,
    portal,
  }) => {
    await portal.signIn('superadmin')
    const list = page.getByRole('navigation', { name: 'Main' }).getByRole('combobox', { name: 'Organisation' })
    await expect(list).toBeEnabled()
    if (how === 'click') await list.click()
    else await list.press('ArrowDown')
    await expect(page.getByRole('option', { name: 'Summit Foods' })).toBeVisible()
    await expect(list).toBeFocused()
    await expect(list).toHaveAttribute('aria-expanded', 'true')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('option')).toHaveCount(0)
    await expect(list).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('option', { name: 'Summit Foods' })).toBeVisible()
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowDown')
        return page.getByRole('option', { name: 'Summit Foods' }).getAttribute('data-combobox-selected')
      })
      .toBe('true')
    await page.keyboard.press('Enter')
    await expect(list).toHaveValue('Summit Foods')
  })
}

test('in the collapsed sidebar the name of a link is shown next to it on hover and on keyboard focus, and Escape hides it', async ({
  page,
  portal,
}) => {
  await portal.signIn('user')
  const nav = page.getByRole('navigation', { name: 'Main' })
  await nav.getByRole('button', { name: 'Collapse navigation' }).click()
  const home = nav.getByRole('link', { name: 'Home' })
  const hint = page.getByText('Home', { exact: true }).and(page.locator('.mantine-Tooltip-tooltip'))
  await home.hover()
  await expect(hint).toBeVisible()
  const [linkBox, hintBox] = [await home.boundingBox(), await hint.boundingBox()]
  expect(hintBox?.x).toBeGreaterThan((linkBox?.x ?? 0) + (linkBox?.width ?? 0))
  await page.mouse.move(600, 400)
  await expect(hint).toHaveCount(0)
  await nav.getByRole('button', { name: 'Expand navigation' }).focus()
  await expect
    .poll(async () => {
      await page.keyboard.press('Tab')
      return home.evaluate((link) => link === document.activeElement)
    })
    .toBe(true)
  await expect(hint).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(hint).toHaveCount(0)
})

test('a page without a menu, tooltip or dialog does not load the popovers', async ({ page, portal }) => {
  await portal.signIn('user')
  await page.goto('about:blank')
  await page.setViewportSize({ width: 360, height: 740 })
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await page.goto('/home')
  await expect(page.getByRole('heading', { name: 'Your connectors' })).toBeVisible()
  expect(requested.filter((path) => /\/(popovers|ScrollArea|dialog-frame)-/.test(path))).toEqual([])
  await page.getByRole('button', { name: /^Theme: / }).click()
  await expect(page.getByRole('menuitem', { name: 'As the system' })).toBeVisible()
  expect(requested.filter((path) => path.includes('/popovers-'))).toHaveLength(1)
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true })

  test('each tap on the list of organisations opens it, also when it is already loaded', async ({ page, portal }) => {
    await portal.signIn('superadmin')
    await page.setViewportSize({ width: 360, height: 740 })
    const list = page.getByRole('navigation', { name: 'Main' }).getByRole('combobox', { name: 'Organisation' })
    for (const time of ['first', 'second']) {
      await page.getByRole('button', { name: 'Open navigation' }).tap()
      await list.tap()
      await expect(page.getByRole('option', { name: 'Summit Foods' }), `the ${time} time`).toBeVisible()
      await expect(list).toHaveAttribute('aria-expanded', 'true')
      await page.getByRole('button', { name: 'Collapse navigation' }).tap()
      await expect(list).toHaveCount(0)
    }
  })
})

test('if popovers or a dialog fail to load, an error is shown, and the page keeps its unsaved input', async ({
  page,
  portal,
}) => {
  portal.expectFailedCalls()
  await portal.signIn('admin')
  await page.goto('/admin/security/users')
  await page.route(/\/assets\/(?:popovers|organisation-popover|popover-select|invite-users-dialog)-/u, (route) =>
    route.abort(),
  )
  const search = page.getByRole('searchbox')
  await search.fill('Amara')
  const notice = page.getByText('A part of this page could not be loaded.', { exact: false })
  // A passing pointer or focus requests nothing that the user would miss.
  const list = page.getByRole('navigation', { name: 'Main' }).getByRole('combobox', { name: 'Organisation' })
  await list.hover()
  await list.focus()
  await expect(notice).toHaveCount(0)
  await list.press('ArrowDown')
  const dismiss = async () => {
    await expect(notice).toHaveCount(1)
    await page.getByRole('button', { name: 'Dismiss message' }).click()
    await expect(notice).toHaveCount(0)
  }
  await dismiss()
  await themeButton(page).click()
  await dismiss()
  await page.getByRole('button', { name: /^Invite/u }).click()
  await expect(notice).toHaveCount(1)
  await expect(search).toHaveValue('Amara')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Load the page again' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a user who moves on while a menu loads keeps the focus, and a second press cancels the menu', async ({
  page,
  portal,
}) => {
  await portal.signIn('user')
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  await page.route('**/assets/popovers-*', (route) => gate.then(() => route.continue()))
  const button = themeButton(page)
  await button.click()
  await expect(button).toHaveAttribute('aria-busy', 'true')
  await expect(button).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button).toHaveAttribute('aria-busy', 'false')
  await button.click()
  await page.getByRole('link', { name: 'Skip to the content' }).focus()
  const arrived = page.waitForResponse('**/assets/popovers-*')
  open()
  await arrived
  await expect(button).toHaveAttribute('aria-busy', 'false')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
  await button.click()
  await expect(page.getByRole('menuitem', { name: 'Light' })).toBeVisible()
})

test('a dialog that loads slowly shows it, and further typing opens no second one', async ({ page, portal }) => {
  await portal.signIn('admin')
  await page.goto('/excel/versions')
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  await page.route(/\/assets\/(?:excel-)?dialogs?[-\w]*\.js/u, (route) => gate.then(() => route.continue()))
  await page.getByRole('table').getByRole('row').nth(1).getByRole('button').last().focus()
  await page.keyboard.type('ne')
  await expect(page.getByText('One moment…')).toBeVisible()
  open()
  await expect(page.getByRole('dialog', { name: /^Add/u })).toBeVisible()
  await expect(page.getByText('One moment…')).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(1)
})
