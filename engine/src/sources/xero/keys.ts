/** The complete keys of a list, for finding what has vanished from it without a word. */
import { encodeRow } from '../../copy-text.ts'
import type { Batch } from '../../model.ts'
import type { XeroApi } from './api.ts'
import { readPage } from './pages.ts'
import type { XeroStream } from './tables/declare.ts'

export async function* readKeys(api: XeroApi, stream: XeroStream): AsyncGenerator<Batch> {
  if (stream.kind !== 'changing' || stream.vanishes !== true) throw new Error(`The keys of ${stream.name} are not compared.`)
  const { table, fields } = stream.shape
  const keys = table.key.flatMap((name) => fields.filter(({ column }) => column.name === name))
  const { rows } = await readPage(api, stream, { number: 1 })
  const lines = rows.map((row) => encodeRow(keys.map(({ read }) => read({ document: row, node: row, section: '', number: 0, ordinal: 1 }))))
  yield { table: table.name, bytes: Buffer.from(lines.join(''), 'utf8'), rows: lines.length }
}
