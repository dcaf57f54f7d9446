/** Time, days and age of a wish. */
import { Checkbox, NativeSelect } from '@mantine/core'
import { readyByLimits } from '@tributary/contract/limits'
import type { ReadyByWish } from '@tributary/contract/ready-by'
import { TimeField } from '../../ui/forms/time-field.tsx'
import { listWeekdays } from '../schedules/schedule.ts'
import { describeHours, isoDayOf } from './ready-by-words.ts'
import css from './ready-by.module.css'

export const usualWish: ReadyByWish = { Time: '07:30', Days: [1, 2, 3, 4, 5], MaxAgeHours: 4 }

interface WishFieldsProps {
  readonly wish: ReadyByWish
  readonly onChange: (wish: ReadyByWish) => void
}

const ages = [1, 2, 3, 4, 6, 8, 12, readyByLimits.maxAgeHoursMax]

export function WishFields({ wish, onChange }: WishFieldsProps) {
  const { Time, Days, MaxAgeHours } = wish
  function toggle(day: number) {
    const next = Days.includes(day) ? Days.filter((each) => each !== day) : [...Days, day]
    // No day at all would be no wish, which is a separate choice.
    if (next.length > 0) onChange({ ...wish, Days: next.toSorted((one, other) => one - other) })
  }
  return (
    <>
      <TimeField label="Ready by" value={Time} onChange={(time) => onChange({ ...wish, Time: time })} />
      <fieldset className={css.days}>
        <legend>Days</legend>
        {listWeekdays().map(({ day, name }) => (
          <Checkbox
            key={day}
            size="md"
            label={name}
            checked={Days.includes(isoDayOf(day))}
            onChange={() => toggle(isoDayOf(day))}
          />
        ))}
      </fieldset>
      <NativeSelect
        label="With rows of at most"
        description="A run that begins earlier does not count. More hours leave more room to plan."
        value={String(MaxAgeHours)}
        onChange={(event) => onChange({ ...wish, MaxAgeHours: Number(event.currentTarget.value) })}
        data={(ages.includes(MaxAgeHours) ? ages : [...ages, MaxAgeHours]).map((hours) => ({
          value: String(hours),
          label: describeHours(hours),
        }))}
      />
    </>
  )
}

export function isSameWish(one: ReadyByWish | null, other: ReadyByWish | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** As the call takes it. */
export function toWishInput({ Time, Days, MaxAgeHours }: ReadyByWish) {
  return { time: Time, days: Days, maxAgeHours: MaxAgeHours }
}
