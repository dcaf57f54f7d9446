import { expect, test } from 'vitest'
import { column, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { type AnswerStatement, withSqlServerTarget } from '@tributary/testing/engine/sqlserver/sqlserver-bench.ts'
import { batch } from '@tributary/testing/engine/sync/fixtures.ts'
import { load } from '@tributary/testing/conformance/target/target-bench.ts'
import { marked } from '../../sql-target/comments.ts'

const main = table('invoice', [column('id', { kind: 'integer', bytes: 4 }, false), column('note', { kind: 'text' })])
const properties =
  (rows: readonly (readonly [property: string, column: string, text: string])[]): AnswerStatement =>
  (sql) =>
    sql.includes('FROM sys.extended_properties') ? { rows: rows.map((row) => [...row]), columns: 3 } : undefined
const written = (statements: readonly string[]): readonly string[] =>
  statements.filter((sql) => /sp_(?:add|drop|update)extendedproperty/.test(sql))

test('[SEE-6] descriptions become extended properties, in a transaction with the fence last', async () => {
  await withSqlServerTarget(async (target, stub) => {
    await target.prepare(stream(main))
    await target.writeComments(stream(main), (_, name) =>
      name === null ? `what it's about` : name === 'id' ? '' : 'note',
    )
    expect(written(stub.statements)).toEqual([
      `EXEC sys.sp_addextendedproperty N'MS_Description', N'${marked(`what it's about`, 3_700).replaceAll("'", "''")}', N'SCHEMA', N'reports', N'TABLE', N'invoice'`,
      `EXEC sys.sp_addextendedproperty N'MS_Description', N'${marked('note', 3_700)}', N'SCHEMA', N'reports', N'TABLE', N'invoice', N'COLUMN', N'note'`,
    ])
    const [fence, commit] = stub.statements.slice(-2)
    expect([fence?.includes('WITH (HOLDLOCK)'), commit]).toEqual([true, 'COMMIT TRANSACTION'])
  }, properties([]))
})

test('[SEE-6] our own property is replaced, that of another user stays, and equal ones are not written again', async () => {
  const ours = marked('note', 3_700)
  await withSqlServerTarget(
    async (target, stub) => {
      await target.prepare(stream(main))
      await target.writeComments(stream(main), (_, name) => (name === 'note' ? 'newer' : 'about'))
      expect(written(stub.statements).map((sql) => sql.slice(0, 40))).toEqual([
        `EXEC sys.sp_dropextendedproperty N'MS_De`,
        `EXEC sys.sp_addextendedproperty N'MS_Des`,
      ])
      const before = stub.statements.length
      await target.writeComments(stream(main), (_, name) => (name === 'note' ? 'note' : 'about'))
      expect(written(stub.statements.slice(before))).toEqual([])
    },
    properties([
      ['MS_Description', '', 'The table of the finance team'],
      ['MS_Description', 'id', 'Their number'],
      ['MS_Description', 'note', ours],
      ['Caption', 'note', 'another property'],
    ]),
  )
})

test('[SEE-6] a full refresh gives the new table the properties of the former one', async () => {
  await withSqlServerTarget(
    async (target, stub) => {
      await load(target, stream(main), {
        batches: [batch(main, [['1', 'kept']])],
        mode: { kind: 'replace', resume: false },
      })
      const swapped = stub.statements.findIndex((sql) => sql.startsWith('EXEC sp_rename'))
      expect(written(stub.statements.slice(swapped))).toEqual([
        `EXEC sys.sp_addextendedproperty N'Caption', N'theirs', N'SCHEMA', N'reports', N'TABLE', N'invoice', N'COLUMN', N'note'`,
      ])
    },
    properties([['Caption', 'note', 'theirs']]),
  )
})
