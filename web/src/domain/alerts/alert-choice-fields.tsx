/** The fields of every alert channel: which incidents, of which connectors, and how often. */
import { Checkbox, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AlertFrequency, AlertKind } from '@tributary/contract/alert-channels'
import { formatTimeZone } from '@tributary/contract/time-zone-name'
import { useMemo } from 'react'
import { connectorList } from '../../api/queries/common-queries.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { CheckboxList } from '../link-editor/checkbox-list.tsx'
import type { AlertOwner } from './alert-queries.ts'
import { formatHour, kindChoices } from './alert-words.ts'
import css from './alerts.module.css'
import type { AlertDraft } from './use-alert-draft.ts'
import { currentTimeZone } from '../../ui/formats.ts'

interface AlertChoiceFieldsProps {
  readonly owner: AlertOwner
  readonly draft: AlertDraft
  readonly onChange: (draft: AlertDraft) => void
  /** The zone of the hour, if the channel is saved. */
  readonly timeZone: string | null
  /** What must be ticked first. */
  readonly missing: string | null
}

const someChoices = { all: null, some: [] } as const
const kindScopes = [
  { value: 'all', label: 'All kinds' },
  { value: 'some', label: 'Only those ticked' },
] as const
const connectorScopes = {
  organisation: [
    { value: 'all', label: 'All connectors, also future ones' },
    { value: 'some', label: 'Only those ticked' },
  ],
  person: [
    { value: 'all', label: 'All connectors that you may see, also future ones' },
    { value: 'some', label: 'Only those ticked' },
  ],
} as const
const frequencies = [
  { value: 'immediately', label: 'At once', help: 'One message when something happens, and one when it is over.' },
  { value: 'daily', label: 'Once a day', help: 'One message with all that has happened. None if nothing has.' },
  { value: 'never', label: 'Not at all' },
] as const satisfies readonly { value: AlertFrequency; label: string; help?: string }[]

export function AlertChoiceFields({ owner, draft, onChange, timeZone, missing }: AlertChoiceFieldsProps) {
  const { kinds, connectors, frequency } = draft
  const change = (part: Partial<AlertDraft>) => onChange({ ...draft, ...part })
  return (
    <>
      <RadioGroup
        label="How often"
        choices={frequencies}
        value={frequency}
        onChange={(value) => change({ frequency: value })}
      />
      {frequency === 'daily' ? (
        <HourField owner={owner} hour={draft.hour} timeZone={timeZone} onChange={(hour) => change({ hour })} />
      ) : null}
      {frequency === 'never' ? null : (
        <>
          <div className={css.group}>
            <RadioGroup
              label="Which alerts"
              choices={kindScopes}
              value={kinds === null ? 'all' : 'some'}
              onChange={(value) => change({ kinds: someChoices[value] })}
            />
            {kinds === null ? null : <KindChecks kinds={kinds} onChange={(next) => change({ kinds: next })} />}
          </div>
          <div className={css.group}>
            <RadioGroup
              label="Which connectors"
              choices={connectorScopes[owner]}
              value={connectors === null ? 'all' : 'some'}
              onChange={(value) => change({ connectors: someChoices[value] })}
            />
            {connectors === null ? null : (
              <ConnectorChecks connectors={connectors} onChange={(next) => change({ connectors: next })} />
            )}
          </div>
        </>
      )}
      {missing === null ? null : (
        <Callout tone="error" isAlert>
          {missing}
        </Callout>
      )}
    </>
  )
}

const listHours = () => Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: formatHour(hour) }))

interface HourFieldProps {
  readonly owner: AlertOwner
  readonly hour: number
  readonly timeZone: string | null
  readonly onChange: (hour: number) => void
}

function HourField({ owner, hour, timeZone, onChange }: HourFieldProps) {
  const { organisation } = useWorkspace()
  const zone = timeZone ?? (owner === 'organisation' ? organisation.TimeZone : currentTimeZone())
  const whose = owner === 'organisation' ? 'the time zone of the organisation' : 'your time zone'
  return (
    <NativeSelect
      className={css.hour ?? ''}
      label="Hour"
      description={`In ${whose}: ${formatTimeZone(zone)}.`}
      data={listHours()}
      value={String(hour)}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
  )
}

interface KindChecksProps {
  readonly kinds: readonly AlertKind[]
  readonly onChange: (kinds: readonly AlertKind[]) => void
}

function KindChecks({ kinds, onChange }: KindChecksProps) {
  const toggle = (id: AlertKind) => onChange([...new Set(kinds).symmetricDifference(new Set([id]))])
  return (
    <ul className={css.checks} aria-label="Kinds of alerts">
      {kindChoices.map(({ id, label, detail }) => (
        <li key={id}>
          <Checkbox
            size="md"
            label={label}
            description={detail}
            checked={kinds.includes(id)}
            onChange={() => toggle(id)}
          />
        </li>
      ))}
    </ul>
  )
}

interface ConnectorChecksProps {
  readonly connectors: readonly string[]
  readonly onChange: (connectors: readonly string[]) => void
}

function ConnectorChecks({ connectors, onChange }: ConnectorChecksProps) {
  const { organisation } = useWorkspace()
  const { data = [] } = useQuery(connectorList(organisation.Id))
  const items = useMemo(
    () => data.filter(({ SharedBy }) => SharedBy === null).map(({ Id, Name }) => ({ id: Id, name: Name })),
    [data],
  )
  return (
    <CheckboxList
      what="connectors"
      items={items}
      picked={new Set(connectors)}
      onPick={(picked) => onChange([...picked])}
    />
  )
}
