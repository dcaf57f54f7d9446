import type { Alerts } from '@tributary/contract/alerts'
import type { Connector } from '@tributary/contract/connectors'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { memberList } from '../../../api/queries/common-queries.ts'
import { toUserItem } from '../../../domain/users/user-names.ts'
import { useOrganisationId } from '../../../api/session/workspace.ts'
import { useMutation } from '../../../api/use-mutation.ts'
import { Callout } from '../../../ui/feedback/callout.tsx'
import { RadioGroup } from '../../../ui/forms/radio-group.tsx'
import { connectorAlerts } from '../api.ts'
import type { AdditionalSettings, AdditionalSettingsProps } from './additional-settings.ts'
import { CollapsibleSection } from '../../../ui/layout/collapsible-section.tsx'
import { QueryPlaceholder } from '../../../domain/requests/query-placeholder.tsx'
import { CheckboxList } from '../../../domain/link-editor/checkbox-list.tsx'

type AlertChoice = NonNullable<AdditionalSettings['alerts']>

const recipientChoices = [
  { value: 'admins', label: 'The administrators of the organisation' },
  { value: 'some', label: 'Only those chosen' },
] as const

/**
 * Who is notified when the connector needs attention: users by email, another program by a signed webhook message.
 */
export function AlertSettings({ connector, settings, onChange }: AdditionalSettingsProps) {
  const clientId = useOrganisationId()
  const stored = useQuery(connectorAlerts(clientId, connector.Id))
  const { data } = stored
  const chosen = settings.alerts ?? (data === undefined ? null : toAlertChoice(data))
  const change = (alerts: AlertChoice) => onChange({ ...settings, alerts })

  return (
    <CollapsibleSection
      title="Alerts"
      summary={chosen === null ? 'Who is notified when it needs attention' : summariseAlerts(chosen)}
    >
      {data === undefined || chosen === null ? (
        <QueryPlaceholder of={stored} />
      ) : (
        <>
          <p className="small muted">
            One mail when a run fails, stalls or waits for a person, and one when the connector works again. Slack,
            Microsoft Teams and daily digests are under Admin, Alerts, for all connectors.
          </p>
          <Recipients chosen={chosen} onChange={change} />
          <TextInput
            type="url"
            label="Webhook"
            description="An https address that is sent a signed message each time. Leave it empty for none."
            placeholder="https://hooks.example.com/tributary"
            autoComplete="off"
            spellCheck={false}
            value={chosen.url}
            onChange={(event) => change({ ...chosen, url: event.currentTarget.value.trim() })}
          />
          {chosen.url === '' ? null : <WebhookTest connector={connector} isSaved={chosen.url === data.Webhook?.Url} />}
        </>
      )}
    </CollapsibleSection>
  )
}

function Recipients({ chosen, onChange }: { chosen: AlertChoice; onChange: (chosen: AlertChoice) => void }) {
  const { data = [] } = useQuery(memberList(useOrganisationId()))
  return (
    <>
      <RadioGroup
        label="Mails go to"
        choices={recipientChoices}
        value={chosen.users === null ? 'admins' : 'some'}
        onChange={(value) => onChange({ ...chosen, users: value === 'admins' ? null : [] })}
      />
      {chosen.users === null ? null : (
        <CheckboxList
          what="recipients"
          items={data.map(toUserItem)}
          picked={new Set(chosen.users)}
          onPick={(picked) => onChange({ ...chosen, users: [...picked] })}
        />
      )}
    </>
  )
}

/** The server sends the test to the saved address, never to an unsaved one. */
function WebhookTest({ connector, isSaved }: { connector: Connector; isSaved: boolean }) {
  const clientId = useOrganisationId()
  const send = useMutation({
    mutationFn: () =>
      call('POST /tributary/clients/:clientId/connectors/:connectorId/alerts/test', {
        params: { clientId, connectorId: connector.Id },
      }),
  })
  if (!isSaved)
    return <p className="small subtle">Save to get the secret that signs its messages. Then you can send a test.</p>
  return (
    <>
      <div>
        <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
          Send a test message
        </Button>
      </div>
      <div aria-live="polite">
        {send.data === undefined || send.isPending ? null : (
          <Callout tone={send.data.Delivered ? 'ok' : 'error'}>{send.data.Notice}</Callout>
        )}
        {send.error === null ? null : <Callout tone="error">{messageOf(send.error)}</Callout>}
      </div>
    </>
  )
}

function toAlertChoice({ Users, Webhook }: Alerts): AlertChoice {
  return { users: Users, url: Webhook?.Url ?? '' }
}

function summariseAlerts({ users, url }: AlertChoice): string {
  const people = users === null ? 'Administrators' : (['No one', '1 person'][users.length] ?? `${users.length} people`)
  return url === '' ? `${people} by mail` : `${people} by mail, and a webhook`
}
