/** Adds to tables of the warehouse what the dictionary and the ready questions say about them: descriptions and relations. */
import type { Actor } from '../../kernel/http/actor.ts'
import type { Db } from '../../kernel/store/store.ts'
import { plannedColumnDescription, plannedDescription } from '../../planning/tables/planned-descriptions.ts'
import type { PlannedTable } from '../../planning/tables/planned-tables.ts'
import type { RelationOwner } from '../logins/readable-relations.ts'
import { listReadableTables, type ReadableTables } from '../query/readable-tables.ts'
import { keyOf, type TableModel, type TableName, type TableRelation } from '../query/table-model.ts'
import { findQuestion } from '../questions/find-question.ts'
import { findWarehouse } from '../warehouse/queries.ts'
import type { ServerServices } from '../warehouse/servers/server-of.ts'
import { describeOrganisation, type DictionaryTable } from './dictionary.ts'
import { listPlannedNames } from './queries.ts'
import { readOwners } from './table-owners.ts'

interface DescribeRequest {
  readonly organisationId: string
  readonly actor: Pick<Actor, 'userId'>
}

/**
 * The tables in their order.
 *
 * @param models those that the person reads in the warehouse. Throws `warehouseUnreachable`.
 */
export async function describeTables(
  services: ServerServices,
  { organisationId, actor }: DescribeRequest,
  models: readonly TableModel[],
): Promise<readonly TableModel[]> {
  const { names, dictionary } = await services.store.within(organisationId, async (db) => ({
    names: await findWarehouse(db, organisationId),
    dictionary: await readDictionary(
      db,
      organisationId,
      (await listReadableTables(db, organisationId, actor)).connectors,
    ),
  }))
  if (names === undefined) return models
  const owners = await readOwners(services, organisationId, names)
  return models.map((model) => describeModel(model, owners.get(keyOf(model))?.owner, dictionary))
}

export interface TableDictionary {
  /** Tables of connectors, by `dictionaryKey`. */
  readonly moved: ReadonlyMap<string, DictionaryTable>
  /** Names of versions and helper tables by their ids. */
  readonly planned: ReadonlyMap<string, string>
}

export async function readDictionary(
  db: Db,
  organisationId: string,
  connectors: ReadableTables['connectors'],
): Promise<TableDictionary> {
  const tables = await describeOrganisation(db, organisationId, connectors)
  return {
    moved: new Map(tables.map((table) => [dictionaryKey(table.connectorId, table), table])),
    planned: await listPlannedNames(db, organisationId),
  }
}

function dictionaryKey(connectorId: string, { schema, name }: TableName): string {
  return JSON.stringify([connectorId, schema, name])
}

/** An administrator's words come before the dictionary's, and those before the comments in the database. */
export function describeModel(
  model: TableModel,
  owner: RelationOwner | undefined,
  dictionary: TableDictionary,
): TableModel {
  if (owner?.kind === 'version' || owner?.kind === 'helperTable')
    return describePlanned(model, owner.kind, dictionary.planned.get(owner.recordId))
  if (owner?.kind !== 'connector') return describeQuestion(model)
  const entry = dictionary.moved.get(dictionaryKey(owner.connectorId, model))
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

function describePlanned(model: TableModel, kind: PlannedTable['kind'], name: string | undefined): TableModel {
  if (name === undefined) return model
  return {
    ...model,
    description: plannedDescription(kind, name),
    columns: model.columns.map((column) => ({
      ...column,
      description: plannedColumnDescription(kind, column.name),
    })),
  }
}

function describeQuestion(model: TableModel): TableModel {
  const question = findQuestion(model)
  if (question === undefined) return model
  const columns = new Map(question.columns.map((column) => [column.name, column]))
  return {
    ...model,
    description: `${question.title}\n${question.description}`,
    columns: model.columns.map((column) => ({
      ...column,
      description: column.description ?? columns.get(column.name)?.description ?? null,
    })),
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
