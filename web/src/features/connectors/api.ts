/** What is asked for when one connector is opened. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

export const licencesOf = (connectorId: string) =>
  queryOptions({
    queryKey: ['licences', connectorId],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/connectors/:connectorId/licences', { params: { connectorId }, signal }),
  })

export const alertsOf = (clientId: string, connectorId: string) =>
  queryOptions({
    queryKey: ['alerts', connectorId],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/alerts', {
        params: { clientId, connectorId },
        signal,
      }),
  })

export const sharedWith = (connectorId: string) =>
  queryOptions({
    queryKey: ['shared-with', connectorId],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/connectors/:connectorId/organisations', { params: { connectorId }, signal }),
  })

export const schedulePreview = (clientId: string, cron: string) =>
  queryOptions({
    queryKey: ['schedule', clientId, cron],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/schedule', { params: { clientId }, query: { cron }, signal }),
    retry: false,
  })
