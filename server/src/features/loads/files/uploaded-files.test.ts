/** Uploading a file over HTTP: what is stored, for whom, and that nothing else remains. */
import type { AddressInfo } from 'node:net'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { fileMaxBytes } from '@tributary/contract/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { workbookOf, writeLargeWorkbook } from '@tributary/testing/server/excel/raw-workbook.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const csv = Buffer.from('Entity,Amount,Day\nNorth,1234.50,2026-01-31\nSouth,-7,2026-02-28\n')

test('[ENG-5] a file is described sheet by sheet with its first rows, and stored as rows', async () => {
  const { status, body } = await drop('user', 'Budget 2026.csv', csv)
  expect(status).toBe(201)
  const firstRows = [
    ['Entity', 'Amount', 'Day'],
    ['North', { n: '1234.50' }, { d: '2026-01-31' }],
    ['South', { n: '-7' }, { d: '2026-02-28' }],
  ]
  expect(body).toEqual({
    Id: expect.any(String) as unknown,
    Name: 'Budget 2026.csv',
    Sheets: [
      { Name: 'CSV', Rows: 3, Columns: 3, FirstRows: firstRows, Notice: null, IsHidden: false, DateQuestion: null },
    ],
  })
  expect(await keptRows((body as { Id: string }).Id)).toEqual(firstRows)
})

test('[ENG-5] an unreadable file is refused with the reason, and nothing of it is stored', async () => {
  const before = await keptFiles()
  const rows =
    '<row r="1"><c t="str"><v>Entity</v></c></row><row r="1500"><c><v>1</v></c></row><row r="1501"><c r="B1501"><v>x</v></c></row>'
  const { status, body } = await drop('user', 'Budget.xlsx', workbookOf({ rows }))
  expect(status).toBe(422)
  expect(body).toMatchObject({
    code: 'fileUnreadable',
    message: 'B1501 must be a number. Enter it again and save the file.',
  })
  expect(await keptFiles()).toEqual(before)
})

test('[ENG-5] a file that is too large is refused before it is read, and a request without a file is refused', async () => {
  expect(await drop('user', 'Budget.csv', Buffer.alloc(fileMaxBytes + 1, 'a'))).toMatchObject({
    status: 413,
    body: { code: 'tooLarge', message: 'The request is larger than 20 MiB. Send less at once.' },
  })
  expect(await drop('user', 'Budget.csv', Buffer.alloc(0))).toMatchObject({
    status: 422,
    body: { code: 'fileUnreadable' },
  })
  expect(await drop('user', 'Budget.csv', Buffer.from('{}'), { type: 'application/json' })).toMatchObject({
    status: 400,
    body: { code: 'malformed' },
  })
})

test('[ENG-5] guests, users of other organisations and unauthenticated clients cannot upload files', async () => {
  expect(await drop('guest', 'a.csv', csv)).toMatchObject({ status: 403 })
  expect(await drop('otherAdmin', 'a.csv', csv, { orgId: app.harbour.id })).toMatchObject({ status: 404 })
  expect(await drop('visitor', 'a.csv', csv)).toMatchObject({ status: 401 })
})

test('[ENG-5] over a real connection, a client that disconnects midway or sends too much leaves nothing behind', async () => {
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as AddressInfo
  const session = await app.as.user.session()
  const headers = { 'content-type': 'application/octet-stream', authorization: `Bearer ${session?.accessToken ?? ''}` }
  const send = (body: Buffer | ReadableStream) =>
    fetch(`http://127.0.0.1:${port}/api/loads/files?name=a.csv`, { method: 'POST', headers, body, duplex: 'half' })

  const lines = app.logLines.length
  await expect(send(ReadableStream.from(breaksOff()))).rejects.toThrow(/fetch failed/u)
  expect((await send(Buffer.alloc(fileMaxBytes + 1_000_000, 'a'))).status).toBe(413)
  const read = await send(ReadableStream.from([csv.subarray(0, 20), csv.subarray(20)]))
  expect([read.status, await read.json()]).toMatchObject([201, { Sheets: [{ Rows: 3 }] }])
  expect(app.logLines.slice(lines).join('\n')).not.toMatch(/"level":"error"|call failed/u)
})

