/** Draws a contact sheet of all screens, for people to look at: `npm run screens`. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installAllPackages } from './packages.mjs'
import { buildPages } from './pages.mjs'
import { bin, environment, root, run } from './process.mjs'
import { installDebianPackages } from './verify.mjs'

const folder = join(root, 'screens')
const sizes = ['1280-light', '1280-dark', '768-light', '768-dark', '360-light', '360-dark']

/** The accessibility tests are among those that visit every screen; they save a picture of each size and theme. */
export async function screens() {
  await installAllPackages()
  await installDebianPackages()
  await buildPages()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const env = environment({ TRIBUTARY_SCREENS: folder })
  const code = await run(
    bin('playwright'),
    ['test', '--project', 'every screen', '--grep', 'no accessibility', '--reporter=dot'],
    { env },
  )
  const pictures = readdirSync(folder).filter((name) => name.endsWith('.png'))
  writeFileSync(join(folder, 'index.html'), contactSheet(pictures))
  console.log(`${pictures.length} pictures: ${join(folder, 'index.html')}`)
  return code
}

/** @param {string[]} pictures File names: the screen, an underscore, width and theme. */
function contactSheet(pictures) {
  const names = [...new Set(pictures.map((name) => name.slice(0, name.lastIndexOf('_'))))].sort()
  const rows = names.map((name) => {
    const files = sizes.map((size) => `${name}_${size}.png`).filter((file) => pictures.includes(file))
    const images = files.map((file) => `<a href="${file}"><img src="${file}" alt="${file}" loading="lazy"></a>`)
    return `<h2>${name.replaceAll('-', ' ')}</h2><div>${images.join('')}</div>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title>
<style>body{font:14px sans-serif;margin:2rem}div{display:flex;gap:1rem;align-items:start}img{height:20rem;border:1px solid #ccc}</style>
${rows.join('\n')}</html>\n`
}
