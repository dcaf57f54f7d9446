/** Checks what documents and settings state about the repository: dependencies, paths, the names of features. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listTracked } from './language/sources.ts'

const root = dirname(import.meta.dirname)
const read = (file: string) => readFileSync(join(root, file), 'utf8')

describe('decision 0002', () => {
  const table = read('docs/decisions/0002-dependencies.md')

  test('names every dependency of every package, and no other', () => {
    const named = parsePackages(table)
    const dependencies = listDependencies()
    expect(dependencies.filter((name) => !named.some((pattern) => matches(pattern, name)))).toEqual([])
    expect(named.filter((pattern) => !dependencies.some((name) => matches(pattern, name)))).toEqual([])
  })

  test('a package that the table lacks, and one that is no longer installed, are reported', () => {
    const named = parsePackages('| Package | For |\n|---|---|\n| left-pad, @types/* | text |\n')
    expect(named).toEqual(['left-pad', '@types/*'])
    expect(matches('@types/*', '@types/node')).toBe(true)
    expect(matches('left-pad', 'right-pad')).toBe(false)
  })
})

describe('paths', () => {
  test('that the linter’s settings name exist', () => {
    const { overrides, ignorePatterns } = JSON.parse(read('.oxlintrc.json')) as LinterSettings
    const patterns = [...overrides.flatMap(({ files }) => files), ...ignorePatterns]
    // Folders that a build or a test creates.
    const generated = new Set(['**/dist/**', 'node_modules/**', 'data/**', 'test-results/**', 'playwright-report/**'])
    expect(
      patterns.filter((pattern) => !generated.has(pattern) && listTracked(`:(glob)${pattern}`).length === 0),
    ).toEqual([])
  })

  test('that documents name exist', () => {
    // The operator creates this file.
    const untracked = ['deploy/compose/secrets/metrics-token']
    const missing = listTracked('*.md')
      .filter((file) => file !== 'CHANGELOG.md')
      .flatMap((file) =>
        parsePaths(read(file))
          .filter((path) => !existsSync(join(root, path)) && !untracked.includes(path))
          .map((path) => `${file}: ${path}`),
      )
    expect(missing).toEqual([])
  })

  test('a path in a document that does not exist is reported', () => {
    expect(parsePaths('`server/src/absent.ts` and `engine/src/<name>/` and `POST /api/x` and `web/src/app/`')).toEqual([
      'server/src/absent.ts',
      'web/src/app/',
    ])
  })
})

describe('a noun has one name in contract, server and web', () => {
  const exceptions = parseExceptions(read('ARCHITECTURE.md'))

  test.each(['server/src/features', 'web/src/features'])(
    'every folder of %s is a file of the contract, or a named exception',
    (folder) => {
      const names = listFolders(folder)
      expect(
        names.filter((name) => !existsSync(join(root, `contract/src/${name}.ts`)) && !exceptions.has(name)),
      ).toEqual([])
    },
  )

  test('every exception that ARCHITECTURE.md names is one', () => {
    const features = new Set(['server', 'web'].flatMap((part) => listFolders(`${part}/src/features`)))
    expect(exceptions.size).toBeGreaterThan(0)
    const needless = [...exceptions].filter(
      (name) => !features.has(name) || existsSync(join(root, `contract/src/${name}.ts`)),
    )
    expect(needless).toEqual([])
  })
})

interface LinterSettings {
  readonly overrides: readonly { readonly files: readonly string[] }[]
  readonly ignorePatterns: readonly string[]
}

/** Names of packages in the first column of the table. A `*` at the end matches any suffix. */
function parsePackages(table: string): string[] {
  const cells = [...table.matchAll(/^\| ([^|]+) \|/gmu)].map(([, cell = '']) => cell)
  return cells.filter((cell) => cell !== 'Package').flatMap((cell) => cell.split(',').map((name) => name.trim()))
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name
}

function listDependencies(): string[] {
  const manifests = listTracked('package.json', '*/package.json').map(
    (file) => JSON.parse(read(file)) as Record<string, object>,
  )
  const names = manifests.flatMap((manifest) =>
    ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) => Object.keys(manifest[kind] ?? {})),
  )
  return [...new Set(names)].filter((name) => !name.startsWith('@tributary/'))
}

/** Paths in backticks that begin with a folder of the repository and have no placeholder. */
function parsePaths(text: string): string[] {
  const folders = '(?:contract|client|engine|server|web|addin|sims|testing|tools|deploy|docs)'
  const paths = text.matchAll(new RegExp(`\`(${folders}/[\\w./-]+)\``, 'gu'))
  return [...paths].map(([, path = '']) => path)
}

/** Names of the subfolders that contain tracked files. */
function listFolders(folder: string): string[] {
  return [...new Set(listTracked(`${folder}/*/**`).map((file) => file.slice(folder.length + 1).split('/')[0] ?? ''))]
}

/** The first column of the table of exceptions. */
function parseExceptions(text: string): Set<string> {
  const [, section = ''] = text.split('## Features without a noun of the contract\n')
  const [table = ''] = section.split('\n## ')
  return new Set([...table.matchAll(/^\| `([\w-]+)` \|/gmu)].map(([, name = '']) => name))
}
