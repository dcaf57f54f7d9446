import { expect, test } from 'vitest'
import { splitStatement } from './find-sql-statement.ts'

test('the statement in a sentence is extracted, to be copied', () => {
  expect(splitStatement('The user may not read. Ask its owner to run: GRANT SELECT ON shop.orders TO reader.')).toEqual(
    {
      words: 'The user may not read. Ask its owner to run:',
      statement: 'GRANT SELECT ON shop.orders TO reader',
    },
  )
  expect(
    splitStatement("For example: CREATE ROLE reader LOGIN PASSWORD '…'; GRANT USAGE ON SCHEMA shop TO reader")
      .statement,
  ).toBe("CREATE ROLE reader LOGIN PASSWORD '…';\nGRANT USAGE ON SCHEMA shop TO reader")
})

test('a sentence that only mentions granting contains no statement', () => {
  expect(splitStatement('Grant it USAGE on the schema and SELECT on its tables.').statement).toBeNull()
  expect(splitStatement('The login needs the right to create tables.').statement).toBeNull()
})
