import { describe, expect, test } from 'vitest'
import type { SqlServerReach } from '../settings.ts'
import { answerShop, asRestored, readStream, withShop } from '@tributary/testing/engine/sqlserver/sqlserver-shop.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { startTdsStub, type StubAnswer } from '@tributary/testing/engine/sqlserver/tds-stub.ts'
import { sqlServerSource } from './source.ts'

describe('settings of a SQL Server', () => {
  const parse = (dataSource: string) =>
    sqlServerSource.parse({
      'source.connectionString': {
        'data source': dataSource,
        'initial catalog': 'shop',
        'user id': 'reader',
        password: 'p',
        multipleActiveResultSets: true,
      },
    })

  test.each([
    ['db.example.com', 'db.example.com', 1433],
    ['db.example.com,1434', 'db.example.com', 1434],
    ['tcp:db.example.com,14330', 'db.example.com', 14330],
    ['(local)', 'localhost', 1433],
    ['[2001:db8::1],1500', '2001:db8::1', 1500],
  ])('[API-7] the data source %s means the host %s and the port %i', (dataSource, host, port) => {
    expect(parse(dataSource)).toMatchObject({
      host,
      port,
      database: 'shop',
      user: 'reader',
      encrypt: true,
      trustServerCertificate: false,
    })
  })

  test('a named instance is refused with a sentence that says what to enter instead', () => {
    expect(() => parse('db.example.com\\SQLEXPRESS')).toThrow('Enter the host and the port the instance listens on')
  })

  test('[MAN-7] the form asks for host, database, username, password and Multiple Active Result Sets', () => {
    const labels = sqlServerSource.sections[0]?.fields.map((field) => field.label)
    expect(labels).toEqual(
      expect.arrayContaining(['Host', 'Database', 'Username', 'Password', 'Multiple Active Result Sets']),
    )
  })
})

describe('a SQL Server', () => {
  test('that refuses the login fails a check and is a sign-in fault that tells no secret', async () => {
    await withShop(
      async (source) => {
        const checks = await source.check()
        expect(checks.map(({ outcome }) => outcome)).toEqual(['passed', 'failed', 'skipped'])
        const fault: unknown = await source.streams().catch((error: unknown) => error)
        expect(fault).toMatchObject({ kind: 'signIn', code: 'sqlserver.login_refused' })
        expect(JSON.stringify([checks, fault]) + String((fault as Error).stack)).not.toContain('canary-wrong-password')
      },
      { password: 'canary-wrong-password' },
    )
  })

  test('whose login may not read a chosen table names it in a check, with the GRANT to copy', async () => {
    await withShop(
      async (source) => {
        const failed = (await source.check()).find(({ outcome }) => outcome === 'failed')
        expect(failed?.notice).toContain('cannot see the table dbo.Secret.')
        expect(failed?.remedy).toBe('GRANT SELECT ON [dbo].[Secret] TO [reader];')
      },
      { user: 'reader', tables: ['Customer', 'sales.Order', 'dbo.Secret'] },
    )
  })

  test('names with their GRANT the tables moved before whose rights were revoked, where every table is chosen, too', async () => {
    const revoked = (sql: string): StubAnswer | undefined => {
      if (sql.includes('FROM [dbo].[Price.List]')) return { error: 229, message: 'The SELECT permission was denied.' }
      if (sql.includes('FROM [sales].[Payroll]'))
        return { error: 230, message: 'The SELECT permission was denied on a column.' }
      return sql.includes('FROM [dbo].[Dropped]') ? { error: 208, message: 'Invalid object name.' } : answerShop(sql)
    }
    const moved = ['dbo.Customer', 'dbo.Price.List', 'sales.Payroll', 'dbo.Dropped']
    expect(
      await withShop(async (source) => await source.missingSelections?.(moved), { user: 'reader' }, revoked),
    ).toEqual([
      { name: 'dbo.Price.List', remedy: 'GRANT SELECT ON [dbo].[Price.List] TO [reader];' },
      { name: 'sales.Payroll', remedy: 'GRANT SELECT ON [sales].[Payroll] TO [reader];' },
      { name: 'dbo.Dropped', isGone: true },
    ])
  })

  test('that does not answer at all is a passing fault', async () => {
    const { reach } = await startAndStop()
    await using source = await sqlServerSource.open({ ...reach, tables: [], excludedColumns: [] }, connectionContext())
    await expect(source.streams()).rejects.toMatchObject({ kind: 'passing' })
  })

  test('that sends its client to a stranger’s host is not followed', async () => {
    await using stub = await startTdsStub({ route: { host: 'elsewhere.example', port: 1433 } })
    await using source = await sqlServerSource.open(
      { ...stub.reach, tables: [], excludedColumns: [] },
      connectionContext(),
    )
    await expect(source.streams()).rejects.toMatchObject({ kind: 'settings', code: 'sqlserver.redirected' })
  })

  test('that answers to a number sends nobody to another number that ends alike', async () => {
    await using stub = await startTdsStub({ route: { host: '8.0.0.1', port: 1433 } })
    await using source = await sqlServerSource.open(
      { ...stub.reach, tables: [], excludedColumns: [] },
      connectionContext(),
    )
    await expect(source.streams()).rejects.toMatchObject({ kind: 'settings', code: 'sqlserver.redirected' })
  })

  test('that sends its client round in a circle is left', async () => {
    const route = { host: '127.0.0.1', port: 0 }
    await using stub = await startTdsStub({ route })
    route.port = stub.reach.port
    await using source = await sqlServerSource.open(
      { ...stub.reach, tables: [], excludedColumns: [] },
      connectionContext(AbortSignal.timeout(5_000)),
    )
    await expect(source.streams()).rejects.toMatchObject({ kind: 'settings', code: 'sqlserver.redirected' })
  })

  test('is asked for encryption unless the settings say otherwise, and one without it is refused', async () => {
    await withShop(
      (source) => expect(source.streams()).rejects.toMatchObject({ kind: 'settings', code: 'sqlserver.encryption' }),
      {
        encrypt: true,
      },
    )
  })
})

