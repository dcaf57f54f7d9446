/** Writes the generated tables into the documents, and the JSON Schema of source descriptions: `node tools/documents/write-tables.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { descriptionSchema } from '@tributary/engine/apis/described/description/source-description'
import { listTracked } from '../language/sources.ts'
import { namesOfTables, withGeneratedTables } from './generated-tables.ts'

for (const page of listTracked('docs/*.md')) {
  const path = join(import.meta.dirname, '../..', page)
  const text = readFileSync(path, 'utf8')
  if (namesOfTables(text).length > 0) writeFileSync(path, withGeneratedTables(text))
}

const schema = join(import.meta.dirname, '../../docs/extending/source-description.schema.json')
writeFileSync(schema, `${JSON.stringify(descriptionSchema(), null, 2)}\n`)
