import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const home = mkdtempSync(join(tmpdir(), 'tributary-clone-'))
const first = join(home, 'first')

beforeAll(() => {
  mkdirSync(join(first, 'tools'), { recursive: true })
  cpSync(join(import.meta.dirname, 'boot'), join(first, 'tools/boot'), { recursive: true })
  writeFileSync(join(first, 'package.json'), '{ "name": "clone", "version": "1.0.0" }')
  const lock = {
    name: 'clone',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: { '': { name: 'clone', version: '1.0.0' } },
  }
  writeFileSync(join(first, 'package-lock.json'), JSON.stringify(lock))
  mkdirSync(join(first, 'node_modules'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

test('a copied or moved clone does not install its packages again, a clone whose lock file changed does', () => {
  expect(install(first)).toContain('Installing the packages')
  expect(install(first)).toBe('')
  const [copied, moved] = [join(home, 'copied'), join(home, 'moved')]
  execFileSync('cp', ['-a', first, copied])
  expect(install(copied)).toBe('')
  renameSync(copied, moved)
  expect(install(moved)).toBe('')
  writeFileSync(
    join(moved, 'package-lock.json'),
    JSON.stringify({ name: 'clone', version: '1.0.0', lockfileVersion: 3, packages: {} }),
  )
  expect(install(moved)).toContain('Installing the packages')
})

/** What bringing the packages prints, beyond what npm says itself. */
function install(clone: string): string {
  const script = `const { bringPackages } = await import(${JSON.stringify(`file://${clone}/tools/boot/workshop.mjs`)}); await bringPackages()`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: clone,
    encoding: 'utf8',
  })
  return output
    .split('\n')
    .filter((line) => line.startsWith('Installing'))
    .join('\n')
}
