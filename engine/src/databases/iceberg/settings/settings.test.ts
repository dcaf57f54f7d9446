import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { SimulatedLake } from '@tributary/testing/engine/iceberg/simulated-lake.ts'
import { describe, expect, test } from 'vitest'
import type { ConnectorProperties } from '../../../ports/source.ts'
import { checkLake } from './check-lake.ts'
import { section } from './fields.ts'
import { openCatalog } from './open-catalog.ts'
import { parseSettings } from './settings.ts'

describe('the test of the connection', () => {
  const outcomes = async (lake: SimulatedLake, more?: ConnectorProperties) =>
    (await checkLake(parseSettings(lake.properties(more)), lake.context)).map(({ outcome }) => outcome)

  test('[LAKE-1] passes every step and leaves neither table nor file', async () => {
    await using lake = await SimulatedLake.start()
    const results = await checkLake(parseSettings(lake.properties()), lake.context)
    expect(results.map(({ name, outcome }) => `${outcome}: ${name}`)).toEqual([
      'passed: The catalog can be reached',
      'passed: The catalog accepts the sign-in',
      'passed: The namespace exists or can be created',
      'passed: A table can be created',
      'passed: A file can be written to the storage',
      'passed: The file can be read',
      'passed: The file can be deleted',
      'passed: The table can be changed and removed',
    ])
    expect(lake.simulator.tables.size).toBe(0)
    expect(lake.simulator.store.objects.size).toBe(0)
  })

  test('[LAKE-1] names the step that fails', async () => {
    await using lake = await SimulatedLake.start()
    expect((await outcomes(lake, { 'client-secret': 'wrong' })).slice(0, 3)).toEqual(['passed', 'failed', 'skipped'])
    expect((await outcomes(lake, { uri: 'http://127.0.0.1:1' }))[0]).toBe('failed')
    expect((await outcomes(lake, { warehouse: 'other' }))[0]).toBe('failed')
    const denied = await outcomes(lake, { ...lake.ownKeys(), 's3.secret-access-key': 'wrong' })
    expect(denied.indexOf('failed')).toBe(4)
    expect(lake.simulator.tables.size).toBe(0)
  })

  test('[LAKE-1] a catalog that vends no credentials is named as the reason', async () => {
    await using lake = await SimulatedLake.start({ vends: false })
    const results = await checkLake(parseSettings(lake.properties()), lake.context)
    expect(results.find(({ outcome }) => outcome === 'failed')?.notice).toContain('provides no credentials')
  })
})

describe('settings', () => {
  const parse = (fields: ConnectorProperties, schemaName: unknown = 'sales') =>
    parseSettings({ 'target.connectionString': { connector: 'iceberg', ...fields }, 'target.schema': schemaName })

  test.each([
    [{}, 'uri'],
    [{ uri: 'catalog' }, 'uri'],
    [{ uri: 'ftp://catalog.example.com' }, 'uri'],
    [{ uri: 'https://user:pass@catalog.example.com' }, 'uri'],
    [{ uri: 'https://catalog.example.com' }, 'client-id'],
    [{ uri: 'https://catalog.example.com', 'sign-in': 'token' }, 'token'],
    [{ uri: 'https://catalog.example.com', 'sign-in': 'none', storage: 's3' }, 's3.region'],
    [{ uri: 'https://catalog.example.com', 'sign-in': 'none', storage: 'azure' }, 'adls.tenant-id'],
  ])('[LAKE-1] %j names the field %s', (fields, key) => {
    expect(() => parse(fields)).toThrow(
      expect.objectContaining({ kind: 'settings', field: `target.connectionString.${key}` }),
    )
  })

  test('[LAKE-1] a namespace has levels, and no separators of paths', () => {
    const fields = { uri: 'https://catalog.example.com', 'sign-in': 'none' }
    expect(parse(fields, 'sales.eu').namespace).toEqual(['sales', 'eu'])
    expect(() => parse(fields, '../other')).toThrow(expect.objectContaining({ field: 'target.schema' }))
  })

  test('[LAKE-4] files are written again unless the settings choose position deletes', () => {
    const fields = { uri: 'https://catalog.example.com', 'sign-in': 'none' }
    expect(parse(fields).changedRows).toBe('copied')
    expect(parse({ ...fields, 'changed-rows': 'positions' }).changedRows).toBe('deletedByPosition')
    const field = 'target.connectionString.changed-rows'
    expect(() => parse({ ...fields, 'changed-rows': 'keys' })).toThrow(expect.objectContaining({ field }))
  })

  test('[LAKE-5] a folder of the server is refused unless the provider has one, and no path can be entered', async () => {
    const settings = parse({ uri: 'folder:' })
    await expect(openCatalog(settings, connectionContext())).rejects.toMatchObject({
      kind: 'settings',
      code: 'iceberg.folder_refused',
    })
    for (const uri of ['file:///etc', 'folder:/etc', 'folder:../other'])
      expect(() => parse({ uri })).toThrow(expect.objectContaining({ field: 'target.connectionString.uri' }))
  })

  const requiredByChoice = section.fields.filter(({ required, shownFor }) => required && shownFor !== undefined)

  test.each(requiredByChoice)(
    '[LAKE-1] the form requires $label with each choice without which it is refused',
    (field) => {
      for (const { key, value } of field.shownFor ?? []) {
        const filled = Object.fromEntries(requiredByChoice.map((other) => [other.key, 'filled']))
        const settings = { uri: 'https://catalog.example.com', 'sign-in': 'none', ...filled, [key]: value }
        expect(() => parse(settings)).not.toThrow()
        expect(() => parse({ ...settings, [field.key]: '' })).toThrow(
          expect.objectContaining({ field: `target.connectionString.${field.key}` }),
        )
      }
    },
  )
})

test('[LAKE-1] every choice that shows a field of the form is offered by another field', () => {
  const offered = new Map(section.fields.map(({ key, choices }) => [key, choices?.map(({ value }) => value)]))
  const needed = section.fields.flatMap(({ shownFor = [] }) => shownFor)
  expect(needed.length).toBeGreaterThan(10)
  for (const { key, value } of needed) expect(offered.get(key)).toContain(value)
})
