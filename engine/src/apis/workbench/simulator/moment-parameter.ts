/** The moment that a parameter of a call names. */
import type { MomentParameter } from '../../described/description/schema-parts.ts'
import type * as z from 'zod'

type MomentRule = z.infer<typeof MomentParameter>

/** In milliseconds since 1970; null if the call names none. Other text can be around it, such as another bound. */
export function momentOf({ parameter, format, template = '{moment}' }: MomentRule, url: URL): number | null {
  const written = url.searchParams.get(parameter)
  const [before = '', behind = ''] = template.split('{moment}')
  const from = written?.indexOf(before) ?? -1
  if (written === null || from === -1) return null
  const rest = written.slice(from + before.length)
  const to = behind === '' ? rest.length : rest.indexOf(behind)
  const moment = parseMoment(rest.slice(0, to === -1 ? rest.length : to), format)
  return Number.isNaN(moment) ? null : moment
}

function parseMoment(text: string, format: MomentRule['format']): number {
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
