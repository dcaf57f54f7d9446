import { expect, type Locator, type Page } from '@playwright/test'

const pressesMax = 120

/** Presses the key until the element has the focus. */
export async function tabTo(page: Page, element: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(element).toBeVisible()
  const isFocused = () => element.evaluate((node) => node === document.activeElement)
  for (let presses = 0; presses < pressesMax && !(await isFocused()); presses += 1) await page.keyboard.press(key)
  await expect(element).toBeFocused()
}
