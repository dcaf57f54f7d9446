/** Queries of auditor rooms. */
import { callQuery } from '../../api/call-query.ts'

export const roomList = (clientId: string) =>
  callQuery(['auditor-rooms', clientId], 'GET /tributary/clients/:clientId/auditor-rooms', { params: { clientId } })

export const roomLooks = (clientId: string, roomId: string) =>
  callQuery(
    ['auditor-rooms', clientId, roomId, 'looks'],
    'GET /tributary/clients/:clientId/auditor-rooms/:roomId/looks',
    { params: { clientId, roomId } },
  )

/** The sources of the organisation, each with its marks that are not superseded. */
export const currentMarks = (clientId: string) =>
  callQuery(['auditor-rooms', clientId, 'marks'], 'GET /tributary/clients/:clientId/trust', { params: { clientId } })

export const ownRoom = (clientId: string) =>
  callQuery(['auditor-room', clientId], 'GET /tributary/clients/:clientId/auditor-room', { params: { clientId } })

export const coveredEvents = (clientId: string) =>
  callQuery(['auditor-room', clientId, 'events'], 'GET /tributary/clients/:clientId/auditor-room/events', {
    params: { clientId },
  })

export const coveredCertificates = (clientId: string) =>
  callQuery(['auditor-room', clientId, 'certificates'], 'GET /tributary/clients/:clientId/certificates', {
    params: { clientId },
    query: {},
  })

export const coveredTables = (clientId: string) =>
  callQuery(['auditor-room', clientId, 'tables'], 'GET /tributary/clients/:clientId/data/tables', {
    params: { clientId },
  })

export const coveredVerification = (clientId: string, connectorId: string) =>
  callQuery(
    ['auditor-room', clientId, 'verification', connectorId],
    'GET /tributary/clients/:clientId/connectors/:connectorId/verification',
    { params: { clientId, connectorId } },
  )

export const coveredChanges = (clientId: string, connectorId: string) =>
  callQuery(
    ['auditor-room', clientId, 'closed-periods', connectorId],
    'GET /tributary/clients/:clientId/connectors/:connectorId/closed-periods/changes',
    { params: { clientId, connectorId }, query: {} },
  )

export const coveredMarks = (clientId: string, connectorId: string) =>
  callQuery(
    ['auditor-room', clientId, 'marks', connectorId],
    'GET /tributary/clients/:clientId/connectors/:connectorId/report-marks',
    { params: { clientId, connectorId } },
  )

export const coveredTieOut = (clientId: string, connectorId: string) =>
  callQuery(
    ['auditor-room', clientId, 'tie-out', connectorId],
    'GET /tributary/clients/:clientId/connectors/:connectorId/tie-out',
    { params: { clientId, connectorId } },
  )
