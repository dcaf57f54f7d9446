/** Queries of one connector's additional settings, made when it is opened. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

export const connectorLicences = (connectorId: string) =>
  queryOptions({
    queryKey: ['licences', connectorId],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/connectors/:connectorId/licences', { params: { connectorId }, signal }),
  })

export const connectorAlerts = (clientId: string, connectorId: string) =>
  queryOptions({
    queryKey: ['alerts', connectorId],
    queryFn: ({ signal }) =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/alerts', {
        params: { clientId, connectorId },
        signal,
      }),
  })

export const sharedOrganisations = (connectorId: string) =>
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
