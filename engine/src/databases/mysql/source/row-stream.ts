/** Streams the rows of a query from the wire into COPY text. */
import type { Query } from 'mysql2'
import { RowQueue } from '../../sql-source/row-queue.ts'
import type { MysqlConnection } from '../connection.ts'
import type { EncodedRows, RowEncoder } from './row-encoder.ts'

/** Large enough to keep the pipe busy. */
const chunkBytes = 256 * 1024
const chunksAhead = 4

/**
 * mysql2 passes every packet of a result to the state of its query. Replacing the state that reads rows yields the raw bytes, where the
 * driver would create a string or a buffer for each value. Checked against mysql2 3.24.
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
  const queue = new RowQueue<EncodedRows>({
    ahead: chunksAhead,
    pause: () => driver.pause(),
    resume: () => driver.resume(),
  })
  const query = driver.query(sql) as unknown as WireQuery
  const readEnd = query.row.bind(query)
  query.row = function readRow(packet) {
    if (packet.isEOF()) return readEnd(packet)
    encoder.append(packet.buffer, packet.offset)
    if (encoder.size >= chunkBytes) queue.push(encoder.take())
    return query.row
  }
  const fail = (error: unknown): void => queue.end(faultOf(error))
  query.on('error', fail)
  query.on('end', () => queue.end())
  // A broken connection is reported by the connection, not by the query that reads.
  driver.on('error', fail)
  try {
    yield* queue.drain()
  } finally {
    driver.off('error', fail)
  }
  if (encoder.size > 0) yield encoder.take()
}
