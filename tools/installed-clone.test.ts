import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const home = mkdtempSync(join(tmpdir(), 'tributary-clone-'))
const first = join(home, 'first')

/**
 * One workspace with one dependency, and one development dependency of the root; both are folders, so no registry is
 * needed.
 */
const files = {
  'package.json': {
    name: 'clone',
    version: '1.0.0',
    workspaces: ['app'],
    devDependencies: { 'a-test-tool': 'file:local/a-test-tool' },
  },
  'app/package.json': { name: 'app', version: '1.0.0', dependencies: { 'a-library': 'file:../local/a-library' } },
  'local/a-library/package.json': { name: 'a-library', version: '1.0.0' },
  'local/a-test-tool/package.json': { name: 'a-test-tool', version: '1.0.0' },
}

beforeAll(() => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(first, path)), { recursive: true })
    writeFileSync(join(first, path), JSON.stringify(content))
  }
  cpSync(join(import.meta.dirname, 'boot'), join(first, 'tools/boot'), { recursive: true })
  execFileSync('npm', ['install', '--package-lock-only', '--offline'], { cwd: first })
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

test('a copied or moved clone does not install its packages again, a clone whose lock file changed does', () => {
  expect(install('Runtime', first)).toContain('Installing the packages')
  expect(install('Runtime', first)).toBe('')
  const [copied, moved] = [join(home, 'copied'), join(home, 'moved')]
  execFileSync('cp', ['-a', first, copied])
  expect(install('Runtime', copied)).toBe('')
  renameSync(copied, moved)
  expect(install('Runtime', moved)).toBe('')
  changeLock(moved)
  expect(install('Runtime', moved)).toContain('Installing the packages')
})

test('a start installs no development packages, and the first check adds them without installing the others again', () => {
  const clone = join(home, 'developed')
  execFileSync('cp', ['-a', first, clone])
  rmSync(join(clone, 'node_modules'), { recursive: true, force: true })
  expect(install('Runtime', clone)).not.toBe('')
  expect([isInstalled(clone, 'a-library'), isInstalled(clone, 'a-test-tool')]).toEqual([true, false])

  const marker = join(clone, 'node_modules', '.marker')
  writeFileSync(marker, 'removed by npm ci')
  expect(install('All', clone)).toContain('Installing the packages for development')
  expect([isInstalled(clone, 'a-library'), isInstalled(clone, 'a-test-tool')]).toEqual([true, true])
  expect(install('All', clone)).toBe('')
  expect(install('Runtime', clone)).toBe('')
  expect(existsSync(marker)).toBe(true)

  changeLock(clone)
  expect(install('All', clone)).toContain('Installing all packages')
  expect(install('Runtime', clone)).toBe('')
})

function isInstalled(clone: string, name: string): boolean {
  return existsSync(join(clone, 'node_modules', name))
}

/** Adds a blank line: other bytes, same packages. */
function changeLock(clone: string): void {
  writeFileSync(join(clone, 'package-lock.json'), '\n', { flag: 'a' })
}

/** Returns the line that announces an installation, or an empty string. */
function install(which: 'Runtime' | 'All', clone: string): string {
  const script = `const packages = await import(${JSON.stringify(`file://${clone}/tools/boot/packages.mjs`)}); await packages.install${which}Packages()`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: clone,
    encoding: 'utf8',
  })
  return output
    .split('\n')
    .filter((line) => line.startsWith('Installing'))
    .join('\n')
}