async function* breaksOff(): AsyncIterable<Buffer> {
  yield csv
  await setImmediate()
  throw new Error('The line went dead.')
}

test('[ENG-5] the latest five files of a user are kept', async () => {
  for (let file = 0; file < 7; file++) expect((await drop('admin', `${file}.csv`, csv)).status).toBe(201)
  expect((await keptFiles()).filter((name) => /^\d\.csv$/u.test(name)).toSorted()).toEqual([
    '2.csv',
    '3.csv',
    '4.csv',
    '5.csv',
    '6.csv',
  ])
})

test('[ENG-5] nothing of a file remains on the disk or in the log', async () => {
  await drop('user', 'secret-of-mine.csv', Buffer.from('never,logged\nsecret-of-mine,1\n'))
  await drop('user', 'secret-of-mine.csv', Buffer.from('never,"logged\nsecret-of-mine,1\n'))
  expect((await readdir(tmpdir())).filter((name) => /^tributary-[0-9a-f-]{36}$/u.test(name))).toEqual([])
  expect(app.logLines.join('\n')).not.toMatch(/never|secret-of-mine/u)
})

test('[ENG-5] a sheet of 50,000 rows and 50 columns is read completely, with less than 400 MB of memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-large-'))
  const path = join(folder, 'large.xlsx')
  await writeLargeWorkbook(path, 50_000, 50)
  const bytes = await readFile(path)
  await rm(folder, { recursive: true })
  const reading = drop('user', 'large.xlsx', bytes)
  const peakMb = await peakOfReaders(reading)
  expect(await reading).toMatchObject({ status: 201, body: { Sheets: [{ Rows: 50_001, Columns: 50 }] } })
  expect(peakMb).toBeGreaterThan(50)
  expect(peakMb).toBeLessThan(400)
}, 180_000)

type FileUser = keyof TestApp['as']

async function drop(
  speaker: FileUser,
  name: string,
  payload: Buffer,
  { type = 'application/octet-stream', orgId }: { type?: string; orgId?: string } = {},
) {
  const session = await app.as[speaker].session()
  const response = await app.http.inject({
    method: 'POST',
    url: '/api/loads/files',
    query: { name, ...(orgId !== undefined && { orgId }) },
    headers: {
      host: 'localhost:3000',
      'content-type': type,
      ...(session !== null && { authorization: `Bearer ${session.accessToken}` }),
    },
    payload,
  })
  return { status: response.statusCode, body: response.json<unknown>() }
}

async function keptRows(fileId: string): Promise<unknown[]> {
  const chunks = await app.store.within(app.harbour.id, (db) =>
    db.selectFrom('loadFileChunk').select('rows').where('fileId', '=', fileId).orderBy('number').execute(),
  )
  return chunks.flatMap(({ rows }) => rows as unknown[])
}

async function keptFiles(): Promise<string[]> {
  const files = await app.store.within(app.harbour.id, (db) => db.selectFrom('loadFile').select('name').execute())
  return files.map(({ name }) => name)
}

/** The peak memory of all processes that read a file meanwhile, as Linux counts it. */
async function peakOfReaders(reading: Promise<unknown>): Promise<number> {
  let peakMb = 0
  const watch = new AbortController()
  void reading.finally(() => watch.abort())
  while (!watch.signal.aborted) {
    peakMb = Math.max(peakMb, ...(await Promise.all((await children()).map(peakOf))))
    // The counter is a high-water mark, so that rare samples are enough.
    await setTimeout(100)
  }
  return peakMb
}

async function children(): Promise<string[]> {
  return (await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8'))
    .split(' ')
    .filter((id) => id !== '')
}

async function peakOf(pid: string): Promise<number> {
  // The process may have ended by now.
  const [command, status] = await Promise.all(
    ['cmdline', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  )
  return command?.includes('sheet-process.ts') === true
    ? Number(/VmHWM:\s+(\d+)/u.exec(status ?? '')?.[1] ?? 0) / 1_024
    : 0
}
