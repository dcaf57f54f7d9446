/** A time of the day, written as the person's locale writes it. */
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { formatTimeOfDay } from '../formats.ts'
import { parseTypedTime } from './typed-dates.ts'

interface TimeFieldProps {
  label: string
  /** `HH:MM`. */
  value: string
  onChange: (value: string) => void
}

/** Native fields write times by the language of the browser, whatever the person has chosen. */
export function TimeField({ label, value, onChange }: TimeFieldProps) {
  /** Null while the field shows the value. */
  const [typed, setTyped] = useState<string | null>(null)
  const parsed = typed === null ? value : parseTypedTime(typed)

  function change(text: string) {
    setTyped(text)
    const time = parseTypedTime(text)
    if (time !== null) onChange(time)
  }
  return (
    <TextInput
      label={label}
      value={typed ?? formatTimeOfDay(value)}
      error={parsed === null ? `Enter a time, such as ${formatTimeOfDay('06:30')}.` : null}
      autoComplete="off"
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => parsed !== null && setTyped(null)}
    />
  )
}
