/** Malformed files are harmless: each is read correctly or refused with a message, and nothing of it remains. */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { loads } from '@tributary/contract/loads'
import { expect, test } from 'vitest'
import { workbookOf } from '../../server/excel/raw-workbook.ts'
import { malformedFile } from '../../server/excel/malformed-files.ts'
import { readBytes, readInMainThread } from '../../server/excel/read-bytes.ts'

const files = 330

test(`[ENG-5] ${files} malformed files are each read or refused with a message, without a leak`, async () => {
  await readCorpus()
  const [heap, open] = [heapUsed(), openFiles()]
  const { read, refused } = await readCorpus()
  expect(read + refused).toBe(files)
  // Most must be unreadable and some readable, otherwise the corpus tests nothing.
  expect(refused).toBeGreaterThan(files / 2)
  expect(read).toBeGreaterThan(10)
  expect(openFiles()).toBe(open)
  expect(heapUsed() - heap).toBeLessThan(8_000_000)
})

test('[ENG-5] each kind of malformed file ends with a message in its own process, too', async () => {
  for (let seed = 0; seed < 22; seed++) {
    const { bytes, kind } = malformedFile(seed)
    expect(await outcome(() => readBytes(bytes), kind)).toMatch(/^(?:read|refused)$/u)
  }
})

test('[ENG-5] a file that needs too much memory is refused, and the server keeps running', async () => {
  const block = Array.from({ length: 500 }, (_, at) => createHash('sha512').update(String(at)).digest('hex')).join('')
  const comment = workbookOf({ rows: `<!--${block.repeat(3_000)}-->` })
  await expect(readBytes(comment)).rejects.toMatchObject({
    name: 'Unreadable',
    message: expect.stringContaining('memory') as unknown,
  })
  expect((await readBytes(Buffer.from('a,b\n1,2'))).rows.length).toBe(2)
})

async function readCorpus(): Promise<{ read: number; refused: number }> {
  const counts = { read: 0, refused: 0 }
  for (let seed = 0; seed < files; seed++) {
    const { bytes, kind } = malformedFile(seed)
    counts[await outcome(() => readInMainThread(bytes), `${kind}, seed ${seed}`)] += 1
  }
  return counts
}

const cells = loads.readFile.reply.shape.Sheets.element.shape.FirstRows

/** A read file must have cells of the contract; a refused one must have a message. */
async function outcome(read: () => ReturnType<typeof readInMainThread>, kind: string): Promise<'read' | 'refused'> {
  try {
    const { sheets } = await read()
    for (const { firstRows } of sheets)
      expect({ kind, isOfContract: cells.safeParse(firstRows).success }).toEqual({ kind, isOfContract: true })
    return 'read'
  } catch (error) {
    expect({ kind, error }).toMatchObject({
      kind,
      error: { name: 'Unreadable', message: expect.stringMatching(/^[A-Z_].{20,}\.$/su) as unknown },
    })
    return 'refused'
  }
}

function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

function openFiles(): number {
  return readdirSync('/proc/self/fd').length
}
