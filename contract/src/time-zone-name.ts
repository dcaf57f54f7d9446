/** How portal, emails and messages name a time zone. Free of zod, because browsers import it. */

const universal: ReadonlySet<string> = new Set([
  'UTC',
  'GMT',
  'Etc/UTC',
  'Etc/GMT',
  'Etc/UCT',
  'Etc/Zulu',
  'UCT',
  'Zulu',
])

/** Names a zone of the IANA database for readers: 'Auckland time' for `Pacific/Auckland`, 'UTC' for `Etc/UTC`. */
export function formatTimeZone(timeZone: string): string {
  if (universal.has(timeZone)) return 'UTC'
  const city = timeZone.split('/').at(-1) ?? timeZone
  return timeZone.includes('/') && !timeZone.startsWith('Etc/') ? `${city.replaceAll('_', ' ')} time` : timeZone
}
