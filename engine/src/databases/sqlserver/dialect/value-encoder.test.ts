import { expect, test } from 'vitest'
import { batch, column, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { withSqlServerTarget } from '@tributary/testing/engine/sqlserver/sqlserver-bench.ts'

const id = column('id', { kind: 'integer', bytes: 4 }, false)

test.each([
  [{ kind: 'integer', bytes: 2 }, ['-32768', '32767', '0']],
  [{ kind: 'integer', bytes: 4 }, ['-2147483648', '2147483647', '0']],
  [{ kind: 'integer', bytes: 8 }, ['-9223372036854775808', '9223372036854775807', '0']],
  [
    { kind: 'decimal', precision: 38, scale: 10 },
    ['1234567890123456789012345678.0123456789', '-0.0000000001', '0.0000000000'],
  ],
  [{ kind: 'decimal', precision: 38, scale: 0 }, ['99999999999999999999999999999999999999', '-1', '0']],
  [{ kind: 'double' }, ['0.1', '-1.7976931348623157e+308', '5e-324']],
  [{ kind: 'date' }, ['0001-01-01', '2024-02-29', '9999-12-31']],
  [{ kind: 'time' }, ['00:00:00.0000000', '23:59:59.9999999', '13:05:00.0000001']],
  [{ kind: 'localTimestamp', digits: 0 }, ['0001-01-01 00:00:00', '1969-12-31 23:59:59']],
  [{ kind: 'localTimestamp', digits: 3 }, ['1900-02-28 23:59:59.999', '2000-02-29 00:00:00.001']],
  [{ kind: 'localTimestamp', digits: 7 }, ['9999-12-31 23:59:59.9999999', '1969-07-20 20:17:40.1234567']],
  [{ kind: 'guid' }, ['6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10', 'ffffffff-ffff-ffff-ffff-ffffffffffff']],
  [{ kind: 'bytes', maxLength: 4 }, ['\\x', '\\x00ff5c00']],
] as const)('SQL Server is sent the outermost values of %o as they are', async (type, values) => {
  const one = table('one', [id, column('value', type)])
  const rows = [...values, null].map((value, at) => [String(at), value])
  await withSqlServerTarget(async (target, stub) => {
    await target.prepare(stream(one))
    await using load = await target.load(stream(one), { kind: 'merge' })
    await load.write(batch(one, rows))
    await load.finish(null)
    expect([load.rejected, stub.bulks[0]?.rows]).toEqual([[], rows])
  })
})

test.each([
  [{ kind: 'integer', bytes: 2 }, ['32768', '-32769', '1.0', '', ' 1', '0x1']],
  [{ kind: 'integer', bytes: 4 }, ['2147483648', '-2147483649']],
  [{ kind: 'integer', bytes: 8 }, ['9223372036854775808', '-9223372036854775809', '1e3']],
  [{ kind: 'double' }, ['1e309', '', 'one']],
  [{ kind: 'boolean' }, ['true', '1', '']],
  [{ kind: 'date' }, ['2023-02-29', '2024-13-01', '0000-01-01', '2024-01-01 00:00:00', '01-01-2024']],
  [{ kind: 'time' }, ['24:00:00', '12:60:00', '12:00:60']],
  [{ kind: 'localTimestamp', digits: 6 }, ['2023-02-29 00:00:00', '2024-01-01 24:00:00', 'now']],
  [{ kind: 'guid' }, ['6b1f0c52']],
  [{ kind: 'bytes' }, ['\\x0', '00', '\\xzz']],
] as const)('SQL Server is not sent what no %o is: the row is rejected with its column', async (type, values) => {
  const one = table('one', [id, column('value', type)])
  await withSqlServerTarget(async (target, stub) => {
    await target.prepare(stream(one))
    await using load = await target.load(stream(one), { kind: 'merge' })
    await load.write(
      batch(
        one,
        values.map((value, at) => [String(at), value]),
      ),
    )
    await load.finish(null)
    expect(load.rejected.map(({ column: name, row }) => [name, row['value']])).toEqual(
      values.map((value) => ['value', value]),
    )
    expect(stub.bulks).toEqual([])
  })
})
