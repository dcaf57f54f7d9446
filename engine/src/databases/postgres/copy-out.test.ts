import type pg from 'pg'
import { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeDatabase } from '@tributary/testing/engine/databases/postgres.ts'
import { copyOut } from './copy-out.ts'

async function textOf(copying: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of copying) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const message = (kind: string, body: string): Buffer => {
  const header = Buffer.alloc(5)
  header.write(kind)
  header.writeInt32BE(4 + Buffer.byteLength(body), 1)
  return Buffer.concat([header, Buffer.from(body)])
}

/** A driver over a stream that the test feeds; what it is given to parse is kept. */
function driverOver(stream: Duplex, parsed: Buffer[]): pg.Client {
  let copy: { handleReadyForQuery(): void } | undefined
  stream.on('data', (bytes: Buffer) => {
    parsed.push(bytes)
    if (Buffer.concat(parsed).includes('ready')) copy?.handleReadyForQuery()
  })
  const query = (submitted: pg.Submittable): pg.Submittable => {
    copy = submitted as unknown as { handleReadyForQuery(): void }
    submitted.submit({ stream, query: () => {} } as unknown as pg.Connection)
    return submitted
  }
  return { query } as unknown as pg.Client
}

test('wherever the bytes of the server are cut, every row comes whole and every other message goes to the driver', async () => {
  const rows = ['1\tone\n', '', '2\ttwo\n', `3\t${'x'.repeat(30)}\n`]
  const others = [
    message('H', 'copy'),
    message('N', 'a notice'),
    message('c', ''),
    message('C', 'COPY 4'),
    message('Z', 'ready'),
  ]
  const sent = Buffer.concat([
    ...others.slice(0, 1),
    ...rows.slice(0, 2).map((row) => message('d', row)),
    ...others.slice(1, 2),
    ...rows.slice(2).map((row) => message('d', row)),
    ...others.slice(2),
  ])
  for (let cut = 0; cut <= sent.length; cut++) {
    const stream = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() })
    const parsed: Buffer[] = []
    const copied = textOf(copyOut(driverOver(stream, parsed), 'COPY'))
    for (const piece of [sent.subarray(0, cut), sent.subarray(cut)]) {
      if (piece.length > 0) stream.push(Buffer.from(piece))
      await turn()
    }
    expect([cut, await copied]).toEqual([cut, rows.join('')])
    expect([cut, Buffer.concat(parsed).toString()]).toEqual([cut, Buffer.concat(others).toString()])
  }
})

test('rows of any size come between notices, and the session goes on afterwards', async () => {
  const client = await makeDatabase()
  const told: string[] = []
  client.on('notice', ({ message: text }) => told.push(text ?? ''))
  await client.query(`CREATE FUNCTION telling(n integer) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
    IF n % 100 = 0 THEN RAISE NOTICE 'at %', n; END IF; RETURN repeat('x', n * 40); END $$`)
  const copied = await textOf(copyOut(client, `COPY (SELECT n, telling(n) FROM generate_series(0, 2000) n) TO STDOUT`))
  expect(copied).toBe(Array.from({ length: 2_001 }, (_, n) => `${n}\t${'x'.repeat(n * 40)}\n`).join(''))
  expect(told).toHaveLength(21)
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await client.end()
})

test('an error of the server in the middle is thrown after the rows before it, and the session goes on', async () => {
  const client = await makeDatabase()
  const chunks: Buffer[] = []
  const copying = (async () => {
    for await (const chunk of copyOut(
      client,
      'COPY (SELECT 1 / (n - 50000) FROM generate_series(1, 90000) n) TO STDOUT',
    ))
      chunks.push(chunk)
  })()
  await expect(copying).rejects.toThrow('division by zero')
  expect(Buffer.concat(chunks).length).toBeGreaterThan(1_000)
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await expect(textOf(copyOut(client, 'COPY nowhere TO STDOUT'))).rejects.toThrow('nowhere')
  expect((await client.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }])
  await client.end()
})

test('a connection that breaks in the middle ends the copy with an error', async () => {
  const client = await makeDatabase()
  client.on('error', () => {})
  const copying = copyOut(client, `COPY (SELECT repeat('x', 1000) FROM generate_series(1, 1000000)) TO STDOUT`)
  expect((await copying.next()).done).toBe(false)
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  stream.destroy()
  await expect(textOf(copying)).rejects.toThrow('Connection terminated')
})
