/** A proxy in front of a database that lists the statements of all connections, as the protocols of PostgreSQL and MySQL carry them. */
import { type DatabaseProxy, openProxy } from './counting-proxy.ts'
import type { EndKind } from '../engine/databases/database-ends.ts'

export interface StatementProxy extends DatabaseProxy {
  /** In order, each as often as it was executed. */
  readonly statements: readonly string[]
}

export async function openStatementProxy(kind: EndKind, port: number): Promise<StatementProxy> {
  const statements: string[] = []
  const add = (statement: string): void => void statements.push(statement)
  const proxy = await openProxy(port, () => ({ sent: kind === 'postgres' ? readPostgres(add) : readMysql(add) }))
  return { ...proxy, statements }
}

/** Returns a reader of chunks, which passes on each complete message. @param lengthOf the length of the first message; null if it is not known yet */
function splitMessages(lengthOf: (bytes: Buffer) => number | null, take: (message: Buffer) => void) {
  let rest = Buffer.alloc(0)
  return (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk])
    for (let length = lengthOf(rest); length !== null && rest.length >= length; length = lengthOf(rest)) {
      take(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
  }
}

/** After the first message each one has its type and its length. */
function readPostgres(add: (statement: string) => void) {
  let isStarted = false
  const prepared = new Map<string, string>()
  let bound = ''
  return splitMessages(
    (bytes) => {
      if (!isStarted) return bytes.length < 4 ? null : bytes.readInt32BE(0)
      return bytes.length < 5 ? null : 1 + bytes.readInt32BE(1)
    },
    (message) => {
      if (!isStarted) return void (isStarted = true)
      const type = String.fromCharCode(message[0] ?? 0)
      const [first = '', second = ''] = type === 'd' ? [] : message.toString('utf8', 5).split('\0')
      if (type === 'Q') add(first)
      if (type === 'P') prepared.set(first, second)
      if (type === 'B') bound = prepared.get(second) ?? ''
      if (type === 'E') add(bound)
    },
  )
}

const [query, prepare] = [3, 22]

/** Each packet has its length and its number; a command has the number 0. */
function readMysql(add: (statement: string) => void) {
  return splitMessages(
    (bytes) => (bytes.length < 4 ? null : 4 + bytes.readUIntLE(0, 3)),
    (packet) => {
      if (packet[3] === 0 && [query, prepare].includes(packet[4] ?? 0)) add(packet.toString('utf8', 5))
    },
  )
}
