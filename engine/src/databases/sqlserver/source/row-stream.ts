/** Streams the rows of a query in small groups, and pauses the server while the reader is busy. */
import { Request } from 'tedious'
import { RowQueue } from '../../sql-source/row-queue.ts'
import type { SqlConnection, SqlRow } from '../connection.ts'

const groupRows = 500
const groupsAhead = 8

export async function* streamRows({ driver, faultOf }: SqlConnection, sql: string): AsyncGenerator<readonly SqlRow[]> {
  let group: SqlRow[] = []
  const request = new Request(sql, (error) => {
    if (group.length > 0) queue.push(group)
    queue.end(error ? faultOf(error) : undefined)
  })
  const queue = new RowQueue<readonly SqlRow[]>({
    ahead: groupsAhead,
    pause: () => request.pause(),
    resume: () => request.resume(),
  })
  request.on('row', (columns: readonly { readonly value: unknown }[]) => {
    group.push(columns.map((column) => column.value))
    if (group.length < groupRows) return
    queue.push(group)
    group = []
  })
  driver.execSqlBatch(request)
  yield* queue.drain()
}
