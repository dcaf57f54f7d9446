import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exampleFile, withTables } from './settings-documents.ts'
import { settingGroups } from './all-settings.ts'

const root = join(import.meta.dirname, '../../../..')
const page = join(root, 'docs/configuration.md')
/** After a change of a setting: `vitest run server/src/kernel/config/settings-documents.test.ts -u` writes both documents anew. */
test('the page about configuration has every setting, as the server reads it; a run with -u writes it anew', async () => {
  const written = readFileSync(page, 'utf8')
  for (const { title } of settingGroups) expect(written).toContain(`<!-- settings: ${title} -->`)
  await expect(withTables(written)).toMatchFileSnapshot(page)
})

test('the example file has every setting, as the server reads it; a run with -u writes it anew', async () => {
  await expect(exampleFile()).toMatchFileSnapshot(join(root, '.env.example'))
})
