import { expect, test } from 'vitest'
import { parseM } from '@tributary/testing/server/reports/parse-m.ts'
import { readQueryWorkbook } from '@tributary/testing/server/reports/read-query-workbook.ts'
import { harbourModel, hostileModel } from '@tributary/testing/server/reports/report-models.ts'
import { workbookOf, type WorkbookSource } from '@tributary/testing/server/reports/workbook-of.ts'
import type { ReportModel } from '../report-model.ts'

const models = [
  ['an organisation with accounts and plans, from the database', harbourModel, 'database'],
  ['an organisation with accounts and plans, from the feed', harbourModel, 'feed'],
  ['hostile names, from the database', hostileModel, 'database'],
  ['hostile names, from the feed', hostileModel, 'feed'],
] as const

function openWorkbook(model: ReportModel, source: WorkbookSource = 'database') {
  return readQueryWorkbook(workbookOf(model, source))
}

test.each(models)(
  '[SEE-10] every table of %s has a sheet, a connection and a query, which agree on names and columns',
  async (_, model, source) => {
    const { tables, section, metadata, sheets } = await openWorkbook(model, source)
    expect(tables.length).toBe(model.tables.length)
    expect(new Set(sheets.map((sheet) => sheet.toLowerCase())).size).toBe(tables.length + 1)
    expect(new Set(tables.map(({ name }) => name.toLowerCase())).size).toBe(tables.length)
    expect(new Set(tables.map(({ query }) => query.toLowerCase())).size).toBe(tables.length)
    for (const { name, sheet, headings, columns, fields, query, command } of tables) {
      expect(sheet).toMatch(/^(?!')[^[\]:*?/\\\p{Cc}]{1,31}(?<!')$/u)
      expect(name).toMatch(/^T_[\p{L}\p{N}_]*$/u)
      expect(query).toMatch(/^[^".\p{Cc}]{1,80}$/u)
      expect([columns, fields]).toEqual([headings, headings])
      expect(new Set(headings.map((heading) => heading.toLowerCase())).size).toBe(headings.length)
      expect(command).toBe(`SELECT * FROM [${query.replaceAll(']', ']]')}]`)
      const shared = /^[A-Za-z_]\w*$/u.test(query) ? [query, `#"${query}"`] : [`#"${query.replaceAll('#(', '#(#)(')}"`]
      expect(shared.some((written) => section.includes(`shared ${written} =`))).toBe(true)
      expect(metadata.get(`Section1/${encodeURIComponent(query)}`)).toMatchObject({
        FillEnabled: 'l1',
        FillTarget: `s${name}`,
      })
    }
  },
)

test.each(models)('[SEE-10] Microsoft’s parser accepts the queries of %s', async (_, model, source) => {
  const { section } = await openWorkbook(model, source)
  expect(await parseM(section)).toBeNull()
  expect(await parseM(section.replace('let', 'let let'))).not.toBeNull()
})

test('[SEE-10] no name becomes a formula, and none leaves its element', async () => {
  const { parts, tables } = await openWorkbook(hostileModel)
  const sheets = [...parts].filter(([name]) => name.startsWith('xl/worksheets/sheet'))
  for (const [, xml] of sheets) {
    expect(xml.includes('<f>')).toBe(false)
    expect([...xml.toString().matchAll(/<c [^>]*>/gu)].every(([cell]) => cell.includes('t="inlineStr"'))).toBe(true)
  }
  expect(tables.flatMap(({ headings }) => headings)).toContain('=HYPERLINK("http://example.com","x")')
})

test('[SEE-10] the workbook holds no rows and no password, asks for the permissions that Excel has by default, and is always the same', async () => {
  const one = await openWorkbook(harbourModel)
  expect(one.parts.get('customXml/item1.xml')).toEqual(
    (await openWorkbook(harbourModel)).parts.get('customXml/item1.xml'),
  )
  expect(one.introduction.join('\n')).toContain('Refresh All')
  expect(JSON.stringify(one.permissions)).toContain('"FirewallEnabled"')
  expect(one.section).not.toMatch(/password|pwd/iu)
})
