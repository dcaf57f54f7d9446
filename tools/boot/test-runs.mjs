/** Runs tests of Vitest and Playwright, prints how many ran, and repeats the failures at the end of a long log. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { bin, environment, report, root, run } from './process.mjs'

/**
 * @param {{ unit: string[], browser: string[], env?: Record<string, string>, started: number }} runs Arguments for
 * Vitest and for   Playwright; `started` in milliseconds since the epoch.
 * @returns 0 if every test passed and none was skipped, otherwise 1.
 */
export async function runTests({ unit, browser, env = {}, started }) {
  const out = mkdtempSync(join(tmpdir(), 'tributary-results-'))
  try {
    const unitFile = join(out, 'unit.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${unitFile}`]
    const unitCode = await run(bin('vitest'), ['run', ...reporters, ...unit], { env: environment(env) })
    const browserFile = join(out, 'browser.json')
    const browserCode = await run(bin('playwright'), ['test', '--reporter=list,json', ...browser], {
      env: environment({ ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: browserFile }),
    })
    printFailures([...failuresOfUnit(unitFile), ...failuresOfBrowser(browserFile)])
    return printSummary(countUnit(unitFile), countBrowser(browserFile), unitCode + browserCode, started)
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

function countUnit(file) {
  const { numPassedTests = 0, numFailedTests = 1, numPendingTests = 0, numTodoTests = 0 } = parse(file)
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
}

function countBrowser(file) {
  const { expected = 0, unexpected = 1, flaky = 0, skipped = 0 } = parse(file).stats ?? {}
  return { passed: expected + flaky, failed: unexpected, skipped }
}

function printFailures(failures) {
  if (failures.length > 0) report(`\nFailed:\n${failures.map((failure) => `- ${failure}`).join('\n')}`)
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
  const failures = failed.map(({ file, line, title, tests }) => {
    const [result] = tests.flatMap(({ results }) => results).filter(({ error }) => error !== undefined)
    return `testing/journeys/${file}:${line}: ${title}\n  ${firstLines(result?.error.message ?? '')}`
  })
  return [...failures, ...suites.flatMap(failedSpecs)]
}

function firstLines(message) {
  return stripVTControlCharacters(message).split('\n').slice(0, 8).join('\n  ')
}

function parse(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

function printSummary(unit, browser, code, started) {
  const passed = unit.passed + browser.passed
  const failed = unit.failed + browser.failed
  const skipped = unit.skipped + browser.skipped
  report(
    `\n${passed + failed + skipped} tests ran: passed = ${passed}, failed = ${failed}, skipped = ${skipped} (${unit.passed + unit.failed} unit, API and engine, ${browser.passed + browser.failed} in the browser), ${Math.round((Date.now() - started) / 1000)} s`,
  )
  return code === 0 && failed === 0 && skipped === 0 && passed > 0 ? 0 : 1
}
