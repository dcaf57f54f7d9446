/** Everything that must hold before a change lands: types, lint, format, dead code, architecture, tests. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { installAllPackages } from './packages.mjs'
import { buildPages } from './pages.mjs'
import { bin, environment, node, root, run, userError } from './process.mjs'

const checks = [
  ['types', bin('tsc'), ['-p', '.']],
  ['types of the client', bin('tsc'), ['-p', 'client']],
  ['types of the portal', bin('tsc'), ['-p', 'web']],
  ['types of the task pane', bin('tsc'), ['-p', 'addin']],
  ['types of the browser tests', bin('tsc'), ['-p', 'testing/journeys']],
  ['lint and import rules', bin('oxlint'), ['--type-aware', '--deny-warnings', '.']],
  ['format', bin('oxfmt'), ['--check', '.']],
  ['dead code', bin('knip'), ['--no-progress']],
]

export async function check() {
  await installAllPackages()
  for (const [name, command, args] of checks) await step(name, command, args)
  await step('architecture', bin('vitest'), ['run', '--project', 'tools'])
}

/** The size of the product and the state of its language, against their goals. */
export async function shape() {
  await installAllPackages()
  return run(node(), [join(root, 'tools/language/shape.ts')])
}

export async function format() {
  await installAllPackages()
  return run(bin('oxfmt'), ['--write', '.'])
}

/** A missing browser or database fails here; nothing is ever skipped for want of one. */
export async function test() {
  const started = Date.now()
  await installAllPackages()
  await installDebianPackages()
  for (const [name, command, args] of checks) await step(name, command, args)
  await buildPages()
  const out = mkdtempSync(join(tmpdir(), 'tributary-results-'))
  try {
    const unit = join(out, 'unit.json')
    const unitCode = await run(bin('vitest'), [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${unit}`,
    ])
    const browser = join(out, 'browser.json')
    const browserCode = await run(bin('playwright'), ['test', '--reporter=list,json'], {
      env: environment({ PLAYWRIGHT_JSON_OUTPUT_NAME: browser }),
    })
    tellFailures([...failuresOfUnit(unit), ...failuresOfBrowser(browser)])
    return summary(countUnit(unit), countBrowser(browser), unitCode + browserCode, started)
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

async function step(name, command, args) {
  const started = Date.now()
  const code = await run(command, args)
  if (code !== 0) throw userError(`\n${name}: failed.`)
  console.log(`${name}: ok (${((Date.now() - started) / 1000).toFixed(1)} s)`)
}

const needed = [
  { name: 'chromium', found: ['/usr/bin/chromium'] },
  { name: 'chromium-headless-shell', found: ['/usr/bin/chromium-headless-shell'] },
  { name: 'openssl', found: ['/usr/bin/openssl'] },
  { name: 'mariadb-server', found: ['/usr/bin/mariadbd-safe'] },
]

export async function installDebianPackages() {
  const missing = needed.filter(({ found }) => !found.some(existsSync)).map(({ name }) => name)
  if (missing.length === 0) return
  const install = `apt-get install -y ${missing.join(' ')}`
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw userError(`The tests need ${missing.join(' and ')}. Install: sudo ${install}`)
  console.log(`Installing ${missing.join(' and ')} from Debian's packages (once)…`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const patient = ['-qq', '-o', 'DPkg::Lock::Timeout=300']
  await run('apt-get', [...patient, 'update'], { env, quiet: true })
  const code = await run('apt-get', [...patient, 'install', '-y', '--no-install-recommends', ...missing], {
    env,
    quiet: true,
  })
  if (code !== 0 || needed.some(({ found }) => !found.some(existsSync)))
    throw userError(`Installing failed. Try it by hand: ${install}`)
}

function countUnit(file) {
  const { numPassedTests = 0, numFailedTests = 1, numPendingTests = 0, numTodoTests = 0 } = parse(file)
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
}

function countBrowser(file) {
  const { expected = 0, unexpected = 1, flaky = 0, skipped = 0 } = parse(file).stats ?? {}
  return { passed: expected + flaky, failed: unexpected, skipped }
}

/** Once more at the end, because of a long log often only the end is looked at. */
function tellFailures(failures) {
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `- ${failure}`).join('\n')}`)
}

function failuresOfUnit(file) {
  return (parse(file).testResults ?? []).flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    const where = relative(root, name)
    // A file that cannot be loaded has no test that could fail.
    if (failed.length === 0 && message) return [`${where}: ${firstLines(message)}`]
    return failed.map(
      ({ fullName, failureMessages }) => `${where}: ${fullName}\n  ${firstLines(failureMessages.join('\n'))}`,
    )
  })
}

function failuresOfBrowser(file) {
  return (parse(file).suites ?? []).flatMap(failedSpecs)
}

function failedSpecs({ specs = [], suites = [] }) {
  const failed = specs.filter(({ ok }) => !ok)
  const told = failed.map(({ file, line, title, tests }) => {
    const [result] = tests.flatMap(({ results }) => results).filter(({ error }) => error !== undefined)
    return `testing/journeys/${file}:${line}: ${title}\n  ${firstLines(result?.error.message ?? '')}`
  })
  return [...told, ...suites.flatMap(failedSpecs)]
}

function firstLines(message) {
  return stripVTControlCharacters(message).split('\n').slice(0, 8).join('\n  ')
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
