/** Tests unsaved settings: checks the connection and lists the tables. */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { ConnectorInput } from '@tributary/contract/connector-input'
import type { Connector } from '@tributary/contract/connectors'
import { call } from '../../../api/call.ts'
import { CallError } from '@tributary/client/call-error'
import { useMutation } from '../../../api/use-mutation.ts'
import { useOrganisationId } from '../../../api/session/workspace.ts'
import type { FormState } from '../../../ui/forms/use-form.ts'

type TestedInputs = ConnectorInput['properties']

export function useTestSettings(type: ConnectorType, connector: Connector | null, form: FormState) {
  const params = { clientId: useOrganisationId() }
  // The server replaces a masked secret by the one stored for this connector.
  const toBody = (properties: TestedInputs) => ({
    type: type.Type,
    properties,
    ...(connector !== null && { connectorId: connector.Id }),
  })
  const onError = (error: Error) => error instanceof CallError && form.showErrors(error.fields)

  const check = useMutation({
    mutationFn: (properties: TestedInputs) =>
      call('POST /tributary/clients/:clientId/connectors/check', { params, body: toBody(properties) }),
    onError,
  })
  const discover = useMutation({
    mutationFn: (properties: TestedInputs) =>
      call('POST /tributary/clients/:clientId/connectors/discover', { params, body: toBody(properties) }),
    onError,
  })
  return { check, discover }
}
