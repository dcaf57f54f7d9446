/** Writes the generated tables into the documents: `node tools/documents/write-tables.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listTracked } from '../language/sources.ts'
import { namesOfTables, withGeneratedTables } from './generated-tables.ts'

for (const page of listTracked('docs/*.md')) {
  const path = join(import.meta.dirname, '../..', page)
  const text = readFileSync(path, 'utf8')
  if (namesOfTables(text).length > 0) writeFileSync(path, withGeneratedTables(text))
}
