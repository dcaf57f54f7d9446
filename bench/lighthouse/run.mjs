/** Scores sign-in and home, as a phone and as a desktop, and counts their requests, against the budgets; the product must be running. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import lighthouse, { desktopConfig } from 'lighthouse'
import { countRequests } from './requests.mjs'

const address = process.argv[2]
const port = 9_333
const runs = 3

/** Shares of one, milliseconds, and layout shift; from the budgets in docs/performance.md. */
const budgets = {
  'sign-in, phone': { performance: 0.95, accessibility: 1, practices: 1, largestPaint: 1_900, blocking: 150, shift: 0.05 },
  'sign-in, desktop': { performance: 0.98, accessibility: 1, practices: 1, largestPaint: 800, blocking: 150, shift: 0.05 },
  'home, phone': { performance: 0.9, accessibility: 1, practices: 1, largestPaint: 2_500, blocking: 250, shift: 0.05 },
  'home, desktop': { performance: 0.98, accessibility: 1, practices: 1, largestPaint: 800, blocking: 250, shift: 0.05 },
}

const requestsMax = 12

const profile = mkdtempSync(join(tmpdir(), 'tributary-lighthouse-'))
const launch = {
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}
const browser = await chromium.launchPersistentContext(profile, { ...launch, args: [...launch.args, `--remote-debugging-port=${port}`] })
let failed = false
try {
  await count('sign-in', '/signin', (page) => page.getByRole('button', { name: 'Sign in', exact: true }))
  await score('sign-in, phone', '/signin', undefined)
  await score('sign-in, desktop', '/signin', desktopConfig)
  await signIn()
  await count('home', '/home', (page) => page.getByRole('heading', { name: 'Available connectors' }))
  await score('home, phone', '/home', undefined)
  await score('home, desktop', '/home', desktopConfig)
} finally {
  await browser.close()
  rmSync(profile, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0

async function signIn() {
  const page = await browser.newPage()
  await page.goto(`${address}/signin`)
  await page.getByRole('textbox', { name: 'Username' }).fill('admin@demo.example')
  await page.getByLabel('Password', { exact: true }).fill('tributary-demo-1')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/home')
  await page.close()
}

/** As whoever is signed in here, but with nothing of the portal in the browser's cache. */
async function count(name, path, usable) {
  const { files, calls } = await countRequests(`${address}${path}`, { launch, storageState: await browser.storageState(), usable })
  const kept = files + calls <= requestsMax
  failed ||= !kept
  console.log(`${name}: ${files} files and ${calls} calls before it is usable (${kept ? 'within' : 'BEYOND'} ${requestsMax})`)
}

/** The median of some runs: a shared machine disturbs single ones. */
async function score(name, path, config) {
  const results = []
  for (let run = 0; run < runs; run += 1) {
    const { lhr } = await lighthouse(
      `${address}${path}`,
      { port, disableStorageReset: true, onlyCategories: ['performance', 'accessibility', 'best-practices'], logLevel: 'error' },
      config,
    )
    results.push({
      performance: lhr.categories.performance.score,
      accessibility: lhr.categories.accessibility.score,
      practices: lhr.categories['best-practices'].score,
      largestPaint: lhr.audits['largest-contentful-paint'].numericValue,
      blocking: lhr.audits['total-blocking-time'].numericValue,
      shift: lhr.audits['cumulative-layout-shift'].numericValue,
    })
  }
  const words = Object.entries(budgets[name]).map(([measure, budget]) => {
    const value = median(results.map((result) => result[measure]))
    const kept = budget <= 1 && measure !== 'shift' ? value >= budget : value <= budget
    failed ||= !kept
    return `${measure} ${round(value)} (${kept ? 'within' : 'BEYOND'} ${budget})`
  })
  console.log(`${name}: ${words.join(', ')}`)
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

function round(value) {
  return value > 10 ? Math.round(value) : Math.round(value * 1_000) / 1_000
}
