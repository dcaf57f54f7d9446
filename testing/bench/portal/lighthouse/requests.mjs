/** Counts the requests of a browser with an empty cache until a page is usable, including API calls. */
import { chromium } from '@playwright/test'

/** Counts until the network is idle for half a second after `usable`, a locator of the page, is visible. */
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
