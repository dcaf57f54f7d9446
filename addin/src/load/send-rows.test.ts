import type { Cell } from '@tributary/contract/cells'
import { afterEach, expect, test } from 'vitest'
import { endSession, storeSession } from '../api/session.ts'
import { findPlace } from '../host/sheet.ts'
import { fakeServer, fault, signedOut } from '@tributary/testing/addin/fake-server.ts'
import { session } from '@tributary/testing/addin/samples.ts'
import { closeWorkbook, openWorkbook, type SheetInput } from '@tributary/testing/addin/workbook.ts'
import { chunksOf, nothingSent, type Sent, sendRows } from './send-rows.ts'

afterEach(() => {
  closeWorkbook()
  endSession()
})

const fiftyThousand: SheetInput = {
  rows: Array.from({ length: 5_000 }, (_, row) => Array.from({ length: 10 }, (_, at) => row + at / 10)),
}

/** Keeps chunks by their numbers, as the server does, whatever happens to the answer. */
function server(answer: (number: number, attempt: number) => Response | undefined = () => undefined) {
  const chunks = new Map<number, Cell[][]>()
  const attempts = new Map<number, number>()
  const calls = fakeServer({
    'PUT /loads/:loadId/chunks/:number': ({ path, body }) => {
      const number = Number(path.split('/').at(-1))
      const attempt = (attempts.get(number) ?? 0) + 1
      attempts.set(number, attempt)
      chunks.set(number, (body as { rows: Cell[][] }).rows)
      return answer(number, attempt) ?? { Rows: [...chunks.values()].flat().length }
    },
    'POST /auth/refresh': signedOut,
  })
  return { calls, rows: () => [...chunks].toSorted(([a], [b]) => a - b).flatMap(([, rows]) => rows) }
}

/** Waits for nothing and notes how long it should have. */
function patience(then: (waits: readonly number[]) => void = () => undefined) {
  const waits: number[] = []
  const wait = async (ms: number, signal: AbortSignal) => {
    waits.push(ms)
    then(waits)
    signal.throwIfAborted()
  }
  return { waits, wait }
}

async function sending(from: Sent = nothingSent) {
  const progress: Sent[] = []
  const place = await findPlace('sheet')
  const { signal } = new AbortController()
  return {
    progress,
    options: { place, loadId: 'load-1', from, signal, onProgress: (sent: Sent) => void progress.push(sent) },
  }
}

test('[ENG-5] fifty thousand cells go in chunks of a thousand rows, one round trip to Excel for each, and the pane answers between them', async () => {
  const workbook = openWorkbook(fiftyThousand)
  const { rows } = server()
  const { waits, wait } = patience()
  const { progress, options } = await sending()
  const before = workbook.syncs
  await sendRows({ ...options, wait })
  expect(workbook.reads).toEqual([1_000, 1_000, 1_000, 1_000, 1_000])
  expect(workbook.syncs - before).toBe(5)
  expect(waits).toEqual([0, 0, 0, 0, 0])
  expect(progress.map((sent) => sent.rows)).toEqual([1_000, 2_000, 3_000, 4_000, 5_000])
  expect(rows()).toEqual(fiftyThousand.rows.map((row) => row.map((value) => ({ n: String(value) }))))
})

test('[ENG-5] a chunk whose answer was lost is sent again under its number, and no row arrives twice', async () => {
  openWorkbook(fiftyThousand)
  const { calls, rows } = server((number, attempt) => {
    if (number === 2 && attempt < 3) throw new TypeError('Failed to fetch')
    return undefined
  })
  const { waits, wait } = patience()
  await sendRows({ ...(await sending()).options, wait })
  expect(calls.map(({ path }) => path.split('/').at(-1))).toEqual(['1', '2', '2', '2', '3', '4', '5'])
  expect(waits.filter((ms) => ms > 0)).toEqual([1_000, 3_000])
  expect(rows()).toHaveLength(5_000)
})

test('a server that says when to come back is asked then', async () => {
  openWorkbook({ rows: [[1], [2]] })
  server((_, attempt) =>
    attempt === 1 ? new Response(null, { status: 429, headers: { 'retry-after': '7' } }) : undefined,
  )
  const { waits, wait } = patience()
  await sendRows({ ...(await sending()).options, wait })
  expect(waits).toEqual([7_000, 0])
})

test('a refusal is no lost answer: it is told at once', async () => {
  openWorkbook(fiftyThousand)
  const { calls } = server(() => fault(409, 'loadEnded', 'This load has ended (CANCELLED). Begin another one.'))
  const { wait } = patience()
  await expect(sendRows({ ...(await sending()).options, wait })).rejects.toThrow('This load has ended (CANCELLED)')
  expect(calls).toHaveLength(1)
})

test('[ENG-5] a load that is given up sends nothing more', async () => {
  openWorkbook(fiftyThousand)
  const { calls } = server()
  const controller = new AbortController()
  const { wait } = patience((waits) => waits.length === 2 && controller.abort())
  const { options } = await sending()
  await expect(sendRows({ ...options, signal: controller.signal, wait })).rejects.toThrow('abort')
  expect(calls).toHaveLength(2)
})

test('a session that ends on the way loses nothing: after signing in it goes on where it stopped', async () => {
  openWorkbook(fiftyThousand)
  storeSession(session())
  let isOver = false
  const { rows } = server((number) => {
    isOver ||= number === 3
    return isOver ? signedOut() : undefined
  })
  const { wait } = patience()
  const { progress, options } = await sending()
  await expect(sendRows({ ...options, wait })).rejects.toThrow(
    'Your session has ended. Sign in again to go on where you stopped.',
  )
  expect(progress.at(-1)).toEqual({ rows: 2_000, chunks: 2 })

  const again = server()
  await sendRows({ ...options, from: progress.at(-1) ?? nothingSent, wait })
  expect(again.calls.map(({ path }) => path.split('/').at(-1))).toEqual(['3', '4', '5'])
  expect(rows().length).toBe(3_000)
  expect(again.rows()).toHaveLength(3_000)
})

test('a wide sheet is read in fewer rows at a time', async () => {
  const workbook = openWorkbook({ rows: Array.from({ length: 200 }, () => Array.from({ length: 300 }, () => 1)) })
  server()
  const { wait } = patience()
  await sendRows({ ...(await sending()).options, wait })
  expect(workbook.reads).toEqual([100, 100])
})

test('no chunk is larger than the server takes, and no row is cut', () => {
  const rows: Cell[][] = Array.from({ length: 100 }, (_, at) => ['ä'.repeat(15_000), { n: String(at) }])
  const chunks = chunksOf(rows, 1)
  expect(chunks.flat()).toEqual(rows)
  for (const chunk of chunks) expect(Buffer.byteLength(JSON.stringify({ rows: chunk }))).toBeLessThan(1_048_576)
  expect(chunks).toHaveLength(3)
})

test('a row that is too long is named as the sheet numbers it', () => {
  expect(() => chunksOf([['a'], Array.from({ length: 40 }, () => 'ä'.repeat(15_000))], 17)).toThrow(
    'Row 18 holds more text',
  )
})
