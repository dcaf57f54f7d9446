import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { listTracked } from './language/sources.ts'

const root = join(import.meta.dirname, '..')
const home = mkdtempSync(join(tmpdir(), 'tributary-imports-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** They begin to work when they are imported. Other tests start each of them as a process. */
const entryFiles: ReadonlySet<string> = new Set([
  'engine/src/apis/workbench/prove/reader-process.ts',
  'server/src/main.ts',
  'server/src/cli.ts',
  'server/src/kernel/embedded/orphan-guard-process.ts',
  'server/src/planning/sheet-files/sheet-process.ts',
  'server/src/features/data/exports/export-process.ts',
])

/** Imports every module, and prints those that Node refuses, with the reason. */
const script = `
  for (const url of process.argv.slice(1)[0].split('\\n'))
    try { await import(url) } catch (error) { console.log(url + ': ' + error.message) }
  process.exit()`

function listRefused(urls: readonly string[]): string {
  return execFileSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script, urls.join('\n')],
    { cwd: root, encoding: 'utf8' },
  )
}

/** Vitest resolves imports more leniently than Node: without extensions, and names of CommonJS packages that Node does not find. */
test('Node imports every module of server, engine, contract and simulators, also those that are imported on demand', () => {
  const modules = listTracked('contract/src/*.ts', 'engine/src/*.ts', 'server/src/*.ts', 'sims/src/*.ts').filter(
    (file) => !file.endsWith('.test.ts') && !entryFiles.has(file),
  )
  expect(modules.length).toBeGreaterThan(500)
  expect(listRefused(modules.map((file) => pathToFileURL(join(root, file)).href))).toBe('')
})

test('an import without its extension, and a name that a package does not export, are found', () => {
  const planted = {
    'one.ts': `import './two'`,
    'two.ts': '',
    'three.ts': `import { nothing } from 'node:path'; nothing()`,
  }
  for (const [name, content] of Object.entries(planted)) writeFileSync(join(home, name), content)
  const refused = listRefused(Object.keys(planted).map((name) => pathToFileURL(join(home, name)).href))
  expect(refused).toMatch(/one\.ts: Cannot find module[^]*three\.ts: .*does not provide an export named 'nothing'/u)
  expect(refused).not.toContain('two.ts: ')
})
