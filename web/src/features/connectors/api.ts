/** Queries of one connector's additional settings, made when it is opened. */
import { callQuery } from '../../api/call-query.ts'

export const connectorLicences = (connectorId: string) =>
  callQuery(['licences', connectorId], 'GET /tributary/clients/connectors/:connectorId/licences', {
    params: { connectorId },
  })

export const connectorAlerts = (clientId: string, connectorId: string) =>
  callQuery(['alerts', connectorId], 'GET /tributary/clients/:clientId/connectors/:connectorId/alerts', {
    params: { clientId, connectorId },
  })

export const sharedOrganisations = (connectorId: string) =>
  callQuery(['shared-with', connectorId], 'GET /tributary/clients/connectors/:connectorId/organisations', {
    params: { connectorId },
  })

export const schedulePreview = (clientId: string, cron: string) => ({
  ...callQuery(['schedule', clientId, cron], 'GET /tributary/clients/:clientId/schedule', {
    params: { clientId },
    query: { cron },
  }),
  retry: false,
})
