import { useState } from 'react'
import { ChoiceField, TextField } from '../../ui/fields.tsx'
import type { Form } from '../../ui/form.ts'
import { Facts } from '../../ui/panel.tsx'
import css from './connectors.module.css'
import { presets } from './schedule.ts'

const custom = 'custom'

/** For superadmins: when it runs by itself, and the key by which programs address it. */
export function ScheduleFields({ form, connectorKey }: { form: Form; connectorKey: string | null }) {
  const schedule = form.text('schedule')
  const [isCustom, setCustom] = useState(!presets.some(({ value }) => value === schedule.value))
  const choice = {
    ...schedule,
    name: 'schedule-choice',
    value: isCustom ? custom : schedule.value,
    error: null,
    onChange: (next: string) => {
      setCustom(next === custom)
      if (next !== custom) schedule.onChange(next)
    },
  }
  return (
    <section className={css.section} aria-labelledby="schedule-heading">
      <h3 className={css.heading} id="schedule-heading">
        Schedule
      </h3>
      <ChoiceField field={choice} label="Runs" choices={[...presets, { value: custom, label: 'Another schedule' }]} />
      {isCustom ? (
        <TextField
          field={schedule}
          label="Cron expression"
          placeholder="0 6 * * 1-5"
          help="Minute, hour, day of month, month, day of week, in the organisation’s time zone."
        />
      ) : null}
      {connectorKey === null ? null : <Facts facts={[{ label: 'Key', value: connectorKey, isCode: true }]} />}
    </section>
  )
}
