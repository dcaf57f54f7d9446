/** Uniconta as a source: all of it is in its description. */
import { readFileSync } from 'node:fs'
import { requireDescription } from '../described/description/parse.ts'
import { describedSource } from '../described/source.ts'

export const unicontaDescription = requireDescription(
  readFileSync(new URL('uniconta.yaml', import.meta.url), 'utf8'),
  'odata',
)

export const unicontaSource = describedSource(unicontaDescription)
