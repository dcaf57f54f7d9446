/** Filters of the audit log: by person, thing, action, outcome and day. */
import type { AuditLogEvent } from '@tributary/contract/audit-log'
import { Button, NativeSelect } from '@mantine/core'
import { IconX } from '@tabler/icons-react/visitor-icons'
import { useQuery } from '@tanstack/react-query'
import { memberList } from '../../api/queries/common-queries.ts'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import { fullName } from '../../domain/users/user-names.ts'
import { LazyDateField } from '../../ui/forms/lazy-date-field.tsx'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import css from './audit-log.module.css'
import { thingTypes } from '../../domain/audit-log/sentences/things.ts'
import { actionGroups } from '../../domain/audit-log/sentences/wording.ts'
import { useSetAuditLogFilter } from './use-audit-log-filter.ts'

const outcomeChoices = [
  { value: '', label: 'All' },
  { value: 'success', label: 'Done' },
  { value: 'refused', label: 'Refused' },
  { value: 'failure', label: 'Failed' },
]
const scopeChoices = [
  { value: '', label: 'This organisation' },
  { value: 'true', label: 'The provider' },
]
const thingChoices = [
  { value: '', label: 'Everything' },
  ...thingTypes.map(({ type, label }) => ({ value: type, label })),
]
const actionChoices = [{ value: '', label: 'All actions' }, ...actionGroups]

interface AuditLogFiltersProps {
  /** The events on the page, which name the chosen person and thing. */
  events: readonly AuditLogEvent[] | undefined
}

export function AuditLogFilters({ events = [] }: AuditLogFiltersProps) {
  const params = useUrlParams()
  const setFilter = useSetAuditLogFilter()
  const may = useMay()
  const people = usePeopleChoices(events)
  const fieldProps = (name: string) => ({
    value: params.get(name) ?? '',
    onChange: (event: { currentTarget: { value: string } }) => setFilter({ [name]: event.currentTarget.value }),
  })
  const dateProps = (name: string) => ({
    value: params.get(name) ?? '',
    onChange: (value: string) => setFilter({ [name]: value }),
  })
  return (
    <div className={css.filters}>
      {may('seeAdminDashboard') ? (
        <NativeSelect label="Events of" data={scopeChoices} {...fieldProps('ofProvider')} />
      ) : null}
      <NativeSelect label="Person" data={people} {...fieldProps('actor')} />
      <NativeSelect
        label="About"
        data={thingChoices}
        value={params.get('about') ?? ''}
        onChange={(event) => setFilter({ about: event.currentTarget.value, thing: '' })}
      />
      <NativeSelect label="Action" data={actionChoices} {...fieldProps('action')} />
      <NativeSelect label="Outcome" data={outcomeChoices} {...fieldProps('outcome')} />
      <LazyDateField label="From" {...dateProps('from')} />
      <LazyDateField label="To" {...dateProps('to')} />
      <ChosenThing events={events} />
    </div>
  )
}

/** The members, and the chosen person if they are no longer one. */
function usePeopleChoices(events: readonly AuditLogEvent[]) {
  const members = useQuery(memberList(useOrganisationId())).data ?? []
  const chosen = useUrlParams().get('actor') ?? ''
  const choices = [
    { value: '', label: 'Everyone' },
    ...members.map((member) => ({ value: member.Id, label: fullName(member) })),
    { value: 'system', label: 'Tributary itself' },
    { value: 'operator', label: 'The operator' },
  ]
  if (choices.some(({ value }) => value === chosen)) return choices
  const name = events.find(({ ActorId }) => ActorId === chosen)?.Actor ?? 'Another person'
  return [...choices, { value: chosen, label: name }]
}

/** Shown if the log is limited to one thing, which the record of an event offers. */
function ChosenThing({ events }: { events: readonly AuditLogEvent[] }) {
  const chosen = useUrlParams().get('thing')
  const setFilter = useSetAuditLogFilter()
  if (chosen === null) return null
  const name = events.find(({ ObjectId }) => ObjectId === chosen)?.ObjectName ?? 'one thing'
  return (
    <Button
      variant="default"
      className={css.chosen}
      rightSection={<IconX size={14} />}
      aria-label={`Stop showing only ${name}`}
      onClick={() => setFilter({ thing: '', about: '' })}
    >
      {`Only ${name}`}
    </Button>
  )
}
