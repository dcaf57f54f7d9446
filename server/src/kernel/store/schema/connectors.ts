/** The tables around connectors: licences, sharing, streams, changes of the source, incidents and messages about them. */
import type { Generated } from 'kysely'
import type { JsonWithDefault, TimeOrNull, TimeWithDefault } from './column-types.ts'

interface ConnectorLicenceTable {
  organisationId: string
  connectorId: string
  licence: string
}

interface ConnectorShareTable {
  organisationId: string
  connectorId: string
  guestId: string
}

interface ConnectorStreamTable {
  organisationId: string
  connectorId: string
  name: string
  tableName: string
  licence: string
  reads: 'since' | 'whole'
  why: string | null
  /** `RenamedColumn`s. */
  renamed: JsonWithDefault
  rows: number | null
  freshAt: TimeOrNull
  runId: string | null
  fault: string | null
}

interface SchemaChangeTable {
  id: Generated<string>
  organisationId: string
  connectorId: string
  runId: string | null
  stream: string
  tableName: string
  columnName: string | null
  before: string | null
  after: string
  status: 'APPLIED' | 'PENDING' | 'ACCEPTED' | 'REJECTED'
  foundAt: TimeWithDefault
  decidedAt: TimeOrNull
  decidedBy: string | null
}

interface IncidentTable {
  id: Generated<string>
  organisationId: string
  connectorId: string
  runId: string | null
  kind: string
  notice: string
  openedAt: TimeWithDefault
  closedAt: TimeOrNull
}

interface WebhookDeliveryTable {
  id: Generated<string>
  organisationId: string
  incidentId: string
  event: 'opened' | 'recovered'
  body: string
  attempts: Generated<number>
  dueAt: TimeOrNull
  deliveredAt: TimeOrNull
  failedAt: TimeOrNull
  notice: string | null
  createdAt: TimeWithDefault
}

export interface ConnectorsSchema {
  connectorLicence: ConnectorLicenceTable
  connectorShare: ConnectorShareTable
  connectorStream: ConnectorStreamTable
  schemaChange: SchemaChangeTable
  incident: IncidentTable
  webhookDelivery: WebhookDeliveryTable
}
