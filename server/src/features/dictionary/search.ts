/** Finds tables by names, descriptions and fields of the source. */
import type { DictionaryColumn, DictionaryTable } from '../../access/dictionary/dictionary.ts'

export interface FoundTable extends Omit<DictionaryTable, 'columns'> {
  readonly columnCount: number
  readonly foundColumns: readonly string[]
}

/** Tables in which every word of the search occurs, together with the columns in which all of them occur. */
export function searchTables(tables: readonly DictionaryTable[], search: string): readonly FoundTable[] {
  const words = fold(search).split(/\s+/u).filter(Boolean)
  return tables.flatMap(({ columns, ...table }) => {
    const own = textOf(table.name, table.sourceName, table.description, table.administratorDescription)
    const found = words.length === 0 ? [] : columns.filter((column) => includesAll(columnText(column), words))
    const isFound = found.length > 0 || includesAll(own, words)
    return isFound ? [{ ...table, columnCount: columns.length, foundColumns: found.map(({ name }) => name) }] : []
  })
}

function columnText({ name, sourceField, description, administratorDescription }: DictionaryColumn): string {
  return textOf(name, sourceField, description, administratorDescription)
}

function textOf(...parts: readonly (string | null)[]): string {
  return fold(parts.join('\n'))
}

function includesAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word))
}

/** Case and accents do not matter. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
