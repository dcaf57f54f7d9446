import type { DictionaryTable } from '@tributary/contract/dictionary'
import { keepPreviousData } from '@tanstack/react-query'
import { callQuery } from '../../api/call-query.ts'

const key = (organisationId: string) => ['dictionary', organisationId]

export function tableList(organisationId: string, search: string) {
  return {
    ...callQuery([...key(organisationId), 'list', search], 'GET /tributary/clients/:clientId/dictionary', {
      params: { clientId: organisationId },
      query: search === '' ? {} : { search },
    }),
    placeholderData: keepPreviousData,
  }
}

/** A table by its connector and its name in the target. */
export interface TableKey {
  readonly connectorId: string
  readonly table: string
}

export function describedTable(organisationId: string, { connectorId, table }: TableKey) {
  return callQuery(
    [...key(organisationId), 'table', connectorId, table],
    'GET /tributary/clients/:clientId/connectors/:connectorId/dictionary',
    { params: { clientId: organisationId, connectorId }, query: { table } },
  )
}

/** Apart from the descriptions, which change when someone writes words. */
export function tableExamples(organisationId: string, { ConnectorId, Schema, Name }: DictionaryTable) {
  return {
    ...callQuery(
      ['dictionary examples', organisationId, ConnectorId, Schema, Name],
      'GET /tributary/clients/:clientId/data/tables/:schema/:table/examples',
      { params: { clientId: organisationId, schema: Schema, table: Name }, query: { connector: ConnectorId } },
    ),
    // A target without schemas is no warehouse.
    enabled: Schema !== '',
  }
}

export function dictionaryKey(organisationId: string): readonly string[] {
  return key(organisationId)
}
