/**
 * Opens generated files with programs of other authors: the Power BI project with Microsoft's Tabular Object Model and
 * by Microsoft's schemas, workbooks with LibreOffice, openpyxl and Microsoft's Connected Workbooks.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { modelName } from '../../../server/src/features/reports/power-bi/names.ts'
import { powerBiProject } from '../../../server/src/features/reports/power-bi/project.ts'
import type { ReportModel } from '../../../server/src/features/reports/report-model.ts'
import { parseXml, all, readParts } from '../../server/excel/read-parts.ts'
import { readQueryWorkbook } from '../../server/reports/read-query-workbook.ts'
import { harbourModel, hostileModel } from '../../server/reports/report-models.ts'
import { workbookOf } from '../../server/reports/workbook-of.ts'
import { type FabricSchemas, openFabricSchemas } from './fabric-schemas.ts'

const run = promisify(execFile)
/** What `npm run programme -- reports` installed. */
const tools = process.env['TRIBUTARY_REPORT_TOOLS'] ?? ''
const schemaFolder = process.env['TRIBUTARY_FABRIC_SCHEMAS'] ?? ''
const models = [
  ['an organisation with accounts and plans', harbourModel],
  ['hostile names', hostileModel],
] as const

const workbooks = models.flatMap(([name, model]) =>
  (['database', 'feed'] as const).map((source) => [`${name}, from the ${source}`, model, source] as const),
)

let folder: string
let schemas: FabricSchemas
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-reports-'))
  schemas = openFabricSchemas(schemaFolder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface TabularDatabase {
  readonly model: {
    readonly tables: readonly TabularTable[]
    readonly relationships?: readonly unknown[]
    readonly roles?: readonly {
      readonly tablePermissions: readonly { readonly name: string; readonly filterExpression: string }[]
    }[]
  }
}
interface TabularTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly sourceColumn: string; readonly dataType: string }[]
  readonly measures?: readonly { readonly name: string; readonly expression: string | readonly string[] }[]
  readonly partitions: readonly { readonly source: { readonly expression: string | readonly string[] } }[]
}

test.each(models)('[SEE-11] Microsoft’s Tabular Object Model reads %s as it was meant', async (_, model) => {
  const { model: read } = JSON.parse(await readWithTom(model)) as TabularDatabase
  expect(read.tables.length).toBe(model.tables.length + 1)
  for (const [at, table] of model.tables.entries()) {
    const found = read.tables[at + 1]
    expect(found?.name.startsWith(modelName(table.name, ''))).toBe(true)
    expect(found?.columns.map(({ name }) => name.toLowerCase().replace(/ \d+$/u, ''))).toEqual(
      table.columns.map(({ name }) => modelName(name, '').toLowerCase().replace(/ \d+$/u, '')),
    )
    expect(found?.columns.every(({ name, sourceColumn }) => name === sourceColumn)).toBe(true)
    expect([found?.partitions[0]?.source.expression].flat().join('\n')).toContain(
      'PostgreSQL.Database(Server, Database',
    )
  }
  expect(read.relationships?.length ?? 0).toBeGreaterThan(0)
  if (model === harbourModel) expect(read.roles?.[0]?.tablePermissions.length).toBe(4)
})

test('[SEE-11] Microsoft’s Tabular Object Model refuses what breaks TMDL', async () => {
  const broken = (text: string) => text.replace('\tcolumn invoice_id', '\tcolumn invoice id')
  await expect(readWithTom(harbourModel, broken)).rejects.toThrow('TmdlFormatException')
})

test.each(models)(
  '[SEE-11] the JSON files of %s are valid by the schemas that Microsoft publishes',
  async (_, model) => {
    const files = powerBiProject(model).filter(({ text }) => text.includes('"$schema"'))
    expect(files.length).toBeGreaterThan(15)
    for (const { path, text } of files)
      expect([path, await schemas.validate(JSON.parse(text) as Record<string, unknown>)]).toEqual([path, []])
    const page = files.find(({ path }) => path.endsWith('page.json'))
    const broken = { ...(JSON.parse(page?.text ?? '{}') as object), displayOption: 'Tiny' }
    expect(await schemas.validate(broken)).not.toEqual([])
  },
)

test.each(workbooks)(
  '[SEE-10] LibreOffice and openpyxl open the workbook of %s with its sheets and headings',
  async (_, model, source) => {
    const path = join(folder, 'tables.xlsx')
    writeFileSync(path, workbookOf(model, source))
    const { sheets, tables } = await readQueryWorkbook(readFileSync(path))
    const headings = tables.map((table) => table.headings)
    const script = `import json,sys,openpyxl
book = openpyxl.load_workbook(sys.argv[1])
print(json.dumps([book.sheetnames, [[cell.value for cell in sheet[1]] for sheet in book.worksheets[1:]], [list(sheet.tables) for sheet in book.worksheets[1:]]]))`
    const { stdout } = await run(join(tools, 'python/bin/python'), ['-c', script, path])
    expect(JSON.parse(stdout)).toEqual([sheets, headings, tables.map(({ name }) => [name])])
    await run('soffice', [
      '--headless',
      `-env:UserInstallation=file://${folder}/profile`,
      '--convert-to',
      'ods',
      '--outdir',
      folder,
      path,
    ])
    const content = parseXml(
      (await readParts(readFileSync(join(folder, 'tables.ods')))).get('content.xml')?.toString() ?? '',
    )
    expect(all(content, 'table:table').map(({ attributes }) => attributes['table:name'])).toEqual(sheets)
  },
)

test.each(workbooks)(
  '[SEE-10] Microsoft’s Connected Workbooks reads the queries of %s and can replace one',
  async (_, model, source) => {
    const bytes = workbookOf(model, source)
    const part = (await readParts(bytes)).get('customXml/item1.xml') ?? Buffer.alloc(0)
    const text = parseXml(part.toString('utf16le').replace(/^\uFEFF/u, '')).children[0]?.text ?? ''
    const parser = createRequire(join(tools, 'npm/package.json'))(
      '@microsoft/connected-workbooks/dist/utils/mashupDocumentParser',
    ) as {
      getPackageComponents(content: string): { readonly metadata: Uint8Array; readonly permissionsSize: number }
      replaceSingleQuery(content: string, name: string, section: string): Promise<string>
    }
    expect(parser.getPackageComponents(text).permissionsSize).toBeGreaterThan(100)
    expect(
      (await parser.replaceSingleQuery(text, 'Other', 'section Section1;\n\nshared Other = 1;')).length,
    ).toBeGreaterThan(500)
  },
)

async function readWithTom(model: ReportModel, change = (text: string) => text): Promise<string> {
  const project = mkdtempSync(join(folder, 'project-'))
  for (const { path, text } of powerBiProject(model)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), path.endsWith('.tmdl') ? change(text) : text)
  }
  const found = readdirSync(project, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith('database.tmdl'),
  )
  const { stdout } = await run('mono', [join(tools, 'ReadModel.exe'), join(project, dirname(found ?? ''))], {
    maxBuffer: 64 * 1_048_576,
  })
  return stdout
}
