/** A date, typed or chosen from a calendar, in the format and with the first day of the week of the person's locale. */
import '@mantine/dates/styles.layer.css'
import { DateInput, type DateInputProps } from '@mantine/dates'
import { firstDayOfWeek, formatDay } from '../formats.ts'
import { parseTypedDate } from './typed-dates.ts'

export interface DateFieldProps {
  label: string
  description?: string | undefined
  /** `YYYY-MM-DD`, or empty. */
  value: string
  /** The first day that can be chosen. */
  min?: string
  /** The last one. */
  max?: string
  onChange: (value: string) => void
}

export function DateField({ label, description, value, min, max, onChange }: DateFieldProps) {
  return (
    <DateInput
      label={label}
      description={description}
      placeholder={formatDay(example, 'field')}
      value={value === '' ? null : value}
      onChange={(date) => onChange(date ?? '')}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      valueFormat={(date) => formatDay(date, 'field')}
      dateParser={parseTypedDate}
      {...(min !== undefined && { minDate: min })}
      {...(max !== undefined && { maxDate: max })}
      {...calendarProps()}
    />
  )
}

const example = '2026-11-20'

/** Functions instead of the library's locales, which would have to be loaded one by one. */
function calendarProps(): Partial<DateInputProps> {
  return {
    firstDayOfWeek: firstDayOfWeek() as 0 | 1 | 2 | 3 | 4 | 5 | 6,
    weekdayFormat: (date) => formatDay(date, 'weekdayName'),
    monthLabelFormat: (date) => `${formatDay(date, 'longMonthName')} ${date.slice(0, 4)}`,
    monthsListFormat: (date) => formatDay(date, 'monthName'),
    ariaLabels: {
      previousMonth: 'Previous month',
      nextMonth: 'Next month',
      previousYear: 'Previous year',
      nextYear: 'Next year',
      previousDecade: 'Previous decade',
      nextDecade: 'Next decade',
      monthLevelControl: 'Choose a month',
      yearLevelControl: 'Choose a year',
    },
    getDayAriaLabel: (date) => formatDay(date, 'longDate'),
  }
}
