import { expect, test } from 'vitest'
import { readStream, withShop } from '@tributary/testing/engine/sqlserver/sqlserver-shop.ts'

test('[TRUST-1] rows are certainly newer than a read if their rowversion is later than the last one at its end', async () => {
  await withShop(async (source, statements) => {
    const { checkpoint = null } = await readStream(source, 'sales.Order', null)
    const at = (word: string): number => statements.findLastIndex((sql) => sql.includes(word))
    expect(at('@@DBTS')).toBeGreaterThan(at('FROM [sales].[Order]'))
    const stream = (await source.streams()).find(({ name }) => name === 'sales.Order')
    const table = stream === undefined ? undefined : await source.verifiedTable?.(stream, checkpoint)
    await using read = await table?.read()
    expect(read).toMatchObject({
      isNewer: '[Version] > 0x00000000000007E4',
      mayBeNewer: '[Version] >= 0x00000000000007D1',
    })
  })
})
