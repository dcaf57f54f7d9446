import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renderExampleFile, fillSettingTables } from './settings-documents.ts'
import { settingGroups } from '../../server/src/kernel/config/all-settings.ts'

const root = join(import.meta.dirname, '../..')
const page = join(root, 'docs/configuration.md')
/** After a change of a setting, `vitest run tools/documents/settings-documents.test.ts -u` regenerates both documents. */
test('the configuration page lists every setting; a run with -u regenerates it', async () => {
  const written = readFileSync(page, 'utf8')
  for (const { title } of settingGroups) expect(written).toContain(`<!-- settings: ${title} -->`)
  await expect(fillSettingTables(written)).toMatchFileSnapshot(page)
})

test('the example file lists every setting; a run with -u regenerates it', async () => {
  await expect(renderExampleFile()).toMatchFileSnapshot(join(root, '.env.example'))
})
