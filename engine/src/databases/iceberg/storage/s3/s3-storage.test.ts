import { orders, orderSchema, SimulatedLake } from '@tributary/testing/engine/iceberg/simulated-lake.ts'
import { afterEach, describe, expect, test } from 'vitest'
import type { ConnectorProperties } from '../../../../ports/source.ts'
import { ObjectNotFoundError } from '../storage.ts'

const lakes: SimulatedLake[] = []
afterEach(async () => {
  for (const lake of lakes.splice(0)) await lake[Symbol.asyncDispose]()
})

async function tableOf(more?: (lake: SimulatedLake) => ConnectorProperties) {
  const lake = await SimulatedLake.start()
  lakes.push(lake)
  const catalog = await lake.catalog(more?.(lake))
  const { metadata, storage } = await catalog.createTable(orders, { schema: orderSchema })
  return { lake, storage, at: (name: string) => `${metadata.location}/${name}` }
}

const ownKeys = (lake: SimulatedLake) => lake.ownKeys()

describe('object storage of S3', () => {
  test.each([
    ['vended credentials', undefined],
    ['an access key of the settings', ownKeys],
  ] as const)('[LAKE-1] writes, reads, lists and deletes files with %s', async (_, more) => {
    const { storage, at } = await tableOf(more)
    const name = at('data/ä b+c&(1)=2%.parquet')
    expect(await storage.write(name, Buffer.from('hello world'))).toBe(11)
    expect(Buffer.from(await storage.read(name)).toString()).toBe('hello world')
    expect(Buffer.from(await storage.read(name, { offset: 6, length: 100 })).toString()).toBe('world')
    expect(await storage.read(name, { offset: 50, length: 5 })).toHaveLength(0)
    expect(await storage.size(name)).toBe(11)
    for (let index = 0; index < 120; index += 1) await storage.write(at(`data/${index}`), Buffer.of(index))
    const found: string[] = []
    for await (const { location, size, modifiedAt } of storage.list(at('data/'))) {
      expect(size).toBe(location === name ? 11 : 1)
      expect(Math.abs(modifiedAt.getTime() - Date.now())).toBeLessThan(60_000)
      found.push(location)
    }
    expect(found).toHaveLength(121)
    expect(found).toContain(name)
    await storage.delete([name, at('data/missing')])
    await expect(storage.read(name)).rejects.toThrow(ObjectNotFoundError)
    await expect(storage.size(name)).rejects.toThrow(ObjectNotFoundError)
  })

  test('[LAKE-1] a large file is uploaded in parts while it is produced, and is complete or absent', async () => {
    const { lake, storage, at } = await tableOf()
    const chunk = Buffer.alloc(3 * 1_048_576, 7)
    const produce = async function* (count: number, fails: boolean) {
      for (let index = 0; index < count; index += 1) yield chunk
      if (fails) throw new Error('cut')
    }
    lake.simulator.store.faults.inject(
      { kind: 'status', status: 503, path: 'PUT' },
      { kind: 'lose', path: 'POST', after: 1 },
    )
    expect(await storage.write(at('large'), produce(7, false))).toBe(7 * chunk.length)
    expect(await storage.size(at('large'))).toBe(7 * chunk.length)
    const tail = await storage.read(at('large'), { offset: 7 * chunk.length - 2, length: 2 })
    expect([...tail]).toEqual([7, 7])
    await expect(storage.write(at('half'), produce(7, true))).rejects.toThrow('cut')
    await expect(storage.size(at('half'))).rejects.toThrow(ObjectNotFoundError)
    expect(lake.simulator.store.uploads.size).toBe(0)
  })

  test('[LAKE-1] vended credentials are renewed before they expire', async () => {
    const { lake, storage, at } = await tableOf()
    await storage.write(at('one'), Buffer.from('x'))
    const keysBefore = lake.simulator.store.keys.size
    lake.advance(14 * 60_000 + 30_000)
    await Promise.all([storage.read(at('one')), storage.size(at('one'))])
    expect(lake.simulator.store.keys.size).toBe(keysBefore + 1)
    expect(lake.simulator.requests.at(-1)).toContain('/credentials')
  })

  test('[LAKE-1] vended credentials reach the files of their table only', async () => {
    const { storage, at } = await tableOf()
    await expect(storage.read(at('../../foreign/file'))).rejects.toMatchObject({ code: 'iceberg.s3_denied' })
  })

  test('a refused key, a missing bucket and a busy server are faults with advice', async () => {
    const wrongKey = await tableOf((lake) => ({ ...lake.ownKeys(), 's3.secret-access-key': 'wrong' }))
    await expect(wrongKey.storage.read(wrongKey.at('one'))).rejects.toMatchObject({
      kind: 'signIn',
      code: 'iceberg.s3_key_refused',
    })
    await expect(wrongKey.storage.size(wrongKey.at('one'))).rejects.toMatchObject({ code: 'iceberg.s3_denied' })
    const { lake, storage, at } = await tableOf(ownKeys)
    await expect(storage.read('s3://other/one')).rejects.toMatchObject({ code: 'iceberg.s3_no_bucket' })
    lake.simulator.store.faults.inject({ kind: 'status', status: 503, times: 9 })
    await expect(storage.read(at('one'))).rejects.toMatchObject({ kind: 'busy', code: 'iceberg.s3_throttled' })
  })
})
