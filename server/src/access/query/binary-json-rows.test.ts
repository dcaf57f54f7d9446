import { copyOut } from '@tributary/engine/databases/postgres/copy-out'
import { openQueryDatabase } from '@tributary/testing/server/access/query-database.ts'
import { expect, test } from 'vitest'
import { BinaryJsonRows } from './binary-json-rows.ts'

test('[SEE-8] rows and the position at the limit are read however the bytes are cut', async () => {
  await using there = await openQueryDatabase('SELECT 1')
  const select = `SELECT row_to_json(r), nullif(r.n, 2)::text, 'é' || n FROM (SELECT n, repeat('x', n) AS s FROM generate_series(1, 4) AS n) AS r`
  const parts: Buffer[] = []
  for await (const bytes of copyOut(there.client, `COPY (${select}) TO STDOUT (FORMAT binary)`))
    parts.push(Buffer.from(bytes))
  const all = Buffer.concat(parts)
  const lines = [1, 2, 3, 4].map((n) => JSON.stringify({ n, s: 'x'.repeat(n) }))
  for (const limit of [1, 2, 3, 4, 5]) {
    for (let size = 1; size < all.length; size++) {
      const rows = new BinaryJsonRows(limit)
      let text = ''
      for (let at = 0; at < all.length; at += size)
        text += rows.push(Buffer.from(all.subarray(at, at + size))).toString()
      expect(text).toBe(lines.slice(0, limit).join(',\n'))
      expect(rows.hasMore).toBe(limit < 4)
      if (limit < 5) expect(rows.position).toEqual([limit === 2 ? null : `${limit}`, `é${limit}`])
    }
  }
})
