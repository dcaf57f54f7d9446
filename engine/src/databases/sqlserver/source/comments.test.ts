import { expect, test } from 'vitest'
import { answerShop, withShop } from '@tributary/testing/engine/sqlserver/sqlserver-shop.ts'

test('[SEE-6] descriptions of SQL Server are those of extended properties, and foreign keys are relations', async () => {
  await withShop(
    async (source) => {
      const tables = (await source.streams()).map(({ table }) => table)
      const customer = tables.find(({ name }) => name === 'Customer')
      expect(customer?.description).toBe('Who buys')
      expect(customer?.columns.map(({ description }) => description)).toContain('Most that they may owe')
      expect(tables.find(({ name }) => name === 'sales_Order')?.references).toEqual([
        { columns: ['Number'], table: 'Customer', to: ['Region'] },
      ])
      expect(tables.find(({ name }) => name === 'Visit')?.references).toEqual([])
    },
    {},
    (sql) => {
      if (sql.includes('sys.extended_properties'))
        return {
          rows: [
            [1, null, ' Who buys '],
            [1, 'CreditLimit', 'Most that they may owe'],
            [6, null, ''],
          ],
        }
      if (sql.includes('sys.foreign_key_columns'))
        return {
          rows: [
            [2, 77, 1, 'Number', 'Region'],
            [3, 78, 99, 'Id', 'Id'],
          ],
        }
      return answerShop(sql)
    },
  )
})
