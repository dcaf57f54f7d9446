/** The sources that are described by the YAML files of this folder. */
import { readFileSync } from 'node:fs'
import type { Source } from '../../ports/source.ts'
import { requireDescription } from '../described/description/parse.ts'
import { describedSource } from '../described/source.ts'

const files = ['e-conomic.yaml', 'exact-online.yaml', 'quickbooks.yaml', 'stripe.yaml'] as const

const services = ['business-central.yaml'] as const

export const describedSources: readonly Source[] = [
  ...files.map((file) => describedSource(requireDescription(textOf(file), 'rest'))),
  ...services.map((file) => describedSource(requireDescription(textOf(file), 'odata'))),
]

function textOf(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
}
