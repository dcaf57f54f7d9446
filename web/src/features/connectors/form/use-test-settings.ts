/** Trying what the form holds before it is saved: whether it connects, and which tables it finds. */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { ConnectorInput } from '@tributary/contract/connector-input'
import type { Connector } from '@tributary/contract/connectors'
import { call } from '../../../api/call.ts'
import { CallError } from '@tributary/client/call-error'
import { useMutation } from '../../../api/use-mutation.ts'
import { useWorkspace } from '../../../api/session/workspace.ts'
import type { Form } from '../../../ui/forms/form.ts'

type Inputs = ConnectorInput['properties']

export function useTrySettings(type: ConnectorType, connector: Connector | null, form: Form) {
  const params = { clientId: useWorkspace().organisation.Id }
  // The mask of a secret stands for what is stored with that connector.
  const bodyOf = (properties: Inputs) => ({
    type: type.Type,
    properties,
    ...(connector !== null && { connectorId: connector.Id }),
  })
  const onError = (error: Error) => error instanceof CallError && form.fail(error.fields)

  const check = useMutation({
    mutationFn: (properties: Inputs) =>
      call('POST /tributary/clients/:clientId/connectors/check', { params, body: bodyOf(properties) }),
    onError,
  })
  const discover = useMutation({
    mutationFn: (properties: Inputs) =>
      call('POST /tributary/clients/:clientId/connectors/discover', { params, body: bodyOf(properties) }),
    onError,
  })
  return { check, discover }
}
