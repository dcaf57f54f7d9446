/** Suite of the dictionary of an API source: it describes what the source produces, and nothing else. */
import { beforeAll, describe, expect, test } from 'vitest'
import { describeShape, type SourceDictionary } from '@tributary/engine/apis/http/dictionary'
import type { DocumentShape } from '@tributary/engine/apis/http/documents'
import type { Table } from '@tributary/engine/ports/model'

export function testDictionary(dictionary: SourceDictionary, shapes: readonly DocumentShape[]): void {
  const tables = shapes.flatMap((shape) => {
    const described = describeShape(dictionary, shape)
    return [described.table, ...described.children]
  })
  testDescribedTables(dictionary.title, async () => tables)
  test('[SEE-6] describes no table and no column that the source does not produce', () => {
    expect(listUnusedTexts(dictionary, tables)).toEqual([])
  })
}

/** @param find all tables of a source, with their descriptions */
export function testDescribedTables(title: string, find: () => Promise<readonly Table[]>): void {
  describe(`the dictionary of ${title}`, () => {
    let tables: readonly Table[] = []
    beforeAll(async () => {
      tables = await find()
    })

    test('[SEE-6] describes every table and every column that the source produces', () => {
      expect(tables.length).toBeGreaterThan(0)
      expect(tables.filter(({ description }) => description === undefined).map(({ name }) => name)).toEqual([])
      expect(columnsOf(tables, ({ description }) => description === undefined)).toEqual([])
    })

    test('[SEE-6] says more than the name does', () => {
      const words = (text: string) => new Set(text.toLowerCase().match(/[a-z]+/g))
      const restates = (name: string, text = '') =>
        [...words(text)].filter((word) => !words(name.replaceAll('_', ' ')).has(word)).length < 2
      expect(columnsOf(tables, ({ name, description }) => restates(name, description))).toEqual([])
      expect(tables.filter(({ name, description }) => restates(name, description)).map(({ name }) => name)).toEqual([])
    })

    test('[SEE-6] every relation leads to an existing table and column with values of the same kind', () => {
      expect(tables.flatMap((table) => listBrokenReferences(table, tables))).toEqual([])
    })

    test('[SEE-6] every child table leads to its parent', () => {
      const lost = tables.filter(
        ({ parentKey, references = [] }) => parentKey !== undefined && !references.some(({ isParent }) => isParent),
      )
      expect(lost.map(({ name }) => name)).toEqual([])
    })
  })
}

function columnsOf(tables: readonly Table[], isWanted: (column: Table['columns'][number]) => boolean): string[] {
  return tables.flatMap(({ name, columns }) => columns.filter(isWanted).map((column) => `${name}.${column.name}`))
}

const numbered = (column: string): string => column.replace(/\d+/, '#')

/** Texts and references that describe nothing. */
function listUnusedTexts({ tables: texts, columns, references }: SourceDictionary, tables: readonly Table[]): string[] {
  const has = (table: Table | undefined, name: string): boolean =>
    table?.columns.some((column) => column.name === name || numbered(column.name) === name) === true
  const ofTables = Object.entries(texts).flatMap(([name, { columns: own = {}, references: to = {} }]) => {
    const table = tables.find((each) => each.name === name)
    const unused = [...Object.keys(own), ...Object.keys(to)].filter((column) => !has(table, column))
    return table === undefined ? [name] : unused.map((column) => `${name}.${column}`)
  })
  const isUsed = (name: string): boolean =>
    tables.some((table) => has(table, name) && !Object.hasOwn(texts[table.name]?.columns ?? {}, name))
  const isReferring = (name: string): boolean =>
    tables.some((table) => table.references?.some((each) => each.columns.includes(name)))
  return [
    ...ofTables,
    ...Object.keys(columns).filter((name) => !isUsed(name)),
    ...Object.keys(references).filter((name) => !isReferring(name)),
  ]
}

function listBrokenReferences({ name, columns, references = [] }: Table, tables: readonly Table[]): string[] {
  return references.flatMap((reference) => {
    const target = tables.find((table) => table.name === reference.table)
    const kindOf = (all: Table['columns'] | undefined, column: string | undefined) =>
      all?.find((each) => each.name === column)?.type.kind
    return reference.columns.flatMap((column, at) => {
      const kind = kindOf(target?.columns, reference.to[at])
      return kind !== undefined && kind === kindOf(columns, column)
        ? []
        : [`${name}.${column} → ${reference.table}.${reference.to[at] ?? ''}`]
    })
  })
}
