/** Streams the rows of a query in small groups, and stops the server where nobody takes them. */
import { Request } from 'tedious'
import type { SqlConnection, SqlRow } from '../connection.ts'

const groupRows = 500
const groupsAhead = 8

export async function* streamRows({ driver, faultOf }: SqlConnection, sql: string): AsyncGenerator<readonly SqlRow[]> {
  const ready: SqlRow[][] = []
  let group: SqlRow[] = []
  const end: { failure?: Error | null | undefined; isReached: boolean } = { isReached: false }
  let wake = (): void => {}

  const request = new Request(sql, (error) => {
    end.failure = error
    end.isReached = true
    if (group.length > 0) ready.push(group)
    wake()
  })
  request.on('row', (columns: readonly { readonly value: unknown }[]) => {
    group.push(columns.map((column) => column.value))
    if (group.length < groupRows) return
    ready.push(group)
    group = []
    if (ready.length >= groupsAhead) request.pause()
    wake()
  })
  driver.execSqlBatch(request)

  while (!end.isReached || ready.length > 0) {
    const taken = ready.shift()
    if (taken === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      continue
    }
    if (ready.length < groupsAhead / 2) request.resume()
    yield taken
  }
  if (end.failure) throw faultOf(end.failure)
}
