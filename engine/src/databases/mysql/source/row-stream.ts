/** Streams the rows of a query, straight from the wire into COPY text. */
import type { Query } from 'mysql2'
import type { MysqlConnection } from '../connection.ts'
import type { EncodedRows, RowEncoder } from './row-encoder.ts'

/** As large as keeps the pipe busy; beyond a few the source waits. */
const chunkBytes = 256 * 1024
const chunksAhead = 4

/**
 * mysql2 hands every packet of a result to its query's state. Standing in for the state that reads rows gives
 * the bytes as they came, where its own way makes a string or a buffer of each value. Checked against mysql2 3.24.
 */
interface WireQuery extends Query {
  row(packet: WirePacket): unknown
}
interface WirePacket {
  readonly buffer: Buffer
  /** Where the values begin. */
  readonly offset: number
  isEOF(): boolean
}

export async function* streamRows(
  { driver, faultOf }: MysqlConnection,
  sql: string,
  encoder: RowEncoder,
): AsyncGenerator<EncodedRows> {
  const ready: EncodedRows[] = []
  const end: { failure?: unknown; isReached: boolean } = { isReached: false }
  let wake = () => {}

  const query = driver.query(sql) as unknown as WireQuery
  const readEnd = query.row.bind(query)
  query.row = function readRow(packet) {
    if (packet.isEOF()) return readEnd(packet)
    encoder.append(packet.buffer, packet.offset)
    if (encoder.size >= chunkBytes) {
      ready.push(encoder.take())
      if (ready.length >= chunksAhead) driver.pause()
      wake()
    }
    return query.row
  }
  const finish = (error?: unknown) => {
    end.failure ??= error
    end.isReached = true
    wake()
  }
  query.on('error', finish)
  query.on('end', () => finish())
  // A connection that breaks tells itself, and not the query that reads.
  driver.on('error', finish)

  try {
    while (!end.isReached || ready.length > 0) {
      const chunk = ready.shift()
      if (chunk === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      if (ready.length < chunksAhead / 2) driver.resume()
      yield chunk
    }
  } finally {
    driver.off('error', finish)
  }
  if (end.failure !== undefined) throw faultOf(end.failure)
  if (encoder.size > 0) yield encoder.take()
}
