/** The moment that a parameter of a call names. */
import type { MomentParameter } from '../../described/description/schema-parts.ts'
import type * as z from 'zod'

type MomentRule = z.infer<typeof MomentParameter>

/** In milliseconds since 1970; null if the call has no such parameter. */
export function momentOf({ parameter, format, template = '{moment}' }: MomentRule, url: URL): number | null {
  const written = url.searchParams.get(parameter)
  if (written === null) return null
  const [before = '', behind = ''] = template.split('{moment}')
  const text = written.slice(before.length, written.length - behind.length)
  switch (format) {
    case 'unixSeconds':
      return Number(text) * 1_000
    case 'unixMilliseconds':
      return Number(text)
    case 'isoWithoutZone':
      return Date.parse(`${text}Z`)
    default:
      return Date.parse(text)
  }
}
