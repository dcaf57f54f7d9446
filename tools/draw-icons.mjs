/** Draws the PNGs of the icons from their SVGs. Run it after a change of an SVG: `node tools/draw-icons.mjs`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'

const folder = join(import.meta.dirname, '../addin/icons')
const drawings = [
  ...[16, 32, 64, 80, 128, 192].map((size) => ({ svg: 'icon.svg', png: `icon-${size}.png`, size })),
  // The packaged manifest requires white lines on a transparent background.
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
