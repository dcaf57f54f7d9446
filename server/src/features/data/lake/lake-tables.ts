/**
 * The tables of connectors whose target is a lake of Iceberg tables. Names and columns are those that the latest run has stored, so a list
 * needs no call to the catalog.
 */
import { logicalType } from '@tributary/engine/databases/iceberg/format/column-types'
import { sql } from 'kysely'
import { describeModel, type TableDictionary } from '../../../access/dictionary/describe-tables.ts'
import { listStructures } from '../../../access/dictionary/queries.ts'
import type { StoredTable } from '../../../access/dictionary/stored-structure.ts'
import type { ReadableTables } from '../../../access/query/readable-tables.ts'
import type { TableModel } from '../../../access/query/table-model.ts'
import { isTablesOnly } from '../../../connections/connectors/tables-only.ts'
import type { Db } from '../../../kernel/store/store.ts'

export interface LakeTable {
  /** Its schema names the connector, because a lake and the warehouse may have tables of the same name. */
  readonly model: TableModel
  readonly connectorId: string
  readonly stream: string
  /** In the catalog. */
  readonly namespace: string
}

const prefix = 'iceberg:'

/** The connector whose lake has the tables of this schema; null for a schema of the warehouse. */
export function connectorOfSchema(schema: string): string | null {
  return schema.startsWith(prefix) ? schema.slice(prefix.length) : null
}

/** Those of the organisation's own connectors that the person reads. Empty for a person who may read nothing. */
export async function listLakeTables(
  db: Db,
  organisationId: string,
  { mayRead, connectors }: ReadableTables,
): Promise<readonly LakeTable[]> {
  if (!mayRead) return []
  const lakes = await listLakes(db, organisationId)
  if (lakes.size === 0) return []
  const streams = await listStructures(db, organisationId, connectors)
  return streams.flatMap(({ connectorId, sourceName, structure }) => {
    const namespace = lakes.get(connectorId)
    if (namespace === undefined) return []
    return structure.map((table) => ({
      model: toModel(connectorId, table),
      connectorId,
      stream: sourceName,
      namespace,
    }))
  })
}

/** The namespaces of connectors that are not deleted, by their ids. */
async function listLakes(db: Db, organisationId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('connector')
    .select('connector.id')
    .select(
      sql<string | null>`(SELECT property.value #>> '{}' FROM connectorProperty AS property
        WHERE property.organisationId = connector.organisationId AND property.connectorId = connector.id
          AND property.name = 'target.schema')`.as('namespace'),
    )
    .where('connector.organisationId', '=', organisationId)
    .where('connector.status', '<>', 'DELETED')
    .where(isTablesOnly)
    .execute()
  return new Map(rows.map(({ id, namespace }) => [id, namespace ?? '']))
}

function toModel(connectorId: string, { name, description, columns }: StoredTable): TableModel {
  return {
    schema: `${prefix}${connectorId}`,
    name,
    kind: 'table',
    description,
    columns: columns.map(({ name: column, type, isNullable, description: words }) => ({
      name: column,
      kind: logicalType(type)?.kind ?? 'other',
      sqlType: type,
      nullable: isNullable,
      description: words,
    })),
    key: columns.filter(({ isKey }) => isKey).map((column) => column.name),
    relations: [],
  }
}

/** With the words and the relations of the dictionary, which knows the tables of a lake without a schema. */
export function describeLakeTable({ model, connectorId, stream }: LakeTable, dictionary: TableDictionary): TableModel {
  const { schema } = model
  const described = describeModel({ ...model, schema: '' }, { kind: 'connector', connectorId, stream }, dictionary)
  return { ...described, schema, relations: described.relations.map((relation) => ({ ...relation, schema })) }
}
