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

export function dictionaryKey(organisationId: string): readonly string[] {
  return key(organisationId)
}
