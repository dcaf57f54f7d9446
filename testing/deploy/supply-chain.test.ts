/** Dependencies: their sources, their licences, and the published bill of materials. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './installed.ts'

interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly name?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly overrides?: Readonly<Record<string, string>>
  readonly allowScripts?: Readonly<Record<string, boolean>>
}

/** Licences of packages that state them in a form that the lock file does not copy. */
const oldLicenses: Readonly<Record<string, string>> = { 'node_modules/format': 'MIT' }
const workspaces = ['contract', 'client', 'engine', 'server', 'web', 'addin', 'sims']
/** Copies of the used parts of other packages, with the names and versions of those packages. */
const vendored = ['vendor/fluent-icons', 'vendor/tabler-icons']
/** Empty replacements of packages that are never called. */
const stubs = ['stubs/azure-core-auth', 'stubs/azure-identity', 'stubs/azure-keyvault-keys']
const lock = readJson<{ readonly packages: Readonly<Record<string, LockedPackage>> }>('package-lock.json')
const packages = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
)

/** Licences that permit use, change and distribution, and only require attribution. */
const permissive = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
]
/** For fonts: a changed font must get another name. */
const permitted = new Set([...permissive, 'OFL-1.1'])
/** Licences of tools that are not distributed may also require that changes are published or marked. */
const permittedForTools = new Set([...permitted, 'MPL-2.0', 'Python-2.0', 'Zlib'])

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as T
}

/** Whether one of the alternative licences is permitted. */
function isPermitted(expression: string | undefined, among: ReadonlySet<string>): boolean {
  const choices = expression?.replaceAll(/[()]/gu, '').split(' OR ') ?? []
  return choices.some((choice) => choice.split(' AND ').every((name) => among.has(name.trim())))
}

describe('what Tributary is made of', () => {
  test('is under licences that permit use, change and distribution', () => {
    const refused = packages.filter(
      ([path, { license, dev }]) =>
        !isPermitted(license ?? oldLicenses[path], dev === true ? permittedForTools : permitted),
    )
    expect(refused.map(([path, { license }]) => `${path}: ${String(license)}`)).toEqual([])
  })

  test.each([
    ['GPL-3.0-only', false],
    ['MPL-2.0', false],
    [undefined, false],
    ['(MPL-2.0 OR Apache-2.0)', true],
    ['(MIT AND GPL-2.0-only)', false],
    ['(MIT OR CC0-1.0)', true],
  ])('of the licence %s it is known whether it does: %s', (expression, is) => {
    expect(isPermitted(expression, permitted)).toBe(is)
  })

  test('is checked by a hash when it is installed, and comes from the configured registry', () => {
    const unchecked = packages.filter(
      ([, { integrity, resolved }]) => integrity?.startsWith('sha512-') !== true || resolved !== undefined,
    )
    expect(unchecked.map(([path]) => path)).toEqual([])
  })

  test('runs no script when it is installed, and packages with scripts are refused by name', () => {
    const scripted = packages
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => path.replace('node_modules/', ''))
    const { allowScripts = {} } = readJson<Manifest>('package.json')
    expect(scripted.toSorted()).toEqual(Object.keys(allowScripts).toSorted())
    expect(Object.values(allowScripts)).not.toContain(true)
  })

  test('consists of packages and workspaces only, and a vendored package comes with its licence', () => {
    const folders = Object.keys(lock.packages).filter((path) => path !== '' && !path.includes('node_modules/'))
    expect(folders.toSorted()).toEqual([...workspaces, 'testing', ...vendored, ...stubs].toSorted())
    for (const folder of vendored) {
      expect(isPermitted(lock.packages[folder]?.license, permitted)).toBe(true)
      expect(readFileSync(join(root, folder, 'LICENSE'), 'utf8')).toContain('Copyright')
    }
  })

  test('is named by exact versions only', () => {
    const loose = ['.', 'testing', ...workspaces].flatMap((folder) => {
      const { dependencies, devDependencies, optionalDependencies, overrides } = readJson<Manifest>(
        join(folder, 'package.json'),
      )
      const named = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides })
      return named
        .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/u.test(version))
        .map(([name, version]) => `${folder}: ${name} ${version}`)
    })
    expect(loose).toEqual([])
  })
})

interface Listed {
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } }
  readonly components: readonly {
    readonly 'bom-ref': string
    readonly group?: string
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
    readonly licenses?: readonly object[]
    readonly pedigree?: object
  }[]
}

describe('the bill of materials', () => {
  test('names everything that runs with version, hash and licence, nothing that only developers run, and comes out the same each time', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-sbom-'))
    try {
      const texts = ['one', 'two'].map((name) => makeList(join(folder, name)))
      expect(texts[1]).toBe(texts[0])
      const list = JSON.parse(texts[0] ?? '') as Listed
      expect(list).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' })
      const { name: product, version } = readJson<{ readonly name: string; readonly version: string }>('package.json')
      expect(list.metadata.component).toMatchObject({ name: product, version })
      expect(texts[0]).not.toContain(root)

      const running = packages
        .filter(([, { dev }]) => dev !== true)
        .map(([path, { version: at }]) => `${nameOf(path)}@${String(at)}`)
      const listed = list.components.map((component) => component['bom-ref'])
      expect(listed).toEqual(
        [
          ...new Set([
            ...running,
            ...workspaces.map((folder) => `@tributary/${folder}@${version}`),
            ...vendored.map((folder) => `${lock.packages[folder]?.name}@${lock.packages[folder]?.version}`),
          ]),
        ].toSorted(),
      )
      const bare = list.components.filter(({ group, licenses, hashes, pedigree }) => {
        const isOurs = group === '@tributary' || pedigree !== undefined
        return licenses?.length !== 1 || (!isOurs && hashes?.[0]?.alg !== 'SHA-512')
      })
      expect(list.components.filter(({ pedigree }) => pedigree !== undefined)).toHaveLength(vendored.length)
      expect(bare).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

function makeList(file: string): string {
  execFileSync(process.execPath, ['tools/boot.mjs', 'sbom', file], { cwd: root })
  return readFileSync(file, 'utf8')
}

/** `node_modules/a/node_modules/@b/c`: @b/c */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}
