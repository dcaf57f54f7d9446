/** Runs the code of docs/extending/write-a-source.md, including the conformance suite that it calls. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { DocumentShape } from '@tributary/engine/apis/http/documents'

const page = readFileSync(new URL('../../docs/extending/write-a-source.md', import.meta.url), 'utf8')
const files = [...page.matchAll(/^```ts file=(\S+)\n(.*?)^```$/gms)].map(([, name = '', code = '']) => ({ name, code }))

const { orders } = await runGuide()

test('the guide has the files of a source, and every TypeScript block is one of them', () => {
  expect(files.map(({ name }) => name)).toEqual(['settings.ts', 'orders.ts', 'source.ts', 'source.test.ts'])
  expect(page.match(/^```ts/gm)).toHaveLength(files.length)
})

test('the table of the guide has a key, without which the conformance suite compares less', () => {
  expect(orders.table.key).toEqual(['id'])
})

/** Loads the files next to the real sources, so that their relative imports resolve; their test registers the suite. */
async function runGuide(): Promise<{ readonly orders: DocumentShape }> {
  const folder = mkdtempSync(fileURLToPath(new URL('../../engine/src/apis/guide-', import.meta.url)))
  try {
    for (const { name, code } of files) writeFileSync(join(folder, name), code)
    await import(join(folder, 'source.test.ts'))
    return (await import(join(folder, 'orders.ts'))) as { readonly orders: DocumentShape }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
