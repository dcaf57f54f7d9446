/** Generated tables of the documents match code and figures. `node tools/documents/write-tables.ts` writes them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listTracked, readTracked } from '../language/sources.ts'
import { listAttemptLimits } from './attempt-limits.ts'
import { generatedTables, namesOfTables, withGeneratedTables } from './generated-tables.ts'

const pages = listTracked('docs/*.md').map((page) => ({
  page,
  text: readFileSync(join(import.meta.dirname, '../..', page), 'utf8'),
}))
const generated = pages.filter(({ text }) => namesOfTables(text).length > 0)

describe('generated tables', () => {
  test.each(generated)('of $page are up to date', ({ text }) => {
    expect(text).toBe(withGeneratedTables(text))
  })

  test('are all in exactly one document', () => {
    const used = pages.flatMap(({ text }) => namesOfTables(text))
    expect(used.toSorted()).toEqual(Object.keys(generatedTables).toSorted())
  })

  test('have every limit on attempts that the server declares', () => {
    const sources = listTracked('server/src/*.ts')
      .filter((file) => !file.endsWith('.test.ts'))
      .map(readTracked)
    const declared = sources.flatMap((source) => source.match(/\bfree: \d[\d_]*,/gu) ?? [])
    expect(listAttemptLimits()).toHaveLength(declared.length)
  })

  test('a figure that was edited by hand, and a table that does not exist, are reported', () => {
    const [text = ''] = generated.filter(({ page }) => page === 'docs/performance.md').map((one) => one.text)
    const edited = text.replace(/\d\d\d,\d\d\d/u, '999,999')
    expect(edited).not.toBe(text)
    expect(withGeneratedTables(edited)).toBe(text)
    expect(() => withGeneratedTables('<!-- table: absent -->\n<!-- end -->')).toThrow('absent')
  })
})
