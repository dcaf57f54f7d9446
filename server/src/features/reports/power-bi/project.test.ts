import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { parseM } from '@tributary/testing/server/reports/parse-m.ts'
import { readDax } from '@tributary/testing/server/reports/read-dax.ts'
import { type ParsedObject, readTmdl, splitReference } from '@tributary/testing/server/reports/read-tmdl.ts'
import { harbourModel, hostileModel, hostileNames } from '@tributary/testing/server/reports/report-models.ts'
import type { ReportModel } from '../report-model.ts'
import type { ProjectFile } from './project-file.ts'
import { powerBiProject, projectName } from './project.ts'

const golden = join(import.meta.dirname, '../../../../../testing/server/reports/golden')
const models = [
  ['an organisation with accounts and plans', harbourModel],
  ['hostile names', hostileModel],
] as const

test('[SEE-11] the project of the sample organisation is the golden project, byte for byte', () => {
  const project = powerBiProject(harbourModel)
  if (process.env['TRIBUTARY_WRITE_GOLDEN'] === '1') writeGolden(project)
  expect(Object.fromEntries(project.map(({ path, text }) => [path, text]))).toEqual(readGolden())
})

test('[SEE-11] the same organisation always gives the same project', () => {
  expect(powerBiProject(structuredClone(hostileModel))).toEqual(powerBiProject(hostileModel))
})

test.each(models)('[SEE-11] TMDL of %s parses, and every reference names an object that exists', (_, model) => {
  const objects = tmdlOf(model)
  const tables = new Map(objects.filter(({ kind }) => kind === 'table').map((table) => [table.name, table]))
  const hasColumn = (table: ParsedObject | undefined, name: string | undefined) =>
    table?.children.some((child) => child.kind === 'column' && child.name === name) === true
  expect(tables.size).toBe(model.tables.length + 1)
  for (const relationship of objects.filter(({ kind }) => kind === 'relationship')) {
    for (const end of ['fromColumn', 'toColumn']) {
      const [table = '', column] = splitReference(relationship.properties[end] ?? '')
      expect([end, table, column, hasColumn(tables.get(table), column)]).toEqual([end, table, column, true])
    }
  }
  for (const table of tables.values()) {
    for (const level of table.children.flatMap(({ children }) => children).filter(({ kind }) => kind === 'level'))
      expect(hasColumn(table, splitReference(level.properties['column'] ?? '')[0])).toBe(true)
    for (const { properties } of table.children)
      if (properties['sortByColumn'] !== undefined)
        expect(hasColumn(table, splitReference(properties['sortByColumn'])[0])).toBe(true)
  }
})

test.each(models)('[SEE-11] names of %s are unique as Power BI compares them, without regard to case', (_, model) => {
  const tables = tmdlOf(model).filter(({ kind }) => kind === 'table')
  const folded = (names: readonly string[]) => names.map((name) => name.normalize('NFKC').toLowerCase())
  const expectUnique = (names: readonly string[]) => expect(folded(names)).toEqual([...new Set(folded(names))])
  expectUnique(tables.map(({ name }) => name))
  expectUnique(
    tables.flatMap(({ children }) => children.filter(({ kind }) => kind === 'measure').map(({ name }) => name)),
  )
  for (const { children } of tables)
    expectUnique(children.filter(({ kind }) => kind === 'measure' || kind === 'column').map(({ name }) => name))
  const tags = JSON.stringify(tables).match(/"lineageTag":"[^"]+"/gu) ?? []
  expect(new Set(tags).size).toBe(tags.length)
})

test.each(models)('[SEE-11] DAX of %s is balanced and names only columns and measures that exist', (_, model) => {
  const objects = tmdlOf(model)
  const tables = objects.filter(({ kind }) => kind === 'table')
  const measures = new Set(
    tables.flatMap(({ children }) => children.filter(({ kind }) => kind === 'measure').map(({ name }) => name)),
  )
  const columns = new Map(
    tables.map((table) => [
      table.name,
      new Set(table.children.filter(({ kind }) => kind === 'column').map(({ name }) => name)),
    ]),
  )
  const expressions = objects.flatMap((object) =>
    object.children
      .filter(({ kind }) => kind === 'measure' || kind === 'tablePermission')
      .map(({ value }) => value ?? ''),
  )
  expect(expressions.length).toBeGreaterThan(10)
  for (const expression of expressions) {
    for (const { table, name } of readDax(expression)) {
      const exists =
        table === undefined
          ? measures.has(name ?? '')
          : name === undefined
            ? columns.has(table)
            : columns.get(table)?.has(name)
      expect([expression, table, name, exists]).toEqual([expression, table, name, true])
    }
  }
})

test.each(models)('[SEE-11] Microsoft’s parser accepts the M of every table and parameter of %s', async (_, model) => {
  const objects = tmdlOf(model)
  const queries = objects.flatMap((object) =>
    object.kind === 'expression'
      ? [object.value ?? '']
      : object.children.flatMap(({ kind, properties }) => (kind === 'partition' ? [properties['source'] ?? ''] : [])),
  )
  expect(queries.length).toBe(model.tables.length + 6)
  for (const query of queries) expect([query, await parseM(query)]).toEqual([query, null])
})

