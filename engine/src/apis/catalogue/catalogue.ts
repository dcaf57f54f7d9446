/** The sources that are described by the YAML files of this folder. */
import { readFileSync } from 'node:fs'
import type { Source } from '../../ports/source.ts'
import { parseDescription } from '../described/description/parse.ts'
import { describedSource } from '../described/source.ts'

const files = ['stripe.yaml'] as const

export const describedSources: readonly Source[] = files.map((file) => {
  const { description, problems } = parseDescription(readFileSync(new URL(file, import.meta.url), 'utf8'))
  if (description !== null) return describedSource(description)
  const lines = problems.map(({ line, column, message }) => `${file}:${line}:${column} ${message}`)
  throw new Error(`A description of the catalogue does not fit.\n${lines.join('\n')}`)
})
