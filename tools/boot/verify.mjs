/** The checks that a change must pass: types, lint, format, dead code, architecture, tests. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installAllPackages } from './packages.mjs'
import { buildPages } from './pages.mjs'
import { bin, node, report, root, run, userError } from './process.mjs'
import { runTests } from './test-runs.mjs'

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

/** Fails if a browser or a database is missing. No test is skipped because of that. */
export async function test() {
  const started = Date.now()
  await installAllPackages()
  await installDebianPackages()
  for (const [name, command, args] of checks) await step(name, command, args)
  await buildPages()
  return runTests({
    unit: ['--project', '!slices'],
    browser: ['--project', 'browser', '--project', 'screens'],
    started,
  })
}

async function step(name, command, args) {
  const started = Date.now()
  const code = await run(command, args)
  if (code !== 0) {
    report(`\n${name}: failed.`)
    throw userError('A check has failed; what it printed is above.')
  }
  console.log(`${name}: ok (${((Date.now() - started) / 1000).toFixed(1)} s)`)
}

const needed = [
  { name: 'chromium', found: ['/usr/bin/chromium'] },
  { name: 'chromium-headless-shell', found: ['/usr/bin/chromium-headless-shell'] },
  { name: 'openssl', found: ['/usr/bin/openssl'] },
  { name: 'mariadb-server', found: ['/usr/bin/mariadbd-safe'] },
]

export async function installDebianPackages(packages = needed) {
  const missing = packages.filter(({ found }) => !found.some(existsSync)).map(({ name }) => name)
  if (missing.length === 0) return
  const install = `apt-get install -y ${missing.join(' ')}`
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw userError(`The tests need ${missing.join(' and ')}. Install: sudo ${install}`)
  console.log(`Installing ${missing.join(' and ')} from Debian's packages (once)…`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = ['-qq', '-o', 'DPkg::Lock::Timeout=300']
  await run('apt-get', [...options, 'update'], { env, quiet: true })
  const code = await run('apt-get', [...options, 'install', '-y', '--no-install-recommends', ...missing], {
    env,
    quiet: true,
  })
  if (code !== 0 || packages.some(({ found }) => !found.some(existsSync)))
    throw userError(`Installing failed. Try it by hand: ${install}`)
}
