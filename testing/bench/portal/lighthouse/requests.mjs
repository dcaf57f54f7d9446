/** What a browser that has nothing kept asks the server for until a page is usable, calls included. */
import { chromium } from '@playwright/test'

/** Counts until nothing has been asked for half a second once `usable`, a locator of the page, is there. */
export async function countRequests(address, { launch, storageState, usable }) {
  const browser = await chromium.launch(launch)
  try {
    const context = await browser.newContext({ storageState })
    const page = await context.newPage()
    let files = 0
    let calls = 0
    page.on('request', (request) => (new URL(request.url()).pathname.startsWith('/api/') ? (calls += 1) : (files += 1)))
    await page.goto(address)
    await usable(page).waitFor()
    await page.waitForLoadState('networkidle')
    return { files, calls }
  } finally {
    await browser.close()
  }
}
