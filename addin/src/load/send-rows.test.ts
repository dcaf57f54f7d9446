import type { SheetCell } from '@tributary/contract/cells'
import { afterEach, expect, test } from 'vitest'
import { endSession, storeSession } from '../api/session.ts'
import { findRange } from '../host/sheet.ts'
import { fakeServer, fault, signedOut } from '@tributary/testing/addin/fake-server.ts'
import { session } from '@tributary/testing/addin/samples.ts'
import { closeWorkbook, openWorkbook, type SheetInput } from '@tributary/testing/addin/workbook.ts'
import { noProgress, sendRows, splitIntoChunks, type TransferProgress } from './send-rows.ts'

afterEach(() => {
  closeWorkbook()
  endSession()
})

const fiftyThousand: SheetInput = {
  rows: Array.from({ length: 5_000 }, (_, row) => Array.from({ length: 10 }, (_, at) => row + at / 10)),
}

/** Stores chunks by number, as the server does, even if the reply is lost. */
function chunkServer(reply: (number: number, attempt: number) => Response | undefined = () => undefined) {
  const chunks = new Map<number, SheetCell[][]>()
  const attempts = new Map<number, number>()
  const calls = fakeServer({
    'PUT /loads/:loadId/chunks/:number': ({ path, body }) => {
      const number = Number(path.split('/').at(-1))
      const attempt = (attempts.get(number) ?? 0) + 1
      attempts.set(number, attempt)
      chunks.set(number, (body as { rows: SheetCell[][] }).rows)
      return reply(number, attempt) ?? { Rows: [...chunks.values()].flat().length }
    },
    'POST /auth/refresh': signedOut,
  })
  return { calls, rows: () => [...chunks].toSorted(([a], [b]) => a - b).flatMap(([, rows]) => rows) }
}

/** Returns at once and records the delays. */
function recordDelays(onDelay: (delays: readonly number[]) => void = () => undefined) {
  const delays: number[] = []
  const delay = async (ms: number, signal: AbortSignal) => {
    delays.push(ms)
    onDelay(delays)
    signal.throwIfAborted()
  }
  return { delays, delay }
}

async function prepareTransfer(from: TransferProgress = noProgress) {
  const progress: TransferProgress[] = []
  const range = await findRange('sheet')
  const { signal } = new AbortController()
  return {
    progress,
    options: {
      range,
      loadId: 'load-1',
      from,
      signal,
      onProgress: (sent: TransferProgress) => void progress.push(sent),
    },
  }
}

test('[ENG-5] fifty thousand cells are sent in chunks of a thousand rows, with one round trip to Excel each, and the pane stays responsive', async () => {
  const workbook = openWorkbook(fiftyThousand)
  const { rows } = chunkServer()
  const { delays, delay } = recordDelays()
  const { progress, options } = await prepareTransfer()
  const before = workbook.syncs
  await sendRows({ ...options, delay })
  expect(workbook.reads).toEqual([1_000, 1_000, 1_000, 1_000, 1_000])
  expect(workbook.syncs - before).toBe(5)
  expect(delays).toEqual([0, 0, 0, 0, 0])
  expect(progress.map((sent) => sent.rows)).toEqual([1_000, 2_000, 3_000, 4_000, 5_000])
  expect(rows()).toEqual(fiftyThousand.rows.map((row) => row.map((value) => ({ n: String(value) }))))
})

test('[ENG-5] a chunk whose reply was lost is sent again under its number, and no row arrives twice', async () => {
  openWorkbook(fiftyThousand)
  const { calls, rows } = chunkServer((number, attempt) => {
    if (number === 2 && attempt < 3) throw new TypeError('Failed to fetch')
    return undefined
  })
  const { delays, delay } = recordDelays()
  await sendRows({ ...(await prepareTransfer()).options, delay })
  expect(calls.map(({ path }) => path.split('/').at(-1))).toEqual(['1', '2', '2', '2', '3', '4', '5'])
  expect(delays.filter((ms) => ms > 0)).toEqual([1_000, 3_000])
  expect(rows()).toHaveLength(5_000)
})

test('a chunk that is refused with Retry-After is sent again after that delay', async () => {
  openWorkbook({ rows: [[1], [2]] })
  chunkServer((_, attempt) =>
    attempt === 1 ? new Response(null, { status: 429, headers: { 'retry-after': '7' } }) : undefined,
  )
  const { delays, delay } = recordDelays()
  await sendRows({ ...(await prepareTransfer()).options, delay })
  expect(delays).toEqual([7_000, 0])
})

test('a refusal is reported at once, without a retry', async () => {
  openWorkbook(fiftyThousand)
  const { calls } = chunkServer(() => fault(409, 'loadEnded', 'This load has ended (CANCELLED). Begin another one.'))
  const { delay } = recordDelays()
  await expect(sendRows({ ...(await prepareTransfer()).options, delay })).rejects.toThrow(
    'This load has ended (CANCELLED)',
  )
  expect(calls).toHaveLength(1)
})

test('[ENG-5] a cancelled load sends nothing more', async () => {
  openWorkbook(fiftyThousand)
  const { calls } = chunkServer()
  const controller = new AbortController()
  const { delay } = recordDelays((delays) => delays.length === 2 && controller.abort())
  const { options } = await prepareTransfer()
  await expect(sendRows({ ...options, signal: controller.signal, delay })).rejects.toThrow('abort')
  expect(calls).toHaveLength(2)
})

test('a session that ends during the transfer loses nothing: after signing in it resumes where it stopped', async () => {
  openWorkbook(fiftyThousand)
  storeSession(session())
  let hasEnded = false
  const { rows } = chunkServer((number) => {
    hasEnded ||= number === 3
    return hasEnded ? signedOut() : undefined
  })
  const { delay } = recordDelays()
  const { progress, options } = await prepareTransfer()
  await expect(sendRows({ ...options, delay })).rejects.toThrow(
    'Your session has ended. Sign in again to continue where you stopped.',
  )
  expect(progress.at(-1)).toEqual({ rows: 2_000, chunks: 2 })

  const resumed = chunkServer()
  await sendRows({ ...options, from: progress.at(-1) ?? noProgress, delay })
  expect(resumed.calls.map(({ path }) => path.split('/').at(-1))).toEqual(['3', '4', '5'])
  expect(rows().length).toBe(3_000)
  expect(resumed.rows()).toHaveLength(3_000)
})

test('a wide sheet is read in fewer rows at a time', async () => {
  const workbook = openWorkbook({ rows: Array.from({ length: 200 }, () => Array.from({ length: 300 }, () => 1)) })
  chunkServer()
  const { delay } = recordDelays()
  await sendRows({ ...(await prepareTransfer()).options, delay })
  expect(workbook.reads).toEqual([100, 100])
})

test('no chunk is larger than the server takes, and no row is cut', () => {
  const rows: SheetCell[][] = Array.from({ length: 100 }, (_, at) => ['ä'.repeat(15_000), { n: String(at) }])
  const chunks = splitIntoChunks(rows, 1)
  expect(chunks.flat()).toEqual(rows)
  for (const chunk of chunks) expect(Buffer.byteLength(JSON.stringify({ rows: chunk }))).toBeLessThan(1_048_576)
  expect(chunks).toHaveLength(3)
})

test('a row that is too long is named by its number in the sheet', () => {
  expect(() => splitIntoChunks([['a'], Array.from({ length: 40 }, () => 'ä'.repeat(15_000))], 17)).toThrow(
    'Row 18 holds more text',
  )
})
