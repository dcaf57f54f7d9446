/**
 * Compares the gzipped bundle size of each page of the portal, and the size of its fonts, with their budgets. Fails if
 * one is exceeded. Run: node testing/bench/portal/portal-bundle.mjs
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const web = join(import.meta.dirname, '../../../web')
const outDir = mkdtempSync(join(tmpdir(), 'tributary-bundle-'))
const KB = 1024
const entry = 'index.html'
/** Chunk groups of web/vite.config.ts: React DOM, and shell with home. */
const drawing = 'react-dom'
const signedIn = 'signed-in'
/** Modules that any page loads when it shows a menu, a tooltip or a dialog. */
const opened = ['src/ui/popovers.tsx', 'src/ui/popover-select.tsx', 'src/ui/dialogs/dialog-frame.tsx']
/**
 * Modules that open on another one, with that one. Date fields need the popover, which every page loads with its first menu or tooltip; the
 * palette needs the frame of dialogs.
 */
const openedOn = {
  'src/app/palette/command-palette.tsx': 'src/ui/dialogs/dialog-frame.tsx',
  'src/features/connectors/manage/manage-dialogs.tsx': 'src/features/connectors/manage/manage-page.tsx',
  'src/features/runs/connector/charts-view.tsx': 'src/features/runs/run-drawer.tsx',
  'src/features/runs/reload-dialog.tsx': 'src/features/runs/run-drawer.tsx',
  'src/ui/forms/date-field.tsx': 'src/ui/popovers.tsx',
}

try {
  await build({
    root: web,
    configFile: join(web, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir, manifest: 'manifest.json' },
  })
  const manifest = JSON.parse(readFileSync(join(outDir, 'manifest.json'), 'utf8'))
  const rows = [...measure(manifest), ...fonts()]
  for (const { page, kind, bytes, budget } of rows) {
    const verdict = bytes > budget ? 'OVER' : 'ok'
    console.log(
      `${page.padEnd(44)} ${kind.padEnd(4)} ${(bytes / KB).toFixed(1).padStart(7)} KB of ${String(budget / KB).padStart(3)} KB  ${verdict}`,
    )
  }
  if (rows.some(({ bytes, budget }) => bytes > budget)) process.exitCode = 1
} finally {
  rmSync(outDir, { recursive: true, force: true })
}

function measure(manifest) {
  const named = (name) => Object.keys(manifest).find((key) => manifest[key].name === name)
  const signIn = filesOf(manifest, [entry, named(drawing)])
  const registration = filesOf(manifest, [entry, named(drawing), named('registration')])
  const shellAndHome = filesOf(manifest, [entry, named(drawing), named(signedIn)])
  const withAllOpened = filesOf(manifest, [entry, named(drawing), named(signedIn), ...opened])
  const rows = [
    { page: 'sign-in', kind: 'js', bytes: weigh(signIn.js), budget: 155 * KB },
    { page: 'sign-in', kind: 'css', bytes: weigh(signIn.css), budget: 38 * KB },
    { page: 'registration', kind: 'js', bytes: weigh(registration.js), budget: 155 * KB },
    { page: 'shell and home', kind: 'js', bytes: weigh(shellAndHome.js), budget: 245 * KB },
    { page: 'and with its menus and dialogs', kind: 'js', bytes: weigh(withAllOpened.js), budget: 245 * KB },
    { page: 'shell and home', kind: 'css', bytes: weigh(shellAndHome.css), budget: 38 * KB },
  ]
  // Every page, drawer and chart that is loaded when it is opened.
  const further = Object.keys(manifest).filter(
    (key) => manifest[key].isDynamicEntry === true && key.startsWith('src/') && !opened.includes(key),
  )
  const beyond = further.map((page) => {
    const below = openedOn[page]
    const there = below === undefined ? shellAndHome : filesOf(manifest, [entry, named(drawing), below])
    const more = [...filesOf(manifest, [page]).js].filter((file) => !there.js.has(file))
    return {
      page: `${short(page)}, beyond ${below === undefined ? 'home' : short(below)}`,
      kind: 'js',
      bytes: weigh(more),
      budget: 35 * KB,
    }
  })
  return [...rows, ...beyond.toSorted((a, b) => b.bytes - a.bytes)]
}

/** The fonts that a page needs before the first paint, and all fonts of Latin text. */
function fonts() {
  const files = readdirSync(join(outDir, 'assets')).filter((name) => name.endsWith('.woff2'))
  const rows = [
    { page: 'before the first paint', pattern: /^geist-latin-wght/u, budget: 30 * KB },
    { page: 'latin, latin-ext and mono', pattern: /./u, budget: 70 * KB },
  ]
  return rows.map(({ page, pattern, budget }) => {
    const sizes = files.filter((name) => pattern.test(name)).map((name) => statSync(join(outDir, 'assets', name)).size)
    return { page, kind: 'font', bytes: sizes.reduce((total, size) => total + size, 0), budget }
  })
}

function short(page) {
  return page.replace(/^src\/(?:features\/)?/u, '')
}

/** Everything that must be loaded before these modules run. */
function filesOf(manifest, keys) {
  const js = new Set()
  const css = new Set()
  const visit = (key) => {
    const chunk = manifest[key]
    if (chunk === undefined) throw new Error(`There is no chunk for ${key}. Has the page been renamed?`)
    if (js.has(chunk.file)) return
    js.add(chunk.file)
    for (const sheet of chunk.css ?? []) css.add(sheet)
    for (const other of chunk.imports ?? []) visit(other)
  }
  keys.forEach(visit)
  return { js, css }
}

function weigh(files) {
  return [...files].reduce((total, file) => total + gzipSync(readFileSync(join(outDir, file)), { level: 9 }).length, 0)
}
