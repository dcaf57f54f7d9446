/**
 * Key latency in the link editor with 2,000 entries per pane, compared with 50: from the key press to the frame that
 * shows the result, in a real browser. Run: node testing/bench/portal/link-editor.ts [rounds]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { trialPassword } from '../../../server/src/trial/people.ts'
import { median } from '../measure.ts'

const rounds = Number(process.argv[2] ?? 10)
const sizes = [50, 2_000] as const
const limit = 2

const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
const address = `http://localhost:${40_000 + (process.pid % 10_000)}`
const server = spawn(
  process.execPath,
  ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../../../server/src/main.ts')],
  {
    env: { ...process.env, PORT: new URL(address).port, TRIBUTARY_DATA_DIR: home },
    stdio: ['ignore', 'ignore', 'inherit'],
  },
)
// Without the display's refresh rate, which would hide small differences.
const unlimited = ['--disable-frame-rate-limit', '--disable-gpu-vsync']
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', ...unlimited],
})
try {
  await serverIsUp()
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 }, bypassCSP: true })
  await page.addInitScript({ path: join(import.meta.dirname, 'link-editor/measure-keys.js') })
  await signIn(page)
  // In turn, so that load on the machine affects both; the first round warms up.
  const taken = new Map<string, number[]>()
  for (let round = 0; round <= rounds; round += 1) {
    for (const size of sizes) {
      await openEditor(page, size)
      taken.set(`${round} search ${size}`, await timesOf(page, search))
      taken.set(`${round} arrows ${size}`, await timesOf(page, arrows))
    }
  }
  process.exitCode = report(taken) ? 0 : 1
} finally {
  await browser.close()
  if (server.kill('SIGTERM')) await once(server, 'exit')
  rmSync(home, { recursive: true, force: true })
}

async function serverIsUp(): Promise<void> {
  const isReady = () =>
    fetch(`${address}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
  while (!(await isReady())) {
    if (server.exitCode !== null) throw new Error('The product did not start; its output is above.')
    await sleep(100)
  }
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${address}/signin`)
  await page.getByRole('textbox', { name: 'Username' }).fill('admin@demo.example')
  await page.getByLabel('Password', { exact: true }).fill(trialPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/home')
}

/** Opens the editor of the first area, which is linked to every second subarea. */
async function openEditor(page: Page, size: number): Promise<void> {
  const id = (side: number, index: number) => `00000000-0000-4000-8${side}00-${String(index).padStart(12, '0')}`
  const name = (word: string, index: number) => `${word} ${String(index).padStart(4, '0')}`
  const indexes = Array.from({ length: size }, (_, index) => index + 1)
  const Status = { Id: id(0, 1), Name: 'active' }
  const named = (side: number, word: string) => (index: number) => ({ Id: id(side, index), Name: name(word, index) })
  const linked = indexes.filter((index) => index % 2 === 0).map(named(2, 'Subarea'))
  const areas = indexes.map((index) => ({
    ...named(1, 'Area')(index),
    Status,
    Subareas: index === 1 ? linked : [],
    AllCurrentAndFuture: false,
  }))
  const subareas = indexes.map((index) => ({
    ...named(2, 'Subarea')(index),
    Status,
    AreasSubareas: [],
    AllCurrentAndFuture: false,
  }))
  await page.unrouteAll()
  await page.route('**/api/areas?*', (route) => route.fulfill({ json: areas }))
  await page.route('**/api/subareas?*', (route) => route.fulfill({ json: subareas }))
  await page.goto(`${address}/excel/subareas/link?edit=${id(1, 1)}`)
  await page.getByRole('checkbox', { name: name('Subarea', 1) }).waitFor()
  // Excludes the work of opening the page.
  await page.waitForLoadState('networkidle')
}

/** Types a search in which each key changes the results: 0003, 0037, and back. */
async function search(page: Page): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search subareas' }).focus()
  for (const key of ['3', '7', 'Backspace', 'Backspace']) await press(page, key)
}

async function arrows(page: Page): Promise<void> {
  await press(page, 'ArrowDown')
  for (let turn = 0; turn < 12; turn += 1) await press(page, 'ArrowDown')
  for (const key of ['End', 'Home', 'PageDown', 'ArrowUp']) await press(page, key)
}

/** Presses a key and waits until it is measured. */
async function press(page: Page, key: string): Promise<void> {
  const before = await page.evaluate<number>('keyTimes.length')
  await page.keyboard.press(key)
  await page.waitForFunction(`keyTimes.length > ${before}`)
}

/** Returns the latency of each key in milliseconds. */
async function timesOf(page: Page, work: (page: Page) => Promise<void>): Promise<number[]> {
  await page.evaluate('keyTimes.length = 0')
  await work(page)
  return page.evaluate<number[]>('keyTimes')
}

function report(taken: ReadonlyMap<string, readonly number[]>): boolean {
  console.log(
    `\n## A key in the link editor (${rounds} rounds)\n\n| | entries a pane | ms, median | ms, p95 | ratio |\n|---|---|---|---|---|`,
  )
  const ratios = (['search', 'arrows'] as const).map((what) => {
    const [small = [], large = []] = sizes.map((size) =>
      Array.from({ length: rounds }, (_, round) => taken.get(`${round + 1} ${what} ${size}`) ?? []).flat(),
    )
    const ratio = median(large) / median(small)
    console.log(`| ${what} | ${sizes[0]} | ${median(small).toFixed(1)} | ${p95(small).toFixed(1)} | |`)
    console.log(
      `| ${what} | ${sizes[1].toLocaleString('en')} | ${median(large).toFixed(1)} | ${p95(large).toFixed(1)} | ${ratio.toFixed(2)} |`,
    )
    return ratio
  })
  const isKept = ratios.every((ratio) => ratio <= limit)
  console.log(`\nAt most ${limit} times as slow: ${isKept ? 'kept' : 'NOT kept'}`)
  return isKept
}

function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN
}
