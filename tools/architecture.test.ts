/** The rules of the layout, and the proof that each of them bites. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

const root = dirname(import.meta.dirname)
const folder = mkdtempSync(join(tmpdir(), 'tributary-rules-'))
afterAll(() => rmSync(folder, { recursive: true }))

const packages = ['contract', 'engine', 'server', 'web', 'sims']
const sources = packages.flatMap((name) =>
  readdirSync(join(root, name, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
)

/** The tables of organisations, as queries name them. A membership is found from the person's side, too. */
const owned = [
  'connector',
  'connectorProperty',
  'connectorUser',
  'run',
  'runStream',
  'runLine',
  'runRejected',
  'warehouse',
  'auditEvent',
  'dataKey',
  'approval',
  'invitation',
  'area',
  'subarea',
  'areaSubarea',
  'version',
  'milestone',
  'helperTable',
  'physicalTable',
  'entity',
  'permissionGroup',
  'groupPair',
  'groupMilestone',
  'groupUser',
  'helperTableUser',
  'entityUser',
]

/** File, import planted into it, the words of the rule that must answer. */
const violations: readonly (readonly [file: string, specifier: string, rule: RegExp])[] = [
  ['contract/src/planted.ts', '@tributary/engine/model', /contract stands alone/],
  ['contract/src/planted.ts', 'node:fs', /no I\/O/],
  ['engine/src/planted.ts', '@tributary/contract/faults', /engine imports nothing of ours/],
  ['engine/src/planted.ts', '../../server/src/app.ts', /engine imports nothing of ours/],
  ['engine/src/sources/one/planted.ts', '../two/source.ts', /only the ports/],
  ['engine/src/sources/one/planted.ts', '../../sync/run.ts', /only the ports/],
  ['engine/src/targets/one/planted.ts', '../../registry.ts', /only the ports/],
  ['engine/src/sync/planted.ts', '../sources/cin7/source.ts', /knows no connector/],
  ['server/src/features/one/planted.ts', '../two/queries.ts', /meet in the database/],
  ['server/src/features/one/planted.ts', '../../app.ts', /composed/],
  ['server/src/platform/planted.ts', '../features/one/routes.ts', /below features/],
  ['web/src/features/one/planted.ts', '../two/api.ts', /do not borrow/],
  ['web/src/features/one/planted.ts', '../../app/router.tsx', /app composes/],
  ['web/src/ui/planted.ts', '../features/one/api.ts', /below features/],
  ['web/src/app/planted.ts', '@tributary/server/app', /only by HTTP/],
  ['web/src/app/planted.ts', '@tributary/contract/routes', /out of the bundle/],
  ['sims/src/planted.ts', '@tributary/engine/model', /outside world/],
]

describe('a planted violation fails', () => {
  test.each(violations)('%s may not import %s', (file, specifier, rule) => {
    expect(lint(file, `import { thing } from '${specifier}'\nexport const planted = thing\n`)).toMatch(rule)
  })

  test('a circle of imports, types included', () => {
    write('engine/src/round.ts', `import type { B } from './about.ts'\nexport interface A { b: B }\n`)
    expect(lint('engine/src/about.ts', `import type { A } from './round.ts'\nexport interface B { a: A }\n`)).toContain('no-cycle')
  })

  test.each([
    ['a file of more than 300 lines', 'engine/src/long.ts', 'export {}\n'.repeat(301), 'max-lines'],
    ['any', 'engine/src/loose.ts', 'export const loose: any = 1\n', 'no-explicit-any'],
    ['a default export', 'engine/src/standard.ts', 'export default 1\n', 'no-default-export'],
    ['a barrel', 'engine/src/all.ts', `export * from './one.ts'\nexport * from './two.ts'\n`, 'no-barrel-file'],
  ])('%s', (_, file, text, rule) => {
    expect(lint(file, text)).toContain(rule)
  })

  test.each([
    ['engine/src/fine.ts', `export const fine = 'fine'\n`],
    ['web/src/app/fine.ts', `import type { AnyRoute } from '@tributary/contract/routes'\nexport type Fine = AnyRoute\n`],
    ['web/src/app/light.ts', `import { pollMs } from '@tributary/contract/limits'\nexport const fine = pollMs\n`],
  ])('what breaks no rule passes: %s', (file, text) => {
    expect(lint(file, text)).toBe('')
  })
})

describe('the tree', () => {
  test('holds no barrels and no drawers for odds and ends', () => {
    const odd = sources.filter((file) => /(^|\/)(index\.tsx?$|utils|helpers|common|shared|misc)(\/|\.|$)/.test(file))
    expect(odd).toEqual([])
  })

  test('every query of an organisation’s table says for which organisation, or that it is for all', () => {
    const queries = sources.filter((file) => basename(file) === 'queries.ts')
    expect(queries.length).toBeGreaterThan(0)
    for (const file of queries) {
      for (const text of readFileSync(join(root, file), 'utf8').split(/^(?=export )/m)) {
        const [signature = '', name = ''] = /^export (?:async )?function (\w+)(?:<[^>]*>)?\([^)]*/.exec(text) ?? []
        if (signature === '' || !owned.some((table) => text.includes(`'${table}'`))) continue
        if (name.endsWith('Everywhere')) continue
        expect(signature, `${file}: ${name} takes the database, then the organisation, or says Everywhere`).toMatch(
          /\(\s*db: Db,\s*organisationId: string/,
        )
      }
    }
  })
})

function lint(file: string, text: string): string {
  if (!readdirSync(folder).includes('.oxlintrc.json')) {
    cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  }
  write(file, text)
  try {
    execFileSync(join(root, 'node_modules/.bin/oxlint'), ['-f', 'json', file], { cwd: folder, encoding: 'utf8' })
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}