describe('the tables of a SQL Server', () => {
  test('have their keys, types and the best way to find changes', async () => {
    const streams = await withShop((source) => source.streams())
    expect(streams.map(({ name, table, reads }) => [name, table.name, table.key, reads])).toEqual([
      ['dbo.Customer', 'Customer', ['Region', 'Id'], 'since'],
      ['sales.Order', 'sales_Order', ['Number'], 'since'],
      ['dbo.Visit', 'Visit', ['Id'], 'since'],
      ['dbo.Summary', 'Summary', [], 'whole'],
      ['dbo.Keyless', 'Keyless', [], 'whole'],
      ['dbo.Silent', 'Silent', ['Id'], 'whole'],
    ])
    expect(streams.map(({ wholeReason }) => wholeReason?.split(/[.,]/u)[0])).toEqual([
      undefined,
      undefined,
      undefined,
      'It is a view',
      'It has no primary key',
      'Nothing tells which rows have changed',
    ])
    expect(streams[0]?.table.columns.map(({ name, type }) => [name, type])).toEqual([
      ['Id', { kind: 'integer', bytes: 4 }],
      ['Region', { kind: 'text', maxLength: 2 }],
      ['CreditLimit', { kind: 'decimal', precision: 38, scale: 10 }],
      ['Active', { kind: 'boolean' }],
      ['Seen', { kind: 'instant', digits: 7 }],
      ['Photo', { kind: 'bytes' }],
    ])
  })

  test('are read with every digit, which the driver’s own numbers and dates would lose', async () => {
    await withShop(async (source, statements) => {
      const { written } = await readStream(source, 'dbo.Customer', null)
      expect(written).toEqual([
        ['1', 'NO', '1234567890123456789012345678.0123456789', 't', '2024-03-31 01:30:00.1234567+00', '\\x00ff5c0a'],
        ['2', 'NO', null, 'f', null, null],
      ])
      const select = statements.find((sql) => sql.includes('FROM [dbo].[Customer]'))
      const seen = `CAST(CAST(SWITCHOFFSET([Seen], '+00:00') AS datetime2(7)) AS varchar(27)) + '+00'`
      const active = `CASE [Active] WHEN 1 THEN 't' WHEN 0 THEN 'f' END`
      expect(select).toBe(
        `SELECT CONCAT(N'', [Id], N'\t', [CreditLimit], N'\t', ${active}, N'\t', ${seen}), CAST([Region] AS nvarchar(2)), [Photo] FROM [dbo].[Customer]`,
      )
    })
  })

  test('may have more columns than one CONCAT takes', async () => {
    const names = Array.from({ length: 200 }, (_, at) => `c${at}`)
    const numbers = names.map((_, at) => String(at))
    const wide = (sql: string): StubAnswer | undefined => {
      if (sql.includes('FROM sys.columns c')) return { rows: names.map((name) => [5, name, 'int', 4, 10, 0, true]) }
      const joined = [numbers.slice(0, 90), numbers.slice(90, 180), numbers.slice(180)].map((part) => part.join('\t'))
      return sql.includes('FROM [dbo].[Keyless]') ? { rows: [joined] } : answerShop(sql)
    }
    const { written } = await withShop(
      (source) => readStream(source, 'dbo.Keyless', null),
      { tables: ['dbo.Keyless'] },
      wide,
    )
    expect(written).toEqual([numbers])
  })

  test('with change tracking give what was written and what was deleted since, in one snapshot', async () => {
    await withShop(async (source, statements) => {
      const first = await readStream(source, 'dbo.Customer', null)
      expect(first.checkpoint).toEqual({ method: 'tracking', version: '120', database: asRestored })
      const next = await readStream(source, 'dbo.Customer', { ...first.checkpoint, version: '110' })
      expect(next.written).toEqual([['2', 'NO', '5.0000000000', 't', null, null]])
      expect(next.deleted).toEqual([['SO', '7']])
      const last = statements.slice(statements.findLastIndex((sql) => sql.includes('CURRENT_VERSION')))
      const steps = last.flatMap(
        (sql) =>
          /SNAPSHOT|CURRENT_VERSION|CHANGETABLE\(CHANGES \[dbo\]\.\[Customer\], 110\)|COMMIT/.exec(sql)?.[0] ?? [],
      )
      expect(steps).toEqual(['CURRENT_VERSION', 'SNAPSHOT', 'CHANGETABLE(CHANGES [dbo].[Customer], 110)', 'COMMIT'])
    })
  })

  test.each([
    ['has forgotten the changes', { version: '99' }],
    ['was restored', { database: 'fork 2025-12-31T00:00:00' }],
  ])('are read whole again where the database %s', async (_, difference) => {
    await withShop(async (source) => {
      const since = { method: 'tracking', version: '110', database: asRestored, ...difference }
      expect((await readStream(source, 'dbo.Customer', since)).written).toHaveLength(2)
    })
  })

  test.each(['dbo.Customer', 'sales.Order', 'dbo.Visit'])(
    'are told from %s, too, where the server does not say from which backup the database is, as Azure does not',
    async (name) => {
      const asAzure = (sql: string): StubAnswer | undefined =>
        sql.includes('database_recovery_status') ? { error: 208 } : answerShop(sql)
      await withShop(
        async (source, statements) => {
          const { checkpoint = null } = await readStream(source, name, null)
          expect(checkpoint?.['database']).toBe(' 2026-01-01T00:00:00')
          await readStream(source, name, checkpoint)
          const reads = statements.filter(
            (sql) => sql.includes(`FROM [${name.replace('.', '].[')}]`) || sql.includes('CHANGETABLE'),
          )
          expect(reads.map((sql) => /WHERE|CHANGETABLE/u.test(sql))).toEqual([false, true])
        },
        {},
        asAzure,
      )
    },
  )

  test('are bounded before the snapshot is taken, so that what commits in between is read again and not missed', async () => {
    await withShop(async (source, statements) => {
      await readStream(source, 'sales.Order', null)
      const at = (word: string): number => statements.findLastIndex((sql) => sql.includes(word))
      expect(at('MIN_ACTIVE_ROWVERSION')).toBeLessThan(at('ISOLATION LEVEL SNAPSHOT'))
    })
  })

  test('with a rowversion are read from the oldest one that may still change', async () => {
    await withShop(async (source, statements) => {
      const first = await readStream(source, 'sales.Order', null)
      expect(first.written).toEqual([['A-1', '922337203685477.5807', '\\x00000000000007d0']])
      await readStream(source, 'sales.Order', first.checkpoint ?? null)
      expect(statements.findLast((sql) => sql.includes('FROM [sales].[Order]'))).toContain(
        'WHERE [Version] >= 0x00000000000007D1',
      )
    })
  })

  test('with a column that tells of changes are read from a moment before the last read', async () => {
    await withShop(async (source, statements) => {
      await readStream(source, 'dbo.Visit', {
        method: 'cursor',
        column: 'LastModified',
        from: '2026-01-30 08:00:00.000',
        database: asRestored,
      })
      expect(statements.findLast((sql) => sql.includes('FROM [dbo].[Visit]'))).toContain(
        `WHERE [LastModified] >= CONVERT(datetime2, N'2026-01-30 08:00:00.000', 121)`,
      )
    })
  })

  test('with such a column go on from the last read, but not where the database was restored since', async () => {
    await withShop(async (source, statements) => {
      const { checkpoint } = await readStream(source, 'dbo.Visit', null)
      for (const database of [asRestored, 'fork 2025-12-31T00:00:00'])
        await readStream(source, 'dbo.Visit', { ...checkpoint, database })
      const reads = statements.filter((sql) => sql.includes('FROM [dbo].[Visit]'))
      expect(reads.map((sql) => sql.includes('WHERE'))).toEqual([false, true, false])
    })
  })
})

async function startAndStop(): Promise<{ reach: SqlServerReach }> {
  await using stub = await startTdsStub()
  return { reach: stub.reach }
}
