/** Everything that must hold before a change lands: types, lint, format, dead code, architecture, tests. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bringPackages, buildPortal, environment, refusal, root, run } from './workshop.mjs'

const bin = (name) => join(root, 'node_modules', '.bin', name)
const checks = [
  ['types', bin('tsc'), ['-p', '.']],
  ['types of the portal', bin('tsc'), ['-p', 'web']],
  ['types of the browser tests', bin('tsc'), ['-p', 'e2e']],
  ['lint and import rules', bin('oxlint'), ['--type-aware', '--deny-warnings', '.']],
  ['format', bin('oxfmt'), ['--check', '.']],
  ['dead code', bin('knip'), ['--no-progress']],
]

export async function check() {
  await bringPackages()
  for (const [name, command, args] of checks) await step(name, command, args)
  await step('architecture', bin('vitest'), ['run', '--project', 'tools'])
}

export async function format() {
  await bringPackages()
  return run(bin('oxfmt'), ['--write', '.'])
}

/** A missing browser or database fails here; nothing is ever skipped for want of one. */
export async function test() {
  const started = Date.now()
  await bringPackages()
  await bringDebianPackages()
  for (const [name, command, args] of checks) await step(name, command, args)
  await buildPortal()
  const out = mkdtempSync(join(tmpdir(), 'tributary-results-'))
  try {
    const unit = join(out, 'unit.json')
    const unitCode = await run(bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${unit}`])
    const browser = join(out, 'browser.json')
    const browserCode = await run(bin('playwright'), ['test', '--reporter=list,json'], {
      env: environment({ PLAYWRIGHT_JSON_OUTPUT_NAME: browser }),
    })
    return summary(countUnit(unit), countBrowser(browser), unitCode + browserCode, started)
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/** The long programmes in full: the figures of docs/reliability.md. */
export async function soak() {
  await bringPackages()
  await bringDebianPackages()
  await buildPortal()
  return run(bin('vitest'), ['run', '--project', 'server', 'soak'], { env: environment({ TRIBUTARY_SOAK: 'full' }) })
}

async function step(name, command, args) {
  const started = Date.now()
  const code = await run(command, args)
  if (code !== 0) throw refusal(`\n${name}: failed.`)
  console.log(`${name}: ok (${((Date.now() - started) / 1000).toFixed(1)} s)`)
}

const needed = [
  { name: 'chromium', found: ['/usr/bin/chromium'] },
  { name: 'openssl', found: ['/usr/bin/openssl'] },
  { name: 'mariadb-server', found: ['/usr/bin/mariadbd-safe'] },
]

async function bringDebianPackages() {
  const missing = needed.filter(({ found }) => !found.some(existsSync)).map(({ name }) => name)
  if (missing.length === 0) return
  const install = `apt-get install -y ${missing.join(' ')}`
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw refusal(`The tests need ${missing.join(' and ')}. Install: sudo ${install}`)
  console.log(`Installing ${missing.join(' and ')} from Debian's packages (once)…`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const patient = ['-qq', '-o', 'DPkg::Lock::Timeout=300']
  await run('apt-get', [...patient, 'update'], { env, quiet: true })
  const code = await run('apt-get', [...patient, 'install', '-y', '--no-install-recommends', ...missing], { env, quiet: true })
  if (code !== 0 || needed.some(({ found }) => !found.some(existsSync))) throw refusal(`Installing failed. Try it by hand: ${install}`)
}

function countUnit(file) {
  const { numPassedTests = 0, numFailedTests = 1, numPendingTests = 0, numTodoTests = 0 } = parse(file)
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
}

function countBrowser(file) {
  const { expected = 0, unexpected = 1, flaky = 0, skipped = 0 } = parse(file).stats ?? {}
  return { passed: expected + flaky, failed: unexpected, skipped }
}

function parse(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

function summary(unit, browser, code, started) {
  const passed = unit.passed + browser.passed
  const failed = unit.failed + browser.failed
  const skipped = unit.skipped + browser.skipped
  console.log(
    `\n${passed + failed + skipped} tests ran: passed = ${passed}, failed = ${failed}, skipped = ${skipped} (${unit.passed + unit.failed} unit, API and engine, ${browser.passed + browser.failed} in the browser), ${Math.round((Date.now() - started) / 1000)} s`,
  )
  return code === 0 && failed === 0 && skipped === 0 && passed > 0 ? 0 : 1
}
