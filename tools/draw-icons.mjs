/** Draws the icons' PNGs from their SVGs, after a change of these: `node addin/icons/draw.mjs`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'

const folder = import.meta.dirname
const drawings = [
  ...[16, 32, 64, 80, 128, 192].map((size) => ({ svg: 'icon.svg', png: `icon-${size}.png`, size })),
  // What the packaged manifest asks for: white lines on nothing.
  { svg: 'outline.svg', png: 'outline-32.png', size: 32 },
]

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const page = await browser.newPage()
for (const { svg, png, size } of drawings) {
  const address = `data:image/svg+xml;base64,${readFileSync(join(folder, svg)).toString('base64')}`
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(
    `<body style="margin:0"><img src="${address}" width="${size}" height="${size}" style="display:block">`,
  )
  await page.locator('img').screenshot({ path: join(folder, png), omitBackground: true })
}
await browser.close()
