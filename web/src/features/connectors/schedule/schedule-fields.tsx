/** When a connector runs by itself: picked, not written, with the next five times on the organisation's clock. */
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { searchDebounceMs } from '@tributary/contract/limits'
import { useEffect, useId, useState } from 'react'
import { messageOf } from '@tributary/client/call-error'
import { useWorkspace } from '../../../api/session/workspace.ts'
import { ChoiceField } from '../../../ui/forms/choice-fields.tsx'
import { TextField } from '../../../ui/forms/text-fields.tsx'
import type { BoundText, Form } from '../../../ui/forms/form.ts'
import { schedulePreview } from '../api.ts'
import css from '../connectors.module.css'
import {
  cronOf,
  firstOf,
  hourSteps,
  minuteSteps,
  readCron,
  type Schedule,
  type ScheduleKind,
  scheduleWords,
  weekDays,
} from './schedule.ts'

const kinds: readonly { readonly value: ScheduleKind; readonly label: string }[] = [
  { value: 'hand', label: 'By hand only' },
  { value: 'minutes', label: 'Every few minutes' },
  { value: 'hours', label: 'Every few hours' },
  { value: 'daily', label: 'Every day at' },
  { value: 'weekly', label: 'On days of the week' },
  { value: 'custom', label: 'Another schedule (cron)' },
]

export function ScheduleFields({ form, mayEdit }: { form: Form; mayEdit: boolean }) {
  const id = useId()
  const cron = form.text('schedule')
  return (
    <section className={css.section} aria-labelledby={id}>
      <h3 className={css.heading} id={id}>
        Schedule
      </h3>
      {mayEdit ? (
        <Picker cron={cron} />
      ) : (
        <p>{scheduleWords(cron.value)}. Ask the provider to change when it runs by itself.</p>
      )}
      {cron.value.trim() === '' ? null : <NextRuns cron={cron.value.trim()} />}
    </section>
  )
}

function Picker({ cron }: { cron: BoundText }) {
  // What is being written may for a moment read like one of the picker's own.
  const [isCustom, setCustom] = useState(readCron(cron.value).kind === 'custom')
  const schedule: Schedule = isCustom ? { kind: 'custom', cron: cron.value } : readCron(cron.value)
  const choose = (next: Schedule) => cron.onChange(cronOf(next))

  function chooseKind(value: string) {
    const kind = kinds.find((each) => each.value === value)?.value ?? 'hand'
    setCustom(kind === 'custom')
    // A custom one begins with what was picked before.
    if (kind !== 'custom') choose(firstOf[kind])
  }
  return (
    <>
      <ChoiceField field={plain('schedule-kind', schedule.kind, chooseKind)} label="Runs" choices={kinds} />
      {schedule.kind === 'minutes' ? (
        <ChoiceField
          field={plain('schedule-minutes', String(schedule.every), (value) =>
            choose({ ...schedule, every: Number(value) }),
          )}
          label="Every"
          choices={minuteSteps.map((step) => ({ value: String(step), label: `${step} minutes` }))}
        />
      ) : null}
      {schedule.kind === 'hours' ? <Hours schedule={schedule} onChoose={choose} /> : null}
      {schedule.kind === 'weekly' ? <Days schedule={schedule} onChoose={choose} /> : null}
      {schedule.kind === 'daily' || schedule.kind === 'weekly' ? (
        <TextField
          field={plain('schedule-time', schedule.time, (time) => time !== '' && choose({ ...schedule, time }))}
          type="time"
          label="At"
        />
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

function Hours({
  schedule,
  onChoose,
}: {
  schedule: Extract<Schedule, { kind: 'hours' }>
  onChoose: (next: Schedule) => void
}) {
  const minutes = Array.from({ length: 60 }, (_, minute) => ({
    value: String(minute),
    label: minute === 0 ? 'on the hour' : `${minute} past`,
  }))
  return (
    <div className={css.pair}>
      <ChoiceField
        field={plain('schedule-hours', String(schedule.every), (value) =>
          onChoose({ ...schedule, every: Number(value) }),
        )}
        label="Every"
        choices={hourSteps.map((step) => ({ value: String(step), label: step === 1 ? 'hour' : `${step} hours` }))}
      />
      <ChoiceField
        field={plain('schedule-minute', String(schedule.minute), (value) =>
          onChoose({ ...schedule, minute: Number(value) }),
        )}
        label="Minutes"
        choices={minutes}
      />
    </div>
  )
}

function Days({
  schedule,
  onChoose,
}: {
  schedule: Extract<Schedule, { kind: 'weekly' }>
  onChoose: (next: Schedule) => void
}) {
  const { days } = schedule
  function toggle(day: number) {
    const next = days.includes(day) ? days.filter((each) => each !== day) : [...days, day]
    // On no day at all would be 'By hand only', which is a choice of its own.
    if (next.length > 0) onChoose({ ...schedule, days: next })
  }
  return (
    <fieldset className={css.days}>
      <legend>Days</legend>
      {weekDays.map(({ day, name }) => (
        <Checkbox key={day} size="md" label={name} checked={days.includes(day)} onChange={() => toggle(day)} />
      ))}
    </fieldset>
  )
}

/** Asked of the server, which knows the organisation's clock and when it jumps. */
function NextRuns({ cron }: { cron: string }) {
  const { organisation } = useWorkspace()
  const settled = useSettled(cron)
  const isWhole = settled.split(/\s+/).length === 5
  const { data, error } = useQuery({
    ...schedulePreview(organisation.Id, settled),
    enabled: isWhole,
    placeholderData: (former) => former,
  })
  if (!isWhole) return <p className="small subtle">Five fields make a schedule.</p>
  if (error !== null) return <p className={css.wrong}>{messageOf(error)}</p>
  return (
    <div className={css.next} aria-live="polite">
      <p className="small muted">{`${scheduleWords(settled)}, ${data === undefined ? 'on the clock of the organisation' : `time zone ${data.TimeZone}`}. The next runs:`}</p>
      <ol className={css.times} aria-label="The next runs">
        {data === undefined
          ? null
          : data.Next.map((at) => (
              <li key={at}>
                <time dateTime={at}>{wallTime(at, data.TimeZone)}</time>
              </li>
            ))}
      </ol>
    </div>
  )
}

function useSettled(cron: string): string {
  const [settled, setSettled] = useState(cron)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(cron), searchDebounceMs)
    return () => clearTimeout(timer)
  }, [cron])
  return settled
}

function wallTime(at: string, timeZone: string): string {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat('en-GB', { ...parts, timeZone }).format(new Date(at))
}

function plain(name: string, value: string, onChange: (value: string) => void): BoundText {
  return { name, value, error: null, onBlur: () => undefined, onChange }
}
