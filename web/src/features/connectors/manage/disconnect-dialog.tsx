/**
 * Disconnects one or all connectors of a type, or deletes one. Each dialog says what stops, and is confirmed by
 * typing.
 */
import type { Connector } from '@tributary/contract/connectors'
import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../../api/call.ts'
import { useConnectorType } from '../../../domain/connectors/use-connector-type.ts'
import { connectorList, ownTypes } from '../../../api/queries/common-queries.ts'
import { useOrganisationId } from '../../../api/session/workspace.ts'
import { useMutation } from '../../../api/use-mutation.ts'
import { announceToScreenReader } from '../../../ui/feedback/toasts.tsx'
import css from '../connectors.module.css'
import { MutationDialog } from '../../../domain/requests/mutation-dialog.tsx'
import { describeSchedule } from '../../../domain/schedules/schedule.ts'

const maxNames = 8
const disconnectConsequences =
  'Schedules stop and credentials are erased. Loaded rows and history stay; reconnecting asks for the credentials.'
const signOffConsequences =
  'Schedules stop and the authorisation is revoked. Loaded rows and history stay; reconnecting means signing in again.'
const deleteConsequences =
  'Its schedule stops and its credentials are erased. The rows it has loaded and its history stay.'

type DisconnectMode = 'disconnect' | 'delete'

export function DisconnectDialog({
  how,
  connector,
  onClose,
}: {
  how: DisconnectMode
  connector: Connector
  onClose: () => void
}) {
  const { Id: connectorId, Key: connectorKey, Client, Name } = connector
  const clientId = useOrganisationId()
  const verb = how === 'delete' ? 'Delete' : 'Disconnect'
  async function disconnectOrDelete() {
    if (how === 'delete')
      await call('DELETE /tributary/clients/:clientId/connectors/:connectorId', { params: { clientId, connectorId } })
    else await call('DELETE /clients/:clientKey/:connectorKey', { params: { clientKey: Client.Key, connectorKey } })
    return [connectorId]
  }
  return (
    <ConfirmDisconnect
      title={`${verb} ${Name}?`}
      answer={Name}
      confirm={verb}
      prompt={`Type the name to confirm: ${Name}`}
      mode={how}
      disconnect={disconnectOrDelete}
      onClose={onClose}
    >
      {how === 'delete' ? <p>{deleteConsequences}</p> : <DisconnectConsequences />}
    </ConfirmDisconnect>
  )
}

/** Disconnects all connectors of a type in one transaction. `connectors` are the active ones. */
export function DisconnectAllDialog({
  type,
  connectors,
  onClose,
}: {
  type: string
  connectors: readonly Connector[]
  onClose: () => void
}) {
  const clientId = useOrganisationId()
  const answer = String(connectors.length)
  async function disconnectAll() {
    const ended = await call('DELETE /tributary/clients/:clientId/connectors', {
      params: { clientId },
      query: { type },
    })
    return ended.map(({ Id }) => Id)
  }
  return (
    <ConfirmDisconnect
      title="Disconnect all?"
      answer={answer}
      confirm="Disconnect all"
      prompt={`Type the number of connectors to confirm: ${answer}`}
      mode="disconnect"
      disconnect={disconnectAll}
      onClose={onClose}
    >
      <DisconnectConsequences />
      <ul className={css.names} aria-label="What will stop">
        {connectors.slice(0, maxNames).map(({ Id, Name, Schedule, TimeZone }) => (
          <li key={Id}>
            {Name} <span className="subtle">{describeSchedule(Schedule, TimeZone)}</span>
          </li>
        ))}
        {connectors.length > maxNames ? <li>{`and ${connectors.length - maxNames} more`}</li> : null}
      </ul>
    </ConfirmDisconnect>
  )
}

function DisconnectConsequences() {
  return <p>{useConnectorType().type?.RequiresAuthorisation === true ? signOffConsequences : disconnectConsequences}</p>
}

interface ConfirmDisconnectProps {
  readonly title: string
  /** The text to type, exactly. */
  readonly answer: string
  readonly prompt: string
  readonly confirm: string
  readonly mode: DisconnectMode
  /** Resolves with the ids of the connectors that were disconnected or deleted. */
  readonly disconnect: () => Promise<readonly string[]>
  readonly onClose: () => void
  readonly children: ReactNode
}

function ConfirmDisconnect({ answer, prompt, confirm, mode, disconnect, children, ...dialog }: ConfirmDisconnectProps) {
  const [typed, setTyped] = useState('')
  const matches = typed.trim() === answer
  const disconnection = useDisconnect(mode, disconnect, dialog.onClose)
  return (
    <MutationDialog
      {...dialog}
      mutation={disconnection}
      onSubmit={() => matches && disconnection.mutate()}
      submitLabel={confirm}
      isSubmitDisabled={!matches}
      isDanger
    >
      {children}
      <TextInput
        label={prompt}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </MutationDialog>
  )
}

function useDisconnect(mode: DisconnectMode, disconnect: () => Promise<readonly string[]>, onDisconnected: () => void) {
  const clientId = useOrganisationId()
  const queryClient = useQueryClient()
  const listKey = connectorList(clientId).queryKey
  const status = mode === 'delete' ? 'DELETED' : 'DISCONNECTED'
  return useMutation({
    mutationFn: async () => new Set(await disconnect()),
    onSuccess: (ended) => {
      const all = queryClient.getQueryData(listKey) ?? []
      // Optimistic update; the next poll confirms it.
      queryClient.setQueryData(
        listKey,
        all.map((each) => (ended.has(each.Id) ? { ...each, Status: status } : each)),
      )
      const name = all.find(({ Id }) => ended.has(Id))?.Name ?? 'The connector'
      announceToScreenReader(
        ended.size === 1
          ? `${name} is ${status.toLowerCase()}.`
          : `${ended.size} connectors are ${status.toLowerCase()}.`,
      )
      onDisconnected()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ownTypes(clientId).queryKey }),
  })
}
