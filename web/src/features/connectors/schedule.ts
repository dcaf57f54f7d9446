/** Schedules as people say them, and the cron expressions they stand for. */

export const presets: readonly { readonly value: string; readonly label: string }[] = [
  { value: '', label: 'By hand only' },
  { value: '*/15 * * * *', label: 'Every 15 minutes' },
  { value: '0 * * * *', label: 'Every hour' },
  { value: '0 */6 * * *', label: 'Every 6 hours' },
  { value: '0 6 * * *', label: 'Every day at 06:00' },
  { value: '0 6 * * 1-5', label: 'Weekdays at 06:00' },
]

/** What the schedule says in words; the expression itself where it is none of the common ones. */
export function scheduleWords(schedule: string | null): string {
  const cron = schedule?.trim() ?? ''
  const preset = presets.find(({ value }) => value === cron)
  if (preset !== undefined) return preset.label
  const often = /^(?:\*\/(\d{1,2}) \*|\d{1,2} \*\/(\d{1,2})) \* \* \*$/.exec(cron)
  if (often !== null) return often[1] === undefined ? `Every ${often[2]} hours` : `Every ${often[1]} minutes`
  const daily = /^(\d{1,2}) (\d{1,2}) \* \* (\*|1-5)$/.exec(cron)
  if (daily === null) return `Schedule ${cron}`
  const [, minute = '', hour = '', days] = daily
  return `${days === '*' ? 'Every day' : 'Weekdays'} at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
}
