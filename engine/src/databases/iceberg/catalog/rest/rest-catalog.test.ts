import { appendSnapshot, orders, orderSchema, SimulatedLake } from '@tributary/testing/engine/iceberg/simulated-lake.ts'
import { describe, expect, test } from 'vitest'
import { openCatalog } from '../../settings/open-catalog.ts'
import { parseSettings } from '../../settings/settings.ts'
import { CatalogConflictError, CommitOutcomeUnknownError } from '../catalog.ts'

describe('a REST catalog', () => {
  test.each([
    ['OAuth 2 client credentials', 'oauth2', {}],
    ['Signature Version 4', 'sigv4', { 'sign-in': 'sigv4', 'rest.signing-name': 'glue' }],
    ['no sign-in', 'none', { 'sign-in': 'none' }],
  ] as const)('[LAKE-1] creates, changes, renames and lists tables with %s', async (_, signIn, more) => {
    await using lake = await SimulatedLake.start({ signIn })
    const catalog = await lake.catalog(signIn === 'sigv4' ? { ...lake.ownKeys(), ...more } : more)
    expect(await catalog.loadTable(orders)).toBeNull()
    const created = await catalog.createTable(orders, { schema: orderSchema, properties: { owner: 'us' } })
    const committed = await catalog.commitTable(appendSnapshot(created, 9_007_199_254_740_993n))
    expect(committed.metadata['current-snapshot-id']).toBe(9_007_199_254_740_993n)
    const loaded = await catalog.loadTable(orders)
    expect(loaded?.metadata.snapshots?.[0]?.['snapshot-id']).toBe(9_007_199_254_740_993n)
    expect(loaded?.metadata.properties).toMatchObject({ owner: 'us', 'tributary.checkpoint': '9007199254740993' })

    await catalog.renameTable(orders, { ...orders, name: 'Aufträge / 2026' })
    for (const name of ['a', 'b', 'c']) await catalog.createTable({ ...orders, name }, { schema: orderSchema })
    expect(await catalog.listTables(orders.namespace)).toEqual(['Aufträge / 2026', 'a', 'b', 'c'])
    await expect(catalog.renameTable({ ...orders, name: 'a' }, { ...orders, name: 'b' })).rejects.toThrow(
      CatalogConflictError,
    )
    await catalog.dropTable({ ...orders, name: 'a' }, { purge: true })
    await catalog.dropTable({ ...orders, name: 'a' }, { purge: true })
    expect(await catalog.listTables(orders.namespace)).toEqual(['Aufträge / 2026', 'b', 'c'])
  })

  test('[LAKE-1] renews an access token that has ended', async () => {
    await using lake = await SimulatedLake.start()
    const catalog = await lake.catalog()
    lake.simulator.expireTokens()
    expect(await catalog.listTables(orders.namespace)).toEqual([])
  })

  test('[LAKE-1] a static token is sent, and a refused one is a fault to sign in', async () => {
    await using lake = await SimulatedLake.start()
    const settings = parseSettings(lake.properties({ 'sign-in': 'token', token: 'expired' }))
    await expect(openCatalog(settings, lake.context)).rejects.toMatchObject({
      kind: 'signIn',
      code: 'iceberg.catalog_refused',
    })
  })

  test('[LAKE-2] a commit against an older snapshot is refused and changes nothing', async () => {
    await using lake = await SimulatedLake.start()
    const catalog = await lake.catalog()
    const created = await catalog.createTable(orders, { schema: orderSchema })
    await catalog.commitTable(appendSnapshot(created, 1n))
    await expect(catalog.commitTable(appendSnapshot(created, 2n))).rejects.toThrow(CatalogConflictError)
    expect((await catalog.loadTable(orders))?.metadata['current-snapshot-id']).toBe(1n)
    await expect(catalog.createTable(orders, { schema: orderSchema })).rejects.toThrow(CatalogConflictError)
  })

  test.each([
    ['the reply is lost', { kind: 'lose' }, true],
    ['the catalog fails before it commits', { kind: 'status', status: 502 }, false],
  ] as const)(
    '[LAKE-2] the outcome of a commit is unknown if %s, and it is not sent twice',
    async (_, fault, applied) => {
      await using lake = await SimulatedLake.start()
      const catalog = await lake.catalog()
      const created = await catalog.createTable(orders, { schema: orderSchema })
      lake.simulator.faults.inject({ ...fault, path: 'POST table' })
      const before = lake.simulator.requests.length
      await expect(catalog.commitTable(appendSnapshot(created, 7n))).rejects.toThrow(CommitOutcomeUnknownError)
      expect(lake.simulator.requests.length - before).toBe(1)
      const found = (await catalog.loadTable(orders))?.metadata.properties?.['tributary.checkpoint']
      expect(found).toBe(applied ? '7' : undefined)
    },
  )

  test('[LAKE-2] a creation whose reply is lost finds its table', async () => {
    await using lake = await SimulatedLake.start()
    const catalog = await lake.catalog()
    lake.simulator.faults.inject({ kind: 'lose', path: 'POST tables' })
    const created = await catalog.createTable(orders, { schema: orderSchema })
    expect(lake.simulator.tables.size).toBe(1)
    await created.storage.write(`${created.metadata.location}/data/one`, Buffer.from('x'))
  })

  test('[LAKE-2] commits several tables at once where the catalog lists it, and all or none', async () => {
    await using plain = await SimulatedLake.start()
    expect((await plain.catalog()).commitTables).toBeNull()
    await using lake = await SimulatedLake.start({ offersTransactions: true })
    const catalog = await lake.catalog()
    const lines = { ...orders, name: 'lines' }
    const one = await catalog.createTable(orders, { schema: orderSchema })
    const two = await catalog.createTable(lines, { schema: orderSchema })
    await catalog.commitTable(appendSnapshot(two, 1n, lines))
    await expect(catalog.commitTables?.([appendSnapshot(one, 5n), appendSnapshot(two, 6n, lines)])).rejects.toThrow(
      CatalogConflictError,
    )
    expect((await catalog.loadTable(orders))?.metadata['current-snapshot-id']).toBeNull()
    const current = await catalog.loadTable(lines)
    if (current === null) throw new Error('The table is missing.')
    await catalog.commitTables?.([appendSnapshot(one, 5n), appendSnapshot(current, 6n, lines)])
    expect((await catalog.loadTable(orders))?.metadata['current-snapshot-id']).toBe(5n)
    expect((await catalog.loadTable(lines))?.metadata['current-snapshot-id']).toBe(6n)
  })

  test('[LAKE-1] reading calls are repeated while the catalog is busy or unreachable', async () => {
    await using lake = await SimulatedLake.start()
    const catalog = await lake.catalog()
    await catalog.createTable(orders, { schema: orderSchema })
    lake.simulator.faults.inject(
      { kind: 'status', status: 429, path: 'GET table' },
      { kind: 'drop', path: 'GET table' },
    )
    expect(await catalog.loadTable(orders)).not.toBeNull()
    lake.simulator.faults.inject({ kind: 'status', status: 503, path: 'GET table', times: 9 })
    await expect(catalog.loadTable(orders)).rejects.toMatchObject({ kind: 'busy', code: 'iceberg.catalog_busy' })
  })
})
