/** The layout of all signed-in pages: nothing moves from page to page, overflows or covers a control. */
import type { Page } from '@playwright/test'
import { otherPages, sectionPages } from './layout-pages.ts'
import { expect, test } from './portal.ts'

// These tests are read-only.
test.describe.configure({ mode: 'parallel' })

const desk = { width: 1280, height: 800 }
const widths = [360, 768, 1280]
/** The first row of a list begins above this height of the desk's screen. */
const listTopMax = 280

/** Opens a page and waits until it shows its content. */
async function open(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1, name: /\S/u })).toBeVisible()
  await expect(page.locator('main').getByText('Loading', { exact: true })).toHaveCount(0)
}

/** The left edge of each link in the header's navigation, without the way to the page. */
async function linkPositions(page: Page): Promise<Readonly<Record<string, number>>> {
  const links = page.locator('header nav:not([aria-label="Breadcrumb"]) a')
  const positions = await links.evaluateAll((all) =>
    all.map((link) => [link.textContent, Math.round(link.getBoundingClientRect().x)] as const),
  )
  return Object.fromEntries(positions)
}

const soft = expect.configure({ soft: true, timeout: 5_000 })

for (const [section, paths] of Object.entries(sectionPages))
  test(`[UX-SHELL-1] [UX-SHELL-3] ${section}: a link has the same position on every page, lists begin above ${listTopMax} pixels`, async ({
    page,
    portal,
  }) => {
    test.setTimeout(240_000)
    await page.setViewportSize(desk)
    await portal.signIn('superadmin')
    const known: Record<string, number> = {}
    for (const path of paths) {
      await open(page, path)
      const positions = await linkPositions(page)
      expect.soft(Object.keys(positions).length, `links on ${path}`).toBeGreaterThan(1)
      for (const [label, x] of Object.entries(positions)) {
        known[label] ??= x
        expect.soft(x, `left edge of ${label} on ${path}`).toBe(known[label])
      }
      const levels = await page.locator('header nav:not([aria-label="Breadcrumb"])').count()
      expect.soft(levels, `levels of navigation on ${path}`).toBeLessThanOrEqual(2)
      if ((await page.locator('main').getAttribute('data-kind')) !== 'list') continue
      // An empty list says so instead of its first row; `data-kind` is on the mark of that text.
      const firstRow = 'tbody tr, article, li, [data-kind="first"]'
      const row = page.locator('main').locator(firstRow).locator('visible=true').first()
      await expect(row, `a row on ${path}`).toBeVisible()
      expect.soft((await row.boundingBox())?.y, `first row of ${path}`).toBeLessThan(listTopMax)
    }
  })

for (const [section, paths] of [...Object.entries(sectionPages), ['Other pages', otherPages] as const])
  test(`[UX-SHELL-4] ${section}: nothing overflows a screen of ${widths.join(', ')} pixels, and no control of the header covers another`, async ({
    page,
    portal,
  }) => {
    test.setTimeout(240_000)
    await portal.signIn('superadmin')
    for (const path of paths) {
      await page.setViewportSize(desk)
      await open(page, path)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 })
        // The page lays itself out again after the screen has changed.
        await soft.poll(() => findOverflow(page), `wider than the screen of ${width} pixels on ${path}`).toEqual([])
        expect.soft(await findOverlaps(page, 'header'), `on each other at ${width} on ${path}`).toEqual([])
      }
    }
  })

/** What reaches beyond the right edge of the page, and controls that reach beyond that of their card. */
function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const rightOf = (one: Element) => one.getBoundingClientRect().right
    const { clientWidth, scrollWidth } = document.documentElement
    const beyond =
      scrollWidth > clientWidth
        ? [...document.body.querySelectorAll('*')].filter((one) => rightOf(one) > clientWidth).slice(0, 5)
        : []
    const cards = [...document.querySelectorAll('main li, main article')]
    const spilt = cards.flatMap((card) =>
      [...card.querySelectorAll('a, button')].filter((one) => rightOf(one) > rightOf(card) + 1),
    )
    return [...beyond, ...spilt].map((one) => one.outerHTML.slice(0, 200))
  })
}

/** The controls within the element that lie on each other. */
function findOverlaps(page: Page, within: string): Promise<string[]> {
  return page
    .locator(within)
    .first()
    .evaluate((container) => {
      const controls = [...container.querySelectorAll<HTMLElement>('a, button, input, select')]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('nav'))
        .map((one) => ({ name: one.ariaLabel ?? one.textContent, box: one.getBoundingClientRect() }))
      return controls.flatMap(({ name, box }, index) =>
        controls
          .slice(index + 1)
          .filter(
            ({ box: other }) =>
              box.left < other.right - 1 &&
              other.left < box.right - 1 &&
              box.top < other.bottom - 1 &&
              other.top < box.bottom - 1,
          )
          .map((other) => `${name} and ${other.name}`),
      )
    })
}

for (const width of widths)
  test(`[UX-SHELL-5] at ${width} pixels one toast is shown, and it covers no control of a page or a drawer`, async ({
    page,
    portal,
  }) => {
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('blocked'))
    })
    await portal.signIn('superadmin', '/admin/dashboard')
    const copy = page.getByRole('button', { name: /^Copy/u }).first()
    const toast = page.locator('[data-toast]')
    await page.setViewportSize({ width, height: 800 })
    await copy.click()
    await copy.click()
    await expect(toast).toHaveCount(1)
    expect(await findCovered(page)).toEqual([])

    // Below the pointer it stays, on the next page and over a drawer.
    await toast.hover()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Find/u }).fill('xero tokens')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/connectors/xero/v2/tokens')
    await expect(page.getByRole('navigation', { name: 'Breadcrumb', includeHidden: true })).toBeAttached()
    await expect(toast).toBeVisible()
    expect(await findCovered(page)).toEqual([])
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^Find/u }).fill('help for this page')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await expect(toast).toBeVisible()
    expect(await findCovered(page)).toEqual([])
  })

/** The visible controls that lie below the toast. */
function findCovered(page: Page): Promise<string[]> {
  return page.locator('[data-toast]').evaluate((toast) => {
    const { left, right, top, bottom } = toast.getBoundingClientRect()
    const controls = document.querySelectorAll<HTMLElement>('a, button, input, select, textarea, [tabindex="0"]')
    return [...controls]
      .filter((one) => !toast.contains(one) && one.checkVisibility({ visibilityProperty: true }))
      .filter((one) => {
        const box = one.getBoundingClientRect()
        return box.width > 1 && box.left < right && left < box.right && box.top < bottom && top < box.bottom
      })
      .map((one) => one.ariaLabel ?? one.textContent)
  })
}
