import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Frame, Page } from '@playwright/test'
import { expect, test } from './portal.ts'

export const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Rules that depend on the theme. Structure, names and sizes are the same in both themes. */
const colourRules = ['color-contrast', 'link-in-text-block']

export async function expectNoViolation(page: Page): Promise<void> {
  await expectNone(openAxe(page).withTags(tags), page)
}

/** Without a description of every element that passed, which takes most of the time on a long page. */
function openAxe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).options({ resultTypes: ['violations'] })
}

/** Where `npm run screens` wants a picture of every screen that is checked. */
const pictures = process.env['TRIBUTARY_SCREENS']

/** Names the picture by its test, width and theme; a later picture of the same kind replaces an earlier one. */
async function savePicture(page: Page, folder: string): Promise<void> {
  const screen = test.info().title.replace(/,? ha(?:s|ve) no accessibility violation.*/u, '')
  const theme = await page.locator('html').getAttribute('data-mantine-color-scheme')
  const name = `${screen.replaceAll(/[^\w]+/gu, '-').replaceAll('_', '-')}_${page.viewportSize()?.width}-${theme}`
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

async function expectNone(axe: AxeBuilder, page: Page): Promise<void> {
  if (pictures !== undefined) await savePicture(page, pictures)
  // Without frames, legacy mode saves the extra page that axe opens to merge the results of frames.
  const { violations } = await axe.setLegacyMode(page.frames().length === 1).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
}

/**
 * Checks both themes at the width of a desk, a tablet and a phone, and that no page scrolls sideways.
 * @param ready waits for content that is rendered again at another width
 */
export async function expectAccessible(page: Page, ready?: (page: Page) => Promise<unknown>): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const look = () => {
      const axe = openAxe(page)
      return expectNone(colorScheme === 'light' ? axe.withTags(tags) : axe.withRules(colourRules), page)
    }
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    await redraw(page)
    for (const width of [1280, 768, 360]) {
      await page.setViewportSize({ width, height: 900 })
      await ready?.(page)
      await look()
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(over, `no sideways scrolling, ${colorScheme} at ${width}`).toBe(0)
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 })
}

/** Forces a repaint, because Chromium sometimes keeps an inherited colour of the previous theme until the next one. */
export async function redraw(page: Page | Frame): Promise<void> {
  await page.evaluate(() => {
    const { style } = document.documentElement
    style.display = 'none'
    document.documentElement.getBoundingClientRect()
    style.display = ''
  })
}
