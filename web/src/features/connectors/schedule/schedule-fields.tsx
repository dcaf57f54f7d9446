/** Schedule picker, with the next five runs in the organisation's time zone. */
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { searchDebounceMs } from '@tributary/contract/limits'
import { useState } from 'react'
import { messageOf } from '@tributary/client/call-error'
import { SelectField } from '../../../ui/forms/choice-fields.tsx'
import { TextField } from '../../../ui/forms/text-fields.tsx'
import { TimeField } from '../../../ui/forms/time-field.tsx'
import type { BoundTextField, FormState } from '../../../ui/forms/use-form.ts'
import { schedulePreview } from '../api.ts'
import css from '../connectors.module.css'
import { FormSection } from '../form/form-section.tsx'
import { useDebouncedValue } from '@mantine/hooks'
import { useOrganisationId, useWorkspace } from '../../../api/session/workspace.ts'
import {
  formatCron,
  initialSchedules,
  hourSteps,
  minuteSteps,
  parseCron,
  type PickedSchedule,
  type ScheduleKind,
  describeSchedule,
  listWeekdays,
} from '../../../domain/schedules/schedule.ts'
import { currentTimeZone, formatMoment, isOwnTimeZone } from '../../../ui/formats.ts'

const kindChoices: readonly { readonly value: ScheduleKind; readonly label: string }[] = [
  { value: 'hand', label: 'By hand only' },
  { value: 'minutes', label: 'Every few minutes' },
  { value: 'hours', label: 'Every few hours' },
  { value: 'daily', label: 'Every day at' },
  { value: 'weekly', label: 'On days of the week' },
  { value: 'custom', label: 'Another schedule (cron)' },
]

export function ScheduleFields({ form, mayEdit }: { form: FormState; mayEdit: boolean }) {
  const cron = form.bind('schedule')
  const { organisation } = useWorkspace()
  return (
    <FormSection title="Schedule">
      {mayEdit ? (
        <SchedulePicker cron={cron} />
      ) : (
        <p>{describeSchedule(cron.value, organisation.TimeZone)}. Ask the provider to change the schedule.</p>
      )}
      <p className="small subtle">
        To have the rows ready by a time instead, open the connector and choose Ready by. Schedules continue next to it.
      </p>
      {cron.value.trim() === '' ? null : <NextRuns cron={cron.value.trim()} />}
    </FormSection>
  )
}

function SchedulePicker({ cron }: { cron: BoundTextField }) {
  // State, because an expression that is being typed may briefly equal one of the picker's.
  const [isCustom, setCustom] = useState(parseCron(cron.value).kind === 'custom')
  const schedule: PickedSchedule = isCustom ? { kind: 'custom', cron: cron.value } : parseCron(cron.value)
  const choose = (next: PickedSchedule) => cron.onChange(formatCron(next))

  function chooseKind(value: string) {
    const kind = kindChoices.find((each) => each.value === value)?.value ?? 'hand'
    setCustom(kind === 'custom')
    // A custom schedule starts with the previous expression.
    if (kind !== 'custom') choose(initialSchedules[kind])
  }
  return (
    <>
      <SelectField field={plainField('schedule-kind', schedule.kind, chooseKind)} label="Runs" choices={kindChoices} />
      {schedule.kind === 'minutes' ? (
        <SelectField
          field={plainField('schedule-minutes', String(schedule.every), (value) =>
            choose({ ...schedule, every: Number(value) }),
          )}
          label="Every"
          choices={minuteSteps.map((step) => ({ value: String(step), label: `${step} minutes` }))}
        />
      ) : null}
      {schedule.kind === 'hours' ? <HourFields schedule={schedule} onChoose={choose} /> : null}
      {schedule.kind === 'weekly' ? <WeekdayFields schedule={schedule} onChoose={choose} /> : null}
      {schedule.kind === 'daily' || schedule.kind === 'weekly' ? (
        <TimeField label="At" value={schedule.time} onChange={(time) => choose({ ...schedule, time })} />
      ) : null}
      {schedule.kind === 'custom' ? (
        <TextField
          field={cron}
          label="Cron expression"
          placeholder="0 6 * * 1-5"
          help="Minute, hour, day of month, month, day of week."
        />
      ) : null}
    </>
  )
}

function HourFields({
  schedule,
  onChoose,
}: {
  schedule: Extract<PickedSchedule, { kind: 'hours' }>
  onChoose: (next: PickedSchedule) => void
}) {
  const minutes = Array.from({ length: 60 }, (_, minute) => ({
    value: String(minute),
    label: minute === 0 ? 'on the hour' : `${minute} past`,
  }))
  return (
    <div className={css.pair}>
      <SelectField
        field={plainField('schedule-hours', String(schedule.every), (value) =>
          onChoose({ ...schedule, every: Number(value) }),
        )}
        label="Every"
        choices={hourSteps.map((step) => ({ value: String(step), label: step === 1 ? 'hour' : `${step} hours` }))}
      />
      <SelectField
        field={plainField('schedule-minute', String(schedule.minute), (value) =>
          onChoose({ ...schedule, minute: Number(value) }),
        )}
        label="Minutes"
        choices={minutes}
      />
    </div>
  )
}

function WeekdayFields({
  schedule,
  onChoose,
}: {
  schedule: Extract<PickedSchedule, { kind: 'weekly' }>
  onChoose: (next: PickedSchedule) => void
}) {
  const { days } = schedule
  function toggle(day: number) {
    const next = days.includes(day) ? days.filter((each) => each !== day) : [...days, day]
    // No day at all would mean 'By hand only', which is a separate choice.
    if (next.length > 0) onChoose({ ...schedule, days: next })
  }
  return (
    <fieldset className={css.days}>
      <legend>Days</legend>
      {listWeekdays().map(({ day, name }) => (
        <Checkbox key={day} size="md" label={name} checked={days.includes(day)} onChange={() => toggle(day)} />
      ))}
    </fieldset>
  )
}

/**
 * Previews the next runs. The server computes them, because it knows the organisation's time zone and its clock
 * changes.
 */
function NextRuns({ cron }: { cron: string }) {
  const clientId = useOrganisationId()
  const [debouncedCron] = useDebouncedValue(cron, searchDebounceMs)
  const isComplete = debouncedCron.split(/\s+/).length === 5
  const { data, error } = useQuery({
    ...schedulePreview(clientId, debouncedCron),
    enabled: isComplete,
    placeholderData: (former) => former,
  })
  if (!isComplete) return <p className="small subtle">Five fields make a schedule.</p>
  if (error !== null) return <p className={css.wrong}>{messageOf(error)}</p>
  return (
    <div className={css.next} aria-live="polite">
      <p className="small muted">{`${describeSchedule(debouncedCron, currentTimeZone())}, ${data === undefined ? 'on the clock of the organisation' : `time zone ${data.TimeZone}`}. The next runs:`}</p>
      <ol className={css.times} aria-label="The next runs">
        {data === undefined
          ? null
          : data.Next.map((at) => (
              <li key={at}>
                <time dateTime={at}>{formatMoment(at, 'weekdayDateTime', data.TimeZone)}</time>
                {isOwnTimeZone(data.TimeZone) ? null : (
                  <span className="subtle">{`, for you ${formatMoment(at, 'weekdayDateTime')}`}</span>
                )}
              </li>
            ))}
      </ol>
    </div>
  )
}

function plainField(name: string, value: string, onChange: (value: string) => void): BoundTextField {
  return { name, value, error: null, onBlur: () => undefined, onChange }
}