test('[SEE-11] a table is read by its exact name in the warehouse, whatever it is', () => {
  const tables = tmdlOf(hostileModel).filter(({ name, kind }) => kind === 'table' && name !== 'Date')
  const unescaped = (text: string) =>
    text
      .replaceAll('""', '"')
      .replace(/#\(([0-9A-F]{4,8}|#)\)/gu, (_, code: string) =>
        code === '#' ? '#' : String.fromCodePoint(Number.parseInt(code, 16)),
      )
  const read = tables.map(({ children }) => {
    const source = children.find(({ kind }) => kind === 'partition')?.properties['source'] ?? ''
    return unescaped(/Item = "(?<item>(?:[^"]|"")*)"\]/u.exec(source)?.groups?.['item'] ?? '')
  })
  expect(read).toEqual(hostileNames)
})

test('[SEE-11] a role shows members the rows of plans that the portal grants to their address, and nothing without the tables of rights', () => {
  const role = tmdlOf(harbourModel).find(({ kind }) => kind === 'role')
  const filters = Object.fromEntries(role?.children.map(({ name, value }) => [name, value]) ?? [])
  expect(Object.keys(filters)).toEqual([
    'B2SBudget2026',
    'B2SRates',
    'tributary_row_right',
    'tributary_helper_table_right',
  ])
  for (const filter of Object.values(filters)) expect(filter).toContain('USERPRINCIPALNAME()')
  expect(filters['B2SBudget2026']).toContain(`'tributary_row_right'[TableName], "B2SBudget2026"`)
  const withoutRights = { ...harbourModel, tables: harbourModel.tables.filter(({ purpose }) => purpose !== 'rights') }
  expect(tmdlOf(withoutRights).some(({ kind }) => kind === 'role')).toBe(false)
  const withoutRows = {
    ...harbourModel,
    tables: harbourModel.tables.filter(({ name }) => name !== 'tributary_row_right'),
  }
  const closed = tmdlOf(withoutRows).find(({ kind }) => kind === 'role')
  expect(closed?.children.find(({ name }) => name === 'B2SBudget2026')?.value).toBe('FALSE()')
})

test('[SEE-11] no filter reaches a table in two active ways', () => {
  const relationships = [harbourModel, hostileModel].map((model) =>
    tmdlOf(model).filter(({ kind }) => kind === 'relationship'),
  )
  for (const each of relationships) {
    const active = each.filter(({ properties }) => properties['isActive'] !== 'false')
    const edges = active.map(({ properties }) => [
      splitReference(properties['toColumn'] ?? '')[0] ?? '',
      splitReference(properties['fromColumn'] ?? '')[0] ?? '',
    ])
    for (const start of new Set(edges.map(([one]) => one))) {
      const reached: string[] = []
      const visit = (table: string) => {
        for (const [one, many = ''] of edges) {
          if (one !== table) continue
          reached.push(many)
          visit(many)
        }
      }
      visit(start ?? '')
      expect(reached.toSorted()).toEqual([...new Set(reached)].toSorted())
    }
  }
})

test('[SEE-11] paths are ASCII, short enough for Windows, inside one folder, and differ without regard to case', () => {
  for (const model of [harbourModel, hostileModel]) {
    const paths = powerBiProject(model).map(({ path }) => path)
    const folder = projectName(model.organisation.name)
    for (const path of paths) {
      expect(path).toMatch(/^[A-Za-z0-9 ()_./-]+$/u)
      expect(path.startsWith(`${folder}/`) && !path.includes('..') && path.length <= 200).toBe(true)
    }
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length)
  }
})

test('[SEE-11] every field of the report exists in the model', () => {
  for (const model of [harbourModel, hostileModel]) {
    const fields = new Set(
      tmdlOf(model).flatMap((table) =>
        table.children.map(({ kind, name }) => JSON.stringify([kind, table.name, name])),
      ),
    )
    const used = powerBiProject(model)
      .filter(({ path }) => path.endsWith('visual.json'))
      .flatMap(({ text }) => fieldsOf(JSON.parse(text)))
    expect(used.length).toBeGreaterThan(5)
    expect(used.filter((field) => !fields.has(field))).toEqual([])
  }
})

interface VisualJson {
  readonly visual: {
    readonly query?: {
      readonly queryState: Readonly<Record<string, { readonly projections: readonly { readonly field: FieldJson }[] }>>
    }
  }
}
type FieldJson = Readonly<
  Partial<
    Record<
      'Column' | 'Measure',
      { readonly Expression: { readonly SourceRef: { readonly Entity: string } }; readonly Property: string }
    >
  >
>

function fieldsOf({ visual }: VisualJson): readonly string[] {
  return Object.values(visual.query?.queryState ?? {}).flatMap(({ projections }) =>
    projections.flatMap(({ field }) =>
      Object.entries(field).map(([kind, { Expression, Property }]) =>
        JSON.stringify([kind.toLowerCase(), Expression.SourceRef.Entity, Property]),
      ),
    ),
  )
}

function tmdlOf(model: ReportModel): readonly ParsedObject[] {
  return powerBiProject(model)
    .filter(({ path }) => path.endsWith('.tmdl'))
    .flatMap(({ text }) => readTmdl(text))
}

function readGolden(): Record<string, string> {
  const files = readdirSync(golden, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [relative(golden, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]
    }),
  )
}

/** Run with TRIBUTARY_WRITE_GOLDEN=1 after a change of the generator, and review what changed. */
function writeGolden(project: readonly ProjectFile[]): void {
  rmSync(golden, { recursive: true, force: true })
  for (const { path, text } of project) {
    mkdirSync(dirname(join(golden, path)), { recursive: true })
    writeFileSync(join(golden, path), text)
  }
}
