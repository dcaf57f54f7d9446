/** Adds to tables of the warehouse what the dictionary says about them: descriptions and relations. */
import { describeOrganisation, type DictionaryTable } from '../../access/dictionary/dictionary.ts'
import type { ReadableTables } from '../../access/query/readable-tables.ts'
import type { TableModel, TableRelation } from '../../access/query/table-model.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { OwnedTable } from './warehouse-facts.ts'

/** By `dictionaryKey`. */
export type TableDictionary = ReadonlyMap<string, DictionaryTable>

export async function readDictionary(
  db: Db,
  organisationId: string,
  connectors: ReadableTables['connectors'],
): Promise<TableDictionary> {
  const tables = await describeOrganisation(db, organisationId, connectors)
  return new Map(tables.map((table) => [dictionaryKey(table.connectorId, table), table]))
}

function dictionaryKey(connectorId: string, { schema, name }: Pick<TableModel, 'schema' | 'name'>): string {
  return JSON.stringify([connectorId, schema, name])
}

/** An administrator's words come before the dictionary's, and those before the comments in the database. */
export function describeModel(
  model: TableModel,
  owner: OwnedTable['owner'] | undefined,
  dictionary: TableDictionary,
): TableModel {
  const entry = owner?.kind === 'connector' ? dictionary.get(dictionaryKey(owner.connectorId, model)) : undefined
  if (entry === undefined) return model
  const columns = new Map(entry.columns.map((column) => [column.name, column]))
  return {
    ...model,
    description: entry.administratorDescription ?? entry.description ?? model.description,
    columns: model.columns.map((column) => {
      const found = columns.get(column.name)
      return { ...column, description: found?.administratorDescription ?? found?.description ?? column.description }
    }),
    relations: withRelations(model, entry),
  }
}

/** Foreign keys, and relations of the dictionary that are not among them. */
function withRelations({ schema, relations }: TableModel, entry: DictionaryTable): readonly TableRelation[] {
  const further = entry.relations
    .map(({ columns, table, to }) => ({ columns, schema, table, referencedColumns: to }))
    .filter((one) => !relations.some((other) => isSame(one, other)))
  return [...relations, ...further]
}

function isSame(one: TableRelation, other: TableRelation): boolean {
  const text = ({ columns, schema, table, referencedColumns }: TableRelation) =>
    JSON.stringify([columns, schema, table, referencedColumns])
  return text(one) === text(other)
}
