/** Saves a connector: its settings, then its additional settings, which have their own calls. */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { ConnectorInput, ConnectorPatch } from '@tributary/contract/connector-input'
import type { Connector } from '@tributary/contract/connectors'
import { approvalNotice } from '../../../domain/connectors/connector-state.ts'
import { call } from '../../../api/call.ts'
import { connectorList, ownTypes } from '../../../api/queries/common-queries.ts'
import { useMay, useOrganisationId } from '../../../api/session/workspace.ts'
import { useMutation } from '../../../api/use-mutation.ts'
import type { AdditionalSettings } from '../additional-settings/additional-settings.ts'
import { useInvalidate } from '../../../api/use-invalidate.ts'
import { connectorAlerts, connectorLicences, sharedOrganisations } from '../api.ts'

export interface ConnectorSettingsInput extends Required<Pick<ConnectorInput, 'name' | 'schemaPolicy' | 'properties'>> {
  /** Empty by hand only. */
  schedule: string
}

export interface SavedConnector {
  readonly connector: Connector
  /** First run of a new or reconnected connector; null if none was started. */
  readonly runId: string | null
  /** Signing secret of a webhook with a new address. The server returns it only once. */
  readonly webhookSecret: string | null
}

interface SaveConnectorOptions {
  readonly type: ConnectorType
  readonly connector: Connector | null
  readonly onSaved: (saved: SavedConnector) => void
}

export function useSaveConnector({ type, connector, onSaved }: SaveConnectorOptions) {
  const clientId = useOrganisationId()
  const mayEditSchedule = useMay()('editSchedule')
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: async ({
      schedule,
      additionalSettings,
      ...entered
    }: ConnectorSettingsInput & { additionalSettings: AdditionalSettings }): Promise<SavedConnector> => {
      const body = mayEditSchedule ? { ...entered, schedule: schedule === '' ? null : schedule } : entered
      const saved =
        connector === null
          ? await call('POST /tributary/clients/:clientId/connectors', {
              params: { clientId },
              body: { type: type.Type, ...body },
            })
          : await patchConnector(clientId, connector, body)
      const webhookSecret = await saveAdditionalSettings(clientId, saved.Id, additionalSettings)
      const startsRun = connector?.Status !== 'CONNECTED' && approvalNotice(saved) === null
      return { connector: saved, webhookSecret, runId: startsRun ? await startFirstRun(clientId, saved.Id) : null }
    },
    onSuccess: onSaved,
    // An earlier call may have succeeded although a later one failed.
    onSettled: () =>
      invalidate(
        connectorList(clientId),
        ownTypes(clientId),
        ...(connector === null ? [] : additionalSettingsQueries(clientId, connector.Id)),
      ),
  })
}

/** Also reconnects a disconnected connector. */
function patchConnector(clientId: string, { Id, Status }: Connector, entered: ConnectorPatch): Promise<Connector> {
  const body: ConnectorPatch = Status === 'CONNECTED' ? entered : { ...entered, status: 'CONNECTED' }
  return call('PATCH /tributary/clients/:clientId/connectors/:connectorId', {
    params: { clientId, connectorId: Id },
    body,
  })
}

async function saveAdditionalSettings(
  clientId: string,
  connectorId: string,
  { licences, alerts, organisations }: AdditionalSettings,
): Promise<string | null> {
  const params = { clientId, connectorId }
  if (licences !== undefined)
    await call('POST /tributary/clients/:clientId/connectors/:connectorId/licences', {
      params,
      body: { licences: [...licences] },
    })
  if (organisations !== undefined)
    await call('POST /tributary/clients/connectors/:connectorId/assign-organisations', {
      params: { connectorId },
      body: { organisations: [...organisations] },
    })
  if (alerts === undefined) return null
  const { Webhook } = await call('PUT /tributary/clients/:clientId/connectors/:connectorId/alerts', {
    params,
    body: {
      users: alerts.users === null ? null : [...alerts.users],
      webhook: alerts.url === '' ? null : { url: alerts.url },
    },
  })
  return Webhook?.Secret ?? null
}

function additionalSettingsQueries(clientId: string, connectorId: string) {
  return [connectorLicences(connectorId), connectorAlerts(clientId, connectorId), sharedOrganisations(connectorId)]
}

/**
 * Returns null if the first run cannot start: the connector is saved nevertheless, and its card shows the reason or
 * offers Refresh.
 */
async function startFirstRun(clientId: string, connectorId: string): Promise<string | null> {
  const started = await call('POST /tributary/clients/:clientId/connectors/:connectorId/process', {
    params: { clientId, connectorId },
    body: {},
  }).catch(() => null)
  return started?.RunId ?? null
}
