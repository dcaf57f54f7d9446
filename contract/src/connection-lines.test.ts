import { expect, test } from 'vitest'
import { connectionLine, connectionSteps, connectionStepKinds, powerBiDataSource } from './connection-lines.ts'

const address = {
  host: 'reports.example.com',
  port: 5432,
  database: 'w_1',
  user: 'w_1_p_2',
  sslMode: 'require',
} as const

test('[SEE-10] a line has every value that its program needs, and no password', () => {
  expect(connectionLine('psql', address)).toBe(
    'psql "host=reports.example.com port=5432 dbname=w_1 user=w_1_p_2 sslmode=require"',
  )
  expect(connectionLine('odbc', address)).toBe(
    'Driver={PostgreSQL Unicode};Server=reports.example.com;Port=5432;Database=w_1;Uid=w_1_p_2;SSLmode=require;',
  )
  expect(connectionLine('jdbc', address)).toBe(
    'jdbc:postgresql://reports.example.com:5432/w_1?user=w_1_p_2&sslmode=require',
  )
  expect(connectionLine('sqlAlchemy', address)).toContain(
    'create_engine("postgresql+psycopg://w_1_p_2@reports.example.com:5432/w_1?sslmode=require", connect_args={"password": getpass()})',
  )
})

test('[SEE-10] unusual hosts stay one value', () => {
  const unusual = { ...address, host: 'fe80::1', database: `a'b\\c d;e}f`, sslMode: 'prefer' } as const
  expect(connectionLine('psql', unusual)).toBe(
    `psql "host=fe80::1 port=5432 dbname='a\\'b\\\\c d;e}f' user=w_1_p_2 sslmode=prefer"`,
  )
  expect(connectionLine('odbc', unusual)).toContain(`Database={a'b\\c d;e}}f};`)
  expect(connectionLine('jdbc', unusual)).toContain('//[fe80::1]:5432/a')
})

test('[SEE-10] the steps of each tool name host, port, database and user', () => {
  for (const kind of connectionStepKinds) {
    const codes = connectionSteps(kind, address).map(({ code = '' }) => code)
    for (const value of [address.host, '5432', address.database, address.user])
      expect([kind, value, codes.some((code) => code.includes(value))]).toEqual([kind, value, true])
  }
  expect(JSON.stringify(powerBiDataSource(address))).toContain('"server":"reports.example.com:5432","database":"w_1"')
})
